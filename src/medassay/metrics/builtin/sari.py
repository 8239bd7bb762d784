"""SARI of single answers: what they keep, add and delete, seen from the question."""

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Final

from medassay.cases import Case
from medassay.metrics.arithmetic.sari import ORDER, Edits, count_edits
from medassay.metrics.arithmetic.sari import sari as sari_of_tokens
from medassay.metrics.declaration import Declaration, Direction
from medassay.metrics.needs import LIMIT, TEXT, Need, answer_text, essential_text, references
from medassay.metrics.parameter import Parameter
from medassay.metrics.registry import Pair, metric
from medassay.scores import Score, Unscored
from medassay.text import tokenize_13a_lower

__all__ = ["sari"]


def _source(case: Case, kind: str) -> str | None:
    if kind == "narrative":
        return case.narrative
    if case.question is None:
        return None
    return "\n\n".join([*([] if case.narrative is None else [case.narrative]), case.question])


def _references(case: Case, ref: str) -> tuple[str, ...]:
    if ref == "note":
        essential = essential_text(case)
        return () if essential is None else (essential,)
    return references(case, ref)


_NEEDS: Final = (
    Need(
        words="reference of kind human",
        of_case=lambda case: _references(case, "human") or None,
        when=("ref", "human"),
    ),
    Need(
        words="essential evidence",
        of_case=lambda case: _references(case, "note") or None,
        when=("ref", "note"),
    ),
    Need(
        words="question",
        of_case=lambda case: _source(case, "question"),
        when=("source", "question"),
    ),
    Need(
        words="narrative",
        of_case=lambda case: _source(case, "narrative"),
        when=("source", "narrative"),
    ),
    TEXT,
)


def _settings(_: Mapping[str, str]) -> Mapping[str, str]:
    return {
        "tokenizer": "13a",
        "case": "lowered",
        "order": str(ORDER),
        "zero_by_zero": "1",
        "delete": "precision",
        "sacrebleu": version("sacrebleu"),
    }


_DECLARATION = Declaration(
    name="sari",
    title="SARI",
    question="Does the answer keep, add and delete the words that the references do, seen from the"
    " question?",
    unit="a fraction; the shared tasks' scorers and papers print it times 100",
    low=0,
    high=1,
    direction=Direction.HIGHER,
    needs=_NEEDS,
    parameters=(
        Parameter(
            name="ref",
            says="What the answer is compared with: all experts' answers together (human), or the"
            " essential evidence alone, in document order (note).",
            values=("human", "note"),
        ),
        Parameter(
            name="source",
            says="What is rewritten: narrative and question (question, as in 2025), or the"
            " narrative alone (narrative, as in 2026).",
            values=("question", "narrative"),
            default="question",
        ),
        LIMIT,
    ),
    if_no_answer=0,
    if_empty=0,
    undefined_when="never. By the formula an empty answer gets about .3 for deleting all of the"
    " question; here it is 0",
    reference="Xu et al. 2016, doi:10.1162/tacl_a_00107; values of evaluate 0.4 and so of the"
    " ArchEHR-QA scorers, divided by 100",
    settings=_settings,
)


@metric(_DECLARATION)
def sari(pairs: Sequence[Pair], arguments: Mapping[str, str]) -> list[Score | Unscored]:
    """Compute SARI of each answer; each distinct source with its references is counted once."""
    counted: dict[tuple[str, tuple[str, ...]], Edits] = {}
    scores: list[Score | Unscored] = []
    for case, answer in pairs:
        source = _source(case, arguments["source"]) or ""
        texts = _references(case, arguments["ref"])
        if (source, texts) not in counted:
            counted[source, texts] = count_edits(_tokens(source), [_tokens(t) for t in texts])
        tokens = _tokens(answer_text(answer, arguments))
        scores.append(Score(sari_of_tokens(tokens, counted[source, texts]) if tokens else 0.0))
    return scores


def _tokens(text: str) -> list[str]:
    return tokenize_13a_lower(text)

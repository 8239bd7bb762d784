"""SARI of single answers: what they keep, add and delete, seen from the question."""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Final

from medassay.cases import Case
from medassay.metrics.arithmetic.ngrams import ORDER, count_ngrams
from medassay.metrics.arithmetic.sari import Edits, count_edits
from medassay.metrics.arithmetic.sari import sari as sari_of_ngrams
from medassay.metrics.declaration import Declaration, Direction
from medassay.metrics.needs import LIMIT, TEXT, WORDS, Need, answer_text, essential_text, references
from medassay.metrics.parameter import Parameter
from medassay.metrics.reads import SPACED, SPACED_LETTERS, Reads
from medassay.metrics.registry import Pair, metric
from medassay.scores import Score, Unscored
from medassay.text import tokenize_13a

__all__ = ["sari"]


def _source(case: Case, kind: str) -> str | None:
    if kind == "narrative":
        return case.narrative
    if case.asked is None:
        return None
    return "\n\n".join([*([] if case.narrative is None else [case.narrative]), case.asked])


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
        WORDS,
    ),
    if_no_answer=0,
    if_empty=0,
    reads=Reads(
        what=SPACED,
        share=SPACED_LETTERS,
        of_case=lambda case, _, arguments: _references(case, arguments["ref"]),
        of_answer=answer_text,
    ),
    version=2,
    undefined_when="each reference is mostly in a script without blanks between words. By"
    " the formula an empty answer gets about .3 for deleting all of the question; here it is 0",
    reference="Xu et al. 2016, doi:10.1162/tacl_a_00107; values of evaluate 0.4 and so of the"
    " ArchEHR-QA scorers, divided by 100",
    parallel=lambda _: True,
    blind_spots=(
        "Meaning said in other words: only equal words count.",
        "Negation, doses and numbers: one word among many.",
        "Whether what is added is true.",
    ),
    settings=_settings,
    libraries=("numpy", "sacrebleu"),
)


@metric(_DECLARATION)
def sari(pairs: Sequence[Pair], arguments: Mapping[str, str]) -> list[Score | Unscored]:
    """Compute SARI of each answer; each distinct source with its references is counted once."""
    sources = [_source(case, arguments["source"]) or "" for case, _ in pairs]
    lines = [_references(case, arguments["ref"]) for case, _ in pairs]
    texts = [answer_text(answer, arguments) for _, answer in pairs]
    every = list(dict.fromkeys([*sources, *chain.from_iterable(lines), *texts]))
    counted = count_ngrams(tokenize_13a(text.lower()) for text in every)
    grams = dict(zip(every, counted, strict=True))
    edits: dict[tuple[str, tuple[str, ...]], Edits] = {}
    scores: list[Score | Unscored] = []
    for text, source, each in zip(texts, sources, lines, strict=True):
        if (source, each) not in edits:
            edits[source, each] = count_edits(
                grams[source], [grams[reference] for reference in each]
            )
        score = sari_of_ngrams(grams[text], edits[source, each]) if grams[text].length else 0.0
        scores.append(Score(score))
    return scores

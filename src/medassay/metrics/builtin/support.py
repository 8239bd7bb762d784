"""Faithfulness, contradiction and hallucination: are statements borne out by the evidence?"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.answers import Answer
from medassay.metrics.arithmetic.support import check_statements, statements_of
from medassay.metrics.batch import Batch
from medassay.metrics.declaration import Declaration, Direction
from medassay.metrics.language import cautions_for_english
from medassay.metrics.needs import Need, references
from medassay.metrics.odd_texts import Odd
from medassay.metrics.parameter import Parameter
from medassay.metrics.registry import Pair, metric
from medassay.metrics.statements import Checked, StatementCheck
from medassay.models.nli import RULES, Judge, Verdict, find_judge, judge_facts
from medassay.scores import Reason, Score, Unscored

__all__ = [
    "BLIND_SPOTS",
    "COST",
    "CUT",
    "JUDGE",
    "LABELS",
    "STATEMENTS",
    "STATES_NOTHING",
    "backend",
    "cautions",
    "counted_parts",
    "unreadable",
]

JUDGE: Final = Parameter(
    name="judge",
    says="Who judges: rules that read English words, numbers and negations (rules), or an NLI"
    " model by folder or hub id.",
    kind="text",
    values=(RULES,),
    default=RULES,
)
LABELS: Final = Parameter(
    name="labels",
    says="What the model's classes mean, in order, as entailment/neutral/contradiction or"
    " other/entailment; or as its own configuration says (config).",
    kind="text",
    values=("config",),
    default="config",
)
CUT: Final = "pairs_cut"
"""The part of a score that counts pairs of statement and sentence longer than the judge reads."""

_AGAINST: Final = Parameter(
    name="against",
    says="What statements are held against: the case's evidence, experts' answers (reference), or"
    " the documents that the system retrieved.",
    values=("evidence", "reference", "retrieved"),
    default="evidence",
)
_OF: Final = Parameter(
    name="of",
    says="Whose statements: the answer's text, or its chain of reasoning, as the protocol's source"
    " takes them (reasoning).",
    values=("answer", "reasoning"),
    default="answer",
)
_COUNT: Final = Parameter(
    name="count",
    says="Whether answers with more than half of their statements unsupported are counted"
    " (answers), or the unsupported statements (statements).",
    values=("answers", "statements"),
    default="answers",
)


def _statements(answer: Answer) -> tuple[str, ...] | None:
    if answer.text is None:
        return None
    return answer.text, *(text for text, _ in statements_of(answer))


def _reasoned(answer: Answer) -> tuple[object, ...] | None:
    if answer.reasoning is None:
        return ("",) if answer.is_blank else None
    return answer.is_blank, answer.reasoning  # an answer given empty has no claim, whatever it says


def _retrieved(answer: Answer) -> tuple[str, ...] | None:
    if answer.retrieved is None:
        return () if answer.is_blank else None
    return tuple(one.document for one in answer.retrieved)


STATEMENTS: Final = Need(words="text", of_answer=_statements)
_SOURCES: Final = (
    Need(
        words="evidence",
        of_case=lambda case: tuple((e.id, e.text) for e in case.evidence) or None,
        when=("against", "evidence"),
    ),
    Need(
        words="reference of kind human",
        of_case=lambda case: references(case, "human") or None,
        when=("against", "reference"),
    ),
    Need(
        words="documents with their content",
        of_case=lambda case: tuple((d.id, d.text) for d in case.documents if d.text) or None,
        when=("against", "retrieved"),
    ),
    Need(
        words="retrieved documents",
        of_answer=_retrieved,
        when=("against", "retrieved"),
    ),
)
_NEEDS: Final = (*_SOURCES, STATEMENTS)
_REFERENCE: Final = (
    "Verdicts by a judge of our own (design/support-rules.md; docs/support.md says what it is"
    " worth), or by the NLI model named. The share of claims that the sources bear out is the"
    " faithfulness of Es et al. 2024, doi:10.18653/v1/2024.eacl-demo.16"
)


COST: Final = (
    "rules: next to nothing; a model: a pass for each statement with each sentence of the evidence"
)
BLIND_SPOTS: Final = (
    (
        "Rules see words, numbers and negations, and no meaning: most paraphrases are not found,"
        " and physicians' contradictions mostly pass (docs/support.md)."
    ),
    (
        "Rules read English only; an answer in another language has no value, and says why. A model"
        " may judge it all the same: where its card says English, a warning counts such answers."
    ),
    "Each statement is held against single sentences: what follows only from two is not found.",
    (
        "A model reads at most 512 pieces of a sentence with a statement: what is behind them is"
        " cut, and the report counts it."
    ),
    "That the evidence bears a statement out does not make it true, or an answer to the question.",
)


STATES_NOTHING: Final[Odd] = dict.fromkeys(
    ("emoji alone", "punctuation alone", "control characters alone", "the question again"), "0"
)


def backend(arguments: Mapping[str, str]) -> Mapping[str, str]:
    """Find the judge that the arguments name; give what its verdicts depend on."""
    return judge_facts(arguments["judge"], arguments["labels"])


cautions: Final = cautions_for_english(
    lambda arguments: "" if arguments["judge"] == RULES else arguments["judge"]
)
"""Rules give foreign answers no value; a model reads them, whatever it was made for."""


def unreadable(answer: Answer, judge: Judge) -> Unscored | None:
    """Say that the judge cannot read the answer, such as one in another language."""
    why = judge.reads(" ".join(text for text, _ in statements_of(answer)))
    return Unscored(Reason.UNDEFINED, why) if why else None


def counted_parts(hits: int, checked: Sequence[Checked]) -> tuple[float, float, float]:
    """Give the parts of a share: how many, of how many, and the pairs that were cut."""
    return float(hits), float(len(checked)), pairs_cut(checked)


def pairs_cut(checked: Sequence[Checked]) -> float:
    """Count the pairs of statement and sentence that are longer than the judge reads."""
    return float(sum(row.finding.cut for row in checked))


Count = Callable[[Sequence[Checked], Mapping[str, str]], Score | Unscored]


def _stated(pairs: Sequence[Pair], arguments: Mapping[str, str]) -> list[Pair]:
    """Put the chain of reasoning in the place of the text where it is to be judged."""
    if arguments.get("of") != "reasoning":
        return list(pairs)
    return [
        (case, answer.model_copy(update={"text": answer.reasoning or "", "statements": None}))
        for case, answer in pairs
    ]


def _share(counted: Verdict, *, nothing_is: float | None) -> Count:
    def count(checked: Sequence[Checked], _: Mapping[str, str]) -> Score | Unscored:
        if not checked:
            return _without_statements(nothing_is)
        hits = sum(one.finding.verdict is counted for one in checked)
        return Score(hits / len(checked), counted_parts(hits, checked))

    return count


def _hallucinated(checked: Sequence[Checked], arguments: Mapping[str, str]) -> Score | Unscored:
    if not checked:
        return _without_statements(None)
    unsupported = sum(one.finding.verdict is not Verdict.SUPPORTED for one in checked)
    if arguments["count"] == "statements":
        return Score(unsupported / len(checked), counted_parts(unsupported, checked))
    flag = float(2 * unsupported > len(checked))
    return Score(flag, (flag, 1.0, pairs_cut(checked)))


def _without_statements(value: float | None) -> Score | Unscored:
    if value is None:
        return Unscored(Reason.UNDEFINED, "the answer states nothing that can be checked")
    return Score(value, counted_parts(0, ()))


def _pool(sums: NDArray[np.float64], _: Mapping[str, str]) -> NDArray[np.float64]:
    counted, of = sums[..., 0], sums[..., 1]
    return np.divide(counted, of, out=np.full_like(of, np.nan), where=of > 0)


def _register(count: Count, declared: Declaration) -> None:
    @metric(declared)
    def compute(pairs: Sequence[Pair], arguments: Mapping[str, str]) -> list[Score | Unscored]:
        judge = find_judge(arguments["judge"], arguments["labels"])
        reads = tuple((k, v) for k, v in sorted(arguments.items()) if k != _COUNT.name)
        rules = arguments["judge"] == RULES
        stated = _stated(pairs, arguments)
        checked = _batch_checked(Batch.of(pairs), reads) if rules else _check(pairs, arguments)
        if declared.statements is not None:
            declared.statements.keep(pairs, arguments, checked)
        return [
            unreadable(answer, judge) or count(rows, arguments)
            for (_, answer), rows in zip(stated, checked, strict=True)
        ]


@lru_cache(maxsize=4)
def _batch_checked(batch: Batch, arguments: tuple[tuple[str, str], ...]) -> list[list[Checked]]:
    """Look at a batch once for all metrics that count what was found."""
    return _check(batch, dict(arguments))


def _check(pairs: Sequence[Pair], arguments: Mapping[str, str]) -> list[list[Checked]]:
    judge = find_judge(arguments["judge"], arguments["labels"])
    stated = _stated(pairs, arguments)
    can = [unreadable(answer, judge) is None for _, answer in stated]
    read = [pair for pair, able in zip(stated, can, strict=True) if able]
    found = iter(check_statements(read, judge, arguments["against"]))
    return [next(found) if able else [] for able in can]


_FAITHFULNESS: Final = Declaration(
    name="faithfulness",
    title="Faithfulness",
    question="How many of the answer's statements does the evidence support?",
    unit="a fraction of the answer's statements",
    low=0,
    high=1,
    direction=Direction.HIGHER,
    needs=_NEEDS,
    parameters=(_AGAINST, JUDGE, LABELS),
    if_no_answer=0,
    if_empty=0,
    odd={**STATES_NOTHING, "other scripts": Reason.UNDEFINED.value},
    undefined_when="the judge cannot read the answer's language",
    reference=_REFERENCE,
    parts=("supported", "statements", CUT),
    version=2,
    pool=_pool,
    statements=StatementCheck(
        _check, {"against": "evidence", "judge": RULES, "labels": "config", "of": "answer"}
    ),
    backend=backend,
    parallel=lambda arguments: arguments["judge"] == RULES,
    cautions=cautions,
    cost=COST,
    blind_spots=BLIND_SPOTS,
)
_CONTRADICTION: Final = replace(
    _FAITHFULNESS,
    name="contradiction",
    title="Contradiction",
    question="How many of the answer's statements does the evidence contradict?",
    direction=Direction.LOWER,
    if_no_answer=Reason.NEVER_ANSWERED,
    if_empty=Reason.EMPTY_ANSWER,
    odd=dict.fromkeys((*STATES_NOTHING, "other scripts"), Reason.UNDEFINED.value),
    undefined_when="the answer states nothing, or the judge cannot read its language",
    parts=("contradicted", "statements", CUT),
)
_HALLUCINATION: Final = replace(
    _CONTRADICTION,
    name="hallucination",
    title="Hallucination",
    question="Is more than half of what the answer states without support in the evidence?",
    unit="1 for such an answer and 0 for another, so that the mean is a share; or the fraction"
    " of statements without support",
    needs=(
        *_SOURCES,
        replace(STATEMENTS, when=("of", "answer")),
        Need(words="text of reasoning", of_answer=_reasoned, when=("of", "reasoning")),
    ),
    parameters=(_AGAINST, _COUNT, JUDGE, LABELS, _OF),
    reference=_REFERENCE + ". More than half unsupported: the safety rule of the clinical"
    " multiple-choice protocol; contradicted statements count as unsupported",
    parts=("counted", "of", CUT),
)
_register(_share(Verdict.SUPPORTED, nothing_is=0.0), _FAITHFULNESS)
_register(_share(Verdict.CONTRADICTED, nothing_is=None), _CONTRADICTION)
_register(_hallucinated, _HALLUCINATION)

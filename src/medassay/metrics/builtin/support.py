"""Faithfulness, contradiction and hallucination: are statements borne out by the evidence?"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.answers import Answer
from medassay.metrics.declaration import Declaration, Direction, Parameter
from medassay.metrics.registry import Pair, metric
from medassay.metrics.statement_support import (
    AGAINST,
    OF,
    OF_ANSWER_OR_REASONING,
    SOURCES,
    STATEMENTS,
    STATES_NOTHING,
    check_statements,
    stated,
    statements_of,
)
from medassay.metrics.statements import Checked, StatementCheck
from medassay.metrics.token_match import cautions_for_english
from medassay.models.nli import NLI, Judge, SupportVerdict, find_judge, judge_facts
from medassay.scores import Reason, Score, Unscored

JUDGE: Final = Parameter(
    name="judge",
    says="Who judges: the entailment model that study.toml names nli, or another by folder or hub"
    " id.",
    kind="text",
    values=(NLI,),
    default=NLI,
    gone={
        "rules": 'Name an entailment model in study.toml, [models.folders] nli = "FOLDER", and'
        " leave out judge=rules; or take lexical_support, which needs no model and told supported"
        " claims from others better than the rules did (docs/support.md)."
    },
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

_COUNT: Final = Parameter(
    name="count",
    says="Whether answers with more than half of their statements unsupported are counted"
    " (answers), or the unsupported statements (statements).",
    values=("answers", "statements"),
    default="answers",
)


_NEEDS: Final = (*SOURCES, STATEMENTS)
_REFERENCE: Final = (
    "Verdicts by the entailment model that is named, sentence by sentence. The share of claims that"
    " the sources support is the faithfulness of Es et al. 2024, doi:10.18653/v1/2024.eacl-demo.16"
)


COST: Final = "a pass of the model for each statement with each sentence of the evidence"
BLIND_SPOTS: Final = (
    (
        "A model judges answers in languages that it was not made for: where its card says English,"
        " a warning counts them."
    ),
    "Each statement is compared with single sentences: what follows only from two is not found.",
    (
        "A model reads at most 512 pieces of a sentence with a statement: what is behind them is"
        " cut, and the report counts it."
    ),
    "That the evidence bears a statement out does not make it true, or an answer to the question.",
)


def backend(arguments: Mapping[str, str]) -> Mapping[str, str]:
    """Find the judge that the arguments name; give what its verdicts depend on."""
    return judge_facts(arguments["judge"], arguments["labels"])


cautions: Final = cautions_for_english(lambda arguments: arguments["judge"])
"""A model reads foreign answers, whatever it was made for."""


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


def _share(counted: SupportVerdict, *, nothing_is: float | None) -> Count:
    def count(checked: Sequence[Checked], _: Mapping[str, str]) -> Score | Unscored:
        if not checked:
            return _without_statements(nothing_is)
        hits = sum(check.finding.verdict is counted for check in checked)
        return Score(hits / len(checked), counted_parts(hits, checked))

    return count


def _hallucinated(checked: Sequence[Checked], arguments: Mapping[str, str]) -> Score | Unscored:
    if not checked:
        return _without_statements(None)
    unsupported = sum(check.finding.verdict is not SupportVerdict.SUPPORTED for check in checked)
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
        statements_stated = stated(pairs, arguments)
        checked = _check(pairs, arguments)
        if declared.statements is not None:
            declared.statements.keep(pairs, arguments, checked)
        return [
            unreadable(answer, judge) or count(rows, arguments)
            for (_, answer), rows in zip(statements_stated, checked, strict=True)
        ]


def _check(pairs: Sequence[Pair], arguments: Mapping[str, str]) -> list[list[Checked]]:
    judge = find_judge(arguments["judge"], arguments["labels"])
    statements_stated = stated(pairs, arguments)
    can = [unreadable(answer, judge) is None for _, answer in statements_stated]
    read = [pair for pair, able in zip(statements_stated, can, strict=True) if able]
    by_answer = iter(check_statements(read, judge, arguments["against"]))
    return [next(by_answer) if able else [] for able in can]


_FAITHFULNESS: Final = Declaration(
    name="faithfulness",
    title="Faithfulness",
    question="How many of the answer's statements does the evidence support?",
    unit="a fraction of the answer's statements",
    low=0,
    high=1,
    direction=Direction.HIGHER,
    needs=_NEEDS,
    parameters=(AGAINST, JUDGE, LABELS),
    if_no_answer=0,
    if_empty=0,
    odd={**STATES_NOTHING, "other scripts": Reason.UNDEFINED.value},
    undefined_when="the judge cannot read the answer's language",
    reference=_REFERENCE,
    parts=("supported", "statements", CUT),
    version=3,
    pool=_pool,
    statements=StatementCheck(
        _check, {"against": "evidence", "judge": NLI, "labels": "config", "of": "answer"}
    ),
    backend=backend,
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
    needs=(*SOURCES, *OF_ANSWER_OR_REASONING),
    parameters=(AGAINST, _COUNT, JUDGE, LABELS, OF),
    reference=_REFERENCE + ". More than half unsupported: the safety rule of the clinical"
    " multiple-choice protocol; contradicted statements count as unsupported",
    parts=("counted", "of", CUT),
    version=4,
)
_register(_share(SupportVerdict.SUPPORTED, nothing_is=0.0), _FAITHFULNESS)
_register(_share(SupportVerdict.CONTRADICTED, nothing_is=None), _CONTRADICTION)
_register(_hallucinated, _HALLUCINATION)

"""Citation support: does the evidence that a statement cites bear it out?"""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.answers import Answer
from medassay.metrics.builtin.support import (
    BLIND_SPOTS,
    COST,
    CUT,
    JUDGE,
    LABELS,
    backend,
    cautions,
    counted_parts,
    unreadable,
)
from medassay.metrics.declaration import Declaration, Direction, Need, Parameter
from medassay.metrics.registry import Pair, metric
from medassay.metrics.statement_support import STATES_NOTHING, check_citations, statements_of
from medassay.metrics.statements import Checked, StatementCheck
from medassay.models.nli import NLI, SupportVerdict, find_judge
from medassay.scores import Reason, Score, Unscored


def _cited(answer: Answer) -> tuple[object, ...] | None:
    if answer.statements is None:
        return ("",) if answer.is_blank else None
    return answer.text, *statements_of(answer)


def _pool(sums: NDArray[np.float64], _: Mapping[str, str]) -> NDArray[np.float64]:
    supported, of = sums[..., 0], sums[..., 1]
    return np.divide(supported, of, out=np.full_like(of, np.nan), where=of > 0)


def _check(pairs: Sequence[Pair], arguments: Mapping[str, str]) -> list[list[Checked]]:
    judge = find_judge(arguments["judge"], arguments["labels"])
    can = [unreadable(answer, judge) is None for _, answer in pairs]
    read = [pair for pair, able in zip(pairs, can, strict=True) if able]
    by_answer = iter(check_citations(read, judge))
    return [next(by_answer) if able else [] for able in can]


_STATEMENTS: Final = StatementCheck(_check, {"judge": NLI, "labels": "config"})
_DECLARATION: Final = Declaration(
    name="citation_support",
    title="Citation support",
    question="How many of the answer's statements does the evidence that they cite support?",
    unit="a fraction of the answer's statements",
    low=0,
    high=1,
    direction=Direction.HIGHER,
    needs=(
        Need(
            words="evidence",
            of_case=lambda case: tuple((e.id, e.text) for e in case.evidence) or None,
        ),
        Need(words="text with citations", of_answer=_cited),
    ),
    parameters=(
        Parameter(
            name="of",
            says="Of which statements: of all, so that one without citation is not supported, or of"
            " those that cite evidence of the case (citing).",
            values=("all", "citing"),
            default="all",
        ),
        JUDGE,
        LABELS,
    ),
    if_no_answer=0,
    if_empty=0,
    odd={**STATES_NOTHING, "other scripts": Reason.UNDEFINED.value},
    undefined_when="of=citing and nothing is cited, or the judge cannot read the answer's language",
    reference="Statements entailed by what they cite, as the citation recall of Gao et al. 2023,"
    " doi:10.18653/v1/2023.emnlp-main.398; judged by the entailment model that is named",
    parts=("supported", "statements", CUT),
    version=3,
    pool=_pool,
    statements=_STATEMENTS,
    backend=backend,
    cautions=cautions,
    cost=COST,
    blind_spots=(*BLIND_SPOTS, "Whether the evidence cited is the evidence that matters."),
)


@metric(_DECLARATION)
def citation_support(pairs: Sequence[Pair], arguments: Mapping[str, str]) -> list[Score | Unscored]:
    """Count the statements that are supported by what they cite."""
    judge = find_judge(arguments["judge"], arguments["labels"])
    checked = _check(pairs, arguments)
    _STATEMENTS.keep(pairs, arguments, checked)
    scores: list[Score | Unscored] = []
    for (_, answer), rows in zip(pairs, checked, strict=True):
        foreign = unreadable(answer, judge)
        if foreign is not None:
            scores.append(foreign)
            continue
        counted = [row for row in rows if row.cites or arguments["of"] == "all"]
        hits = sum(row.finding.verdict is SupportVerdict.SUPPORTED for row in counted)
        if counted:
            scores.append(Score(hits / len(counted), counted_parts(hits, counted)))
        elif rows:
            scores.append(Unscored(Reason.UNDEFINED, "no statement cites evidence of the case"))
        else:
            scores.append(Score(0.0, counted_parts(0, ())))
    return scores

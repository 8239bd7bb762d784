"""What the scores of support rest on: each statement, its verdict and the sentence that decides."""

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Final

from medassay.metrics import BoundMetric
from medassay.metrics.statements import Checked
from medassay.models import use_models
from medassay.models.nli import Verdict
from medassay.study.analysis import Column
from medassay.study.folder import Study
from medassay.study.metric_models import StatementResult, StatementsResult, VerdictsResult
from medassay.study.models import models_of

__all__ = ["FoundStatements", "Statements", "find_statements"]

Statements = Mapping[tuple[str, str], Sequence[StatementsResult]]
"""System and case to what was found of that answer."""

_DIGITS: Final = 4
_BATCH: Final = 512


@dataclass
class FoundStatements:
    """The statements of all answers.

    Attributes:
        shown: Those of the cases that are shown, with what was found of each.
        verdicts: How often each verdict holds over all cases, for metrics that share them.
    """

    shown: dict[tuple[str, str], list[StatementsResult]] = field(default_factory=dict)
    verdicts: list[VerdictsResult] = field(default_factory=list)


def find_statements(
    study: Study, columns: Sequence[Column], shown: AbstractSet[str]
) -> FoundStatements:
    """Look at every statement again, from what is kept, once for metrics that share a check."""
    groups: dict[tuple[object, ...], list[BoundMetric]] = {}
    for metric in (column.metric for column in columns):
        check = metric.declaration.statements if metric is not None else None
        if metric is None or check is None or metric.missing is not None:
            continue
        key = (
            check.check,
            *(metric.arguments.get(name, other) for name, other in check.reads.items()),
        )
        groups.setdefault(key, []).append(metric)
    found = FoundStatements()
    with use_models(models_of(study)):
        for metrics in groups.values():
            _add(study, metrics, shown, found)
    return found


def _add(
    study: Study,
    metrics: Sequence[BoundMetric],
    shown: AbstractSet[str],
    found: FoundStatements,
) -> None:
    first, names = metrics[0], [str(metric.name) for metric in metrics]
    check = first.declaration.statements
    if check is None:
        return
    full = study.config.privacy.texts == "full"
    pairs = [
        (case, answer)
        for case in study.cases
        for system in study.answers.systems
        if (answer := study.answers.get(system, case.case)) is not None
        and first.why_not(case, answer) is None
    ]
    count: Counter[Verdict] = Counter()
    decided = 0
    for start in range(0, len(pairs), _BATCH):
        batch = pairs[start : start + _BATCH]
        for (case, answer), rows in zip(batch, check.check(batch, first.arguments), strict=True):
            count.update(row.finding.verdict for row in rows)
            decided += sum(row.source is not None for row in rows)
            if rows and case.case in shown:
                told = [_tell(row, full=full) for row in rows]
                one = StatementsResult(metrics=names, statements=told)
                found.shown.setdefault((answer.system, case.case), []).append(one)
    if count:
        found.verdicts.append(
            VerdictsResult(
                metrics=names,
                supported=count[Verdict.SUPPORTED],
                contradicted=count[Verdict.CONTRADICTED],
                not_found=count[Verdict.NOT_FOUND],
                decided=decided,
            )
        )


def _tell(row: Checked, *, full: bool) -> StatementResult:
    return StatementResult(
        text=row.statement if full else None,
        verdict=row.finding.verdict.value,
        strength=round(row.finding.strength, _DIGITS),
        evidence=row.source,
        sentence=row.sentence if full and row.source is not None else None,
        why=row.finding.why if full else None,
    )

"""What the scores of support rest on: each statement, its verdict and the sentence that decides."""

from collections.abc import Mapping, Sequence
from typing import Final

from medassay.metrics import BoundMetric
from medassay.metrics.statements import Checked
from medassay.models import use_models
from medassay.models.nli import Verdict
from medassay.study.analysis import Column
from medassay.study.folder import Study
from medassay.study.metric_models import StatementResult, StatementsResult, VerdictsResult
from medassay.study.models import models_of

__all__ = ["Statements", "find_statements", "verdict_results"]

Statements = Mapping[tuple[str, str], Sequence[StatementsResult]]
"""System and case to what was found of that answer."""

_DIGITS: Final = 4


def find_statements(study: Study, columns: Sequence[Column]) -> Statements:
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
    found: dict[tuple[str, str], list[StatementsResult]] = {}
    with use_models(models_of(study)):
        for metrics in groups.values():
            _add(study, metrics, found)
    return found


def verdict_results(found: Statements) -> list[VerdictsResult]:
    """Count the verdicts of all answers, for each group of metrics that share them."""
    counts: dict[tuple[str, ...], dict[str, int]] = {}
    for of_answer in found.values():
        for one in of_answer:
            count = counts.setdefault(tuple(one.metrics), dict.fromkeys((*Verdict, "decided"), 0))
            for statement in one.statements:
                count[statement.verdict] += 1
                count["decided"] += statement.evidence is not None
    return [
        VerdictsResult(
            metrics=list(metrics),
            supported=count[Verdict.SUPPORTED],
            contradicted=count[Verdict.CONTRADICTED],
            not_found=count[Verdict.NOT_FOUND],
            decided=count["decided"],
        )
        for metrics, count in counts.items()
    ]


def _add(
    study: Study,
    metrics: Sequence[BoundMetric],
    found: dict[tuple[str, str], list[StatementsResult]],
) -> None:
    first = metrics[0]
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
    for (case, answer), rows in zip(pairs, check.check(pairs, first.arguments), strict=True):
        if rows:
            names = [str(metric.name) for metric in metrics]
            told = [_tell(row, full=full) for row in rows]
            one = StatementsResult(metrics=names, statements=told)
            found.setdefault((answer.system, case.case), []).append(one)


def _tell(row: Checked, *, full: bool) -> StatementResult:
    return StatementResult(
        text=row.statement if full else None,
        verdict=row.finding.verdict.value,
        strength=round(row.finding.strength, _DIGITS),
        evidence=row.source,
        sentence=row.sentence if full and row.source is not None else None,
        why=row.finding.why if full else None,
    )

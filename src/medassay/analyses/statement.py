"""What the scores of support rest on: each statement, its verdict and the sentence that decides."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Final

from medassay.analyses.results.metric import StatementResult, StatementsResult, VerdictsResult
from medassay.analyses.score_columns import Column
from medassay.answers import Answer
from medassay.cases import Case
from medassay.errors import InvalidInput, Problem
from medassay.metrics import BoundMetric, Pair
from medassay.metrics.statements import Checked, StatementCheck, StatementTally
from medassay.models import use_models
from medassay.plugins import unheard, words_of
from medassay.study.folder import Study, models_of

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
    """Count what was found of all statements, once for metrics that share a check.

    Looked at again are statements of the cases that are shown, and those of which nothing is kept.
    """
    groups: dict[tuple[object, ...], list[BoundMetric]] = {}
    for metric in (column.metric for column in columns):
        check = metric.declaration.statements if metric is not None else None
        if metric is None or check is None or metric.missing is not None:
            continue
        groups.setdefault(check.asks(metric.arguments), []).append(metric)
    found_statements = FoundStatements()
    with use_models(models_of(study)):
        for metrics in groups.values():
            _add(study, metrics, shown, found_statements)
    return found_statements


def _add(
    study: Study,
    metrics: Sequence[BoundMetric],
    shown: AbstractSet[str],
    found_statements: FoundStatements,
) -> None:
    first, names = metrics[0], [str(metric.name) for metric in metrics]
    check = first.declaration.statements
    if check is None:
        return
    full = study.config.privacy.texts == "full"
    tallies: list[StatementTally] = []
    open_pairs = []
    for case, answer in _answered(study):
        tally = None if case.case in shown else check.kept(case, answer, first.arguments)
        if tally is not None:
            tallies.append(tally)
        elif first.why_not(case, answer) is None:
            open_pairs.append((case, answer))
    for start in range(0, len(open_pairs), _BATCH):
        batch = open_pairs[start : start + _BATCH]
        for (case, answer), rows in zip(batch, _look(first, check, batch, full=full), strict=True):
            tallies.append(StatementTally.of(rows))
            if rows and case.case in shown:
                known = None if full or first.is_ours else _ids(case, answer)
                statements = [_tell(row, known, full=full) for row in rows]
                statements_result = StatementsResult(metrics=names, statements=statements)
                found_statements.shown.setdefault((answer.system, case.case), []).append(
                    statements_result
                )
    if any(map(any, tallies)):
        all_ = StatementTally(*map(sum, zip(*tallies, strict=True)))
        found_statements.verdicts.append(VerdictsResult(metrics=names, **all_._asdict()))


def _answered(study: Study) -> Iterator[tuple[Case, Answer]]:
    for case in study.cases:
        for system in study.answers.systems:
            answer = study.answers.get(system, case.case)
            if answer is not None:
                yield case, answer


def _look(
    metric: BoundMetric, check: StatementCheck, batch: Sequence[Pair], *, full: bool
) -> list[list[Checked]]:
    if metric.is_ours:
        return check.check(batch, metric.arguments)
    try:
        with nullcontext() if full else unheard():
            return check.check(batch, metric.arguments)
    except Exception as error:  # noqa: BLE001 - other people's code may raise anything
        kind = type(error).__name__
        must, hint = "look at statements without an error", "Update or uninstall its package."
        problem = Problem(str(metric.name), must, words_of(error), hint, counted=kind)
        raise InvalidInput(problem if full else problem.without_quotes()) from None


def _ids(case: Case, answer: Answer) -> AbstractSet[str]:
    """Name the evidence and documents that there are: another package's source may be a text."""
    known = {evidence.id for evidence in case.evidence} | {
        document.id for document in case.documents
    }
    return known | {retrieved.document for retrieved in answer.retrieved or ()}


def _tell(row: Checked, known: AbstractSet[str] | None, *, full: bool) -> StatementResult:
    return StatementResult(
        text=row.statement if full else None,
        verdict=row.finding.verdict.value,
        strength=round(row.finding.strength, _DIGITS),
        evidence=row.source if known is None or row.source in known else None,
        sentence=row.sentence if full and row.source is not None else None,
        why=row.finding.why if full else None,
    )

"""What raters declared, and when thresholds of confidence were fixed, as the methods say it."""

from collections.abc import Sequence

from medassay.analyses.builtin.alignment import alignment
from medassay.analyses.builtin.rater_flow import rater_flow
from medassay.analyses.results import Results
from medassay.exhibits.numbers import PROPORTION, count_of
from medassay.judgements import Rater
from medassay.report.prose.statement import Statement

__all__ = ["declared_statements"]


def declared_statements(results: Results) -> list[Statement]:
    """Say who is external, free of conflicts and blinded, and the day of the thresholds.

    Nothing of raters where no table says anything of them.
    """
    return [
        Statement(" ".join(_declared(results))),
        Statement(_thresholds(results)),
    ]


def _declared(results: Results) -> list[str]:
    flow = results.analyses.of(rater_flow)
    raters = [count.rater for count in flow.raters if not count.rater.excluded] if flow else []
    people = [rater for rater in raters if rater.kind == "person"]
    of = f"of {count_of(len(people), 'rater')}"
    external = [rater for rater in people if rater.external is not None]
    told = [rater for rater in people if rater.conflicts]
    blinded = [rater for rater in people if rater.blinded is not None]
    if not external and not told and not blinded:
        return []
    none = sum(rater.declares_none for rater in told)
    yes = sum(rater.external is True for rater in external)
    blind = sum(rater.blinded is True for rater in blinded)
    blinding = "declared that they were blinded to retrieval scores and to the rules of confidence"
    return [
        f"{yes} {of} are external to the team{_silent(people, external)}.",
        f"{none} {of} declared no conflict of interest{_silent(people, told)}.",
        f"{blind} {of} {blinding}{_silent(people, blinded)}.",
    ]


def _silent(people: Sequence[Rater], told: Sequence[Rater]) -> str:
    n = len(people) - len(told)
    return f"; the study does not say it of {n}" if n else ""


def _thresholds(results: Results) -> str:
    record = results.analyses.of(alignment)
    if record is None or not record.systems:
        return ""
    low, high = (PROPORTION(threshold) for threshold in record.thresholds)
    day = f"These thresholds were fixed on {record.fixed}."
    unsaid = "The study does not say when these thresholds were fixed."
    return (
        f"Confidence is Medium from {low} and High above {high}. {day if record.fixed else unsaid}"
    )

"""What a study holds, on one screen: and whether it is enough for each metric."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from medassay.metrics import BoundMetric, Reading, describe_readings, readings_of
from medassay.study.allotted import describe_allotted
from medassay.study.config.study_toml import as_shown
from medassay.study.folder import Study
from medassay.study.metric_choice import import_questions
from medassay.study.opening.choices import resolve_metrics
from medassay.study.scoring.score_study import Pairs

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class SystemSummary:
    """How many answers a system gave, of how many the text is not held; gave empty, never gave.

    And how many it was not asked for.
    """

    system: str
    given: int
    not_held: int
    empty: int
    missing: int
    not_asked: int


@dataclass(frozen=True)
class DimensionSummary:
    """How many judgements a dimension has, and how many of them are a reason without a label."""

    dimension: str
    judgements: int
    without_label: int
    raters: int


@dataclass(frozen=True)
class MetricSummary:
    """What a metric needs, and how many cases and answers have it in letters that it reads."""

    metric: str
    needs: list[str]
    cases_ready: int
    answers_ready: int


@dataclass(frozen=True)
class Summary:
    """All of it.

    Attributes:
        title: The study's title.
        protocol: The protocol's name.
        cases: How many cases.
        answers: How many answers, empty ones included.
        raters: How many raters, persons and models.
        judgements: How many judgements hold now.
        corrected: How many judgements a later row corrects.
        preferences: How many preferences hold now.
        imported: Names of imported scores.
        systems: A line a system.
        dimensions: A line a dimension.
        metrics: A line a metric.
        warnings: What a reader should know, though nothing is wrong.
    """

    title: str
    protocol: str
    cases: int
    answers: int
    raters: int
    judgements: int
    corrected: int
    preferences: int
    imported: list[str]
    systems: list[SystemSummary]
    dimensions: list[DimensionSummary]
    metrics: list[MetricSummary]
    warnings: list[str]

    def as_dict(self) -> dict[str, object]:
        """Give plain data for `--json`."""
        return asdict(self)


def summarise(study: Study) -> Summary:
    """Count what the study holds.

    Raises:
        InvalidInput: study.toml names a metric that is not known.
    """
    metrics = [
        as_shown(metric, study.config) for metric in resolve_metrics(study.config.rules.metrics)
    ]
    readings = readings_of(metrics, Pairs(study))
    judged = study.judgements.current()
    raters = set(judged["rater"].unique()) | set(study.preferences.current()["rater"].unique())
    return Summary(
        title=study.config.title,
        protocol=study.config.rules.name,
        cases=len(study.cases),
        answers=len(study.answers),
        raters=len(raters),
        judgements=judged.height,
        corrected=study.judgements.corrected,
        preferences=study.preferences.current().height,
        imported=[source for imported in study.imported for source in imported.table.sources],
        systems=[_system(study, system) for system in study.systems],
        dimensions=[_dimension(judged, dimension.id) for dimension in study.rubric.dimensions],
        metrics=[_metric(study, metric, readings.get(str(metric.name))) for metric in metrics],
        warnings=[
            *study.warnings,
            *describe_readings(readings),
            *describe_allotted(study),
            *import_questions(study),
        ],
    )


def _system(study: Study, system: str) -> SystemSummary:
    tally = study.answers.tally
    empty = tally.blank[system]
    given, unread = tally.given[system] - empty, tally.not_held[system]
    left_out = study.asked.left_out(system, len(study.cases))
    return SystemSummary(system, given, unread, empty, study.missing(system), left_out)


def _dimension(judged: "pl.DataFrame", dimension: str) -> DimensionSummary:
    import polars as pl

    rows = judged.filter(pl.col("dimension") == dimension)
    return DimensionSummary(
        dimension, rows.height, rows["reason"].count(), rows["rater"].n_unique()
    )


def _metric(study: Study, metric: BoundMetric, reading: Reading | None) -> MetricSummary:
    unread = 0 if reading is None else len(reading.unread)
    of_case = [need.of_case for need in metric.needs if need.of_case is not None]
    return MetricSummary(
        str(metric.name),
        [need.words for need in metric.needs],
        sum(all(find(case) is not None for find in of_case) for case in study.cases) - unread,
        sum(all(need.is_met_by(answer) for need in metric.needs) for answer in study.answers),
    )

"""What every metric and control is held against the raters with, on the cases of the ranking."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from medassay.analyses.inputs.answer_verdicts import targets_of
from medassay.analyses.inputs.metric_controls import controls_of
from medassay.analyses.inputs.metric_uses import leading_columns
from medassay.analyses.inputs.study_columns import ScoreColumn, StudyColumns, sources_of, step_rng
from medassay.study.folder import Study
from medassay.validity import (
    MetricPairs,
    Source,
    SystemLevel,
    Target,
    compare_metrics,
    system_level,
    with_letters,
)

_MOST_VALUES = 12
"""A tag with more values than this groups nothing: it names cases."""


@dataclass(frozen=True)
class Held:
    """Metrics and controls beside what the raters jointly say; empty where either is missing.

    Attributes:
        candidates: The metrics' columns.
        metrics: Those laid out over the systems and the cases of the ranking.
        controls: What knows nothing of what an answer says, laid out alike.
        raters: The consensus of each dimension, by the method of the leaderboard.
        targets: The answers that people must see.
        thresholds: Metric to the threshold in use.
        tags: Tag to the value of each case, where it groups cases.
        clusters: Case to cluster; None where each case is independent.
        families: System to family; None where each system is its own.
    """

    candidates: tuple[ScoreColumn, ...] = ()
    metrics: tuple[Source, ...] = ()
    controls: tuple[Source, ...] = ()
    raters: tuple[Source, ...] = ()
    targets: tuple[Target, ...] = ()
    thresholds: Mapping[str, float] | None = None
    tags: Mapping[str, Mapping[str, str]] | None = None
    clusters: Mapping[str, str] | None = None
    families: Mapping[str, str] | None = None

    @property
    def everyone(self) -> tuple[Source, ...]:
        """Give metrics, then controls."""
        return (*self.metrics, *self.controls)


@dataclass(frozen=True)
class Measured:
    """Every measure over the means of the systems, and the tests of each two metrics.

    Attributes:
        levels: The measures of each metric and control with each consensus.
        compared: The tests, consensus by consensus.
    """

    levels: tuple[SystemLevel, ...]
    compared: tuple[MetricPairs, ...]


def held_of(study: Study, score_columns: StudyColumns) -> Held:
    """Lay out what is compared with what."""
    columns = score_columns.columns
    joined = leading_columns(study, score_columns)
    candidates = tuple(c for c in columns if c.may_speak)
    if not joined or not candidates:
        return Held()
    sources = sources_of(study, score_columns)
    raters = tuple(sources[column.name] for column in joined)
    return Held(
        candidates=candidates,
        metrics=tuple(sources[column.name] for column in candidates),
        controls=tuple(controls_of(study, columns, sources)),
        raters=raters,
        targets=tuple(targets_of(study, raters, joined)),
        thresholds=study.config.validity.thresholds,
        tags=_tags(study),
        clusters=study.clusters or None,
        families=study.families or None,
    )


def measured_of(study: Study, held: Held) -> Measured:
    """Measure every metric and control, and test each two metrics against each other."""
    levels = system_level(
        held.everyone,
        held.raters,
        rng=step_rng(study, "s40"),
        clusters=held.clusters,
        families=held.families,
    )
    compared = [
        compare_metrics(
            _best_first(held.metrics, levels, source),
            source,
            rng=step_rng(study, "s41", str(source.name)),
        )
        for source in held.raters
    ]
    return Measured(tuple(with_letters(levels, compared)), tuple(compared))


def _best_first(
    metrics: Sequence[Source], levels: Sequence[SystemLevel], consensus: Source
) -> list[Source]:
    taus = {level.metric: level.tau for level in levels if level.consensus == consensus.name}
    return sorted(metrics, key=lambda source: (-(taus[source.name] or -2.0), source.name))


def _tags(study: Study) -> dict[str, Mapping[str, str]]:
    if study.config.privacy.texts != "full":
        return {}  # those that are left are there to compute by
    names = sorted({tag for case in study.cases for tag in case.tags})
    of = {name: {c.case: c.tags[name] for c in study.cases if name in c.tags} for name in names}
    return {n: values for n, values in of.items() if 1 < len(set(values.values())) <= _MOST_VALUES}

"""Everything that is computed from a study's scores and judgements, before anything is rendered."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal
from zlib import crc32

import numpy as np

from medassay.agreement import Agreement, agree, agree_on_preferences
from medassay.consensus import (
    PreferenceTally,
    consensus,
    find_method,
    source_name,
    tally_preferences,
)
from medassay.metrics import BoundMetric
from medassay.scores import ScoreTable
from medassay.study.folder import Study
from medassay.study.scoring import Progress, Scored
from medassay.validity import Direction, Leaderboard, Source, Validity, correlate, rank_systems

__all__ = [
    "ALL_CASES",
    "RANKING_CASES",
    "Column",
    "agreement_of",
    "columns_of",
    "consensus_of",
    "leaderboards_of",
    "preferences_of",
    "ranking_cases",
    "step_rng",
    "validity_of",
]

ALL_CASES: Final = "all cases"
RANKING_CASES: Final = "ranking cases"


@dataclass(frozen=True)
class Column:
    """A column of scores and what is known about it.

    Attributes:
        name: The source's canonical name.
        kind: Who made it.
        direction: Which way is better.
        metric: The metric, where it is one.
        dimension: The dimension, where it is a consensus.
        method: The consensus method, where it is one.
    """

    name: str
    kind: Literal["metric", "imported", "consensus"]
    direction: Direction
    metric: BoundMetric | None = None
    dimension: str | None = None
    method: str | None = None

    @property
    def control(self) -> bool:
        """Say whether it only controls the others: no value of it is better than another."""
        return self.direction == "none"


def step_rng(study: Study, step: str) -> np.random.Generator:
    """Give each step randomness of its own, so that it gives the same numbers run alone."""
    return np.random.default_rng([study.config.run.seed, crc32(step.encode())])


def ranking_cases(study: Study) -> tuple[str, ...]:
    """Give the cases that systems are ranked on, sorted."""
    if study.config.rules.rank_cases == "all":
        return study.cases.ids
    judged = study.judgements.current().select("system", "case").unique()
    counts = judged.group_by("case").len()
    enough = counts.filter(counts["len"] == len(study.systems))
    return tuple(sorted(enough["case"].to_list()))


def agreement_of(study: Study) -> list[tuple[str, Agreement]]:
    """Compute agreement over all cases and, where they differ, over the ranking cases."""
    subsets: list[tuple[str, tuple[str, ...] | None]] = [(ALL_CASES, None)]
    ranked = ranking_cases(study)
    if ranked != study.cases.ids:
        subsets.append((RANKING_CASES, ranked))
    return [
        (name, one)
        for name, cases in subsets
        for one in agree(
            study.judgements,
            cases=cases,
            rng=step_rng(study, f"agreement, {name}"),
            replicates=study.config.run.replicates,
        )
    ]


def preferences_of(study: Study) -> list[tuple[PreferenceTally, list[Agreement]]]:
    """Tally preferences, and how far raters agree on pairs that were compared more than once."""
    dimensions = sorted(study.preferences.current()["dimension"].unique())
    agreed = agree_on_preferences(
        study.preferences,
        rng=step_rng(study, "agreement on preferences"),
        replicates=study.config.run.replicates,
    )
    return [
        (
            tally_preferences(
                study.preferences,
                dimension,
                rng=step_rng(study, f"preferences, {dimension}"),
                replicates=study.config.run.replicates,
            ),
            [one for one in agreed if one.dimension == dimension],
        )
        for dimension in dimensions
    ]


def consensus_of(study: Study) -> ScoreTable:
    """Join the raters' labels by every method of the study."""
    pairs = [(system, case) for system in study.systems for case in study.cases.ids]
    known = bool(len(study.answers))
    return consensus(
        study.judgements,
        study.config.rules.consensus,
        expected=pairs,
        never_answered=[pair for pair in pairs if known and study.answers.get(*pair) is None],
        rng=step_rng(study, "consensus"),
    )


def columns_of(study: Study, scored: Scored, joined: ScoreTable) -> list[Column]:
    """List every column of scores: metrics, imported ones, and the consensus of each dimension."""
    columns = [
        Column(str(metric.name), "metric", _direction(metric), metric) for metric in scored.metrics
    ]
    for one in study.imported:
        columns += [Column(s, "imported", one.meaning.direction) for s in one.table.sources]
    for method in study.config.rules.consensus:
        for dimension in study.rubric.ids:
            name = str(source_name(method, dimension))
            if name in joined.sources:
                of = str(find_method(method)[1])
                columns.append(Column(name, "consensus", "higher", None, dimension, of))
    return columns


def leaderboards_of(
    study: Study, table: ScoreTable, columns: Sequence[Column], progress: Progress | None = None
) -> dict[str, Leaderboard]:
    """Rank the systems by each column, on the ranking cases."""
    sources = _sources(study, table, columns)
    boards = {}
    for done, (name, source) in enumerate(sources.items(), start=1):
        boards[name] = rank_systems(
            source,
            rng=step_rng(study, f"leaderboard, {name}"),
            replicates=study.config.run.replicates,
        )
        if progress is not None:
            progress("leaderboards", done, len(sources))
    return boards


def validity_of(study: Study, table: ScoreTable, columns: Sequence[Column]) -> list[Validity]:
    """Correlate every metric with every consensus, on the ranking cases."""
    sources = _sources(study, table, columns)
    metrics = [sources[column.name] for column in columns if column.kind != "consensus"]
    joined = [sources[column.name] for column in columns if column.kind == "consensus"]
    if not metrics or not joined:
        return []
    return correlate(
        metrics,
        joined,
        rng=step_rng(study, "validity"),
        families=study.families or None,
        replicates=study.config.run.replicates,
    )


def _sources(study: Study, table: ScoreTable, columns: Sequence[Column]) -> Mapping[str, Source]:
    cases = ranking_cases(study)
    return {
        column.name: Source(
            column.name, table.grid(column.name, study.systems, cases), column.direction
        )
        for column in columns
    }


def _direction(metric: BoundMetric) -> Direction:
    better: Direction = metric.declaration.direction.value
    return better

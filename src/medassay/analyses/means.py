"""Means over all cases, for the verbs that print one step alone."""

from collections.abc import Mapping
from typing import TypedDict

import numpy as np

from medassay.scores import Reason, ScoreTable
from medassay.stats import CaseAdjustment
from medassay.study.folder import Study
from medassay.study.scoring.score_study import Scored

__all__ = ["MeanScore", "consensus_means", "mean_scores", "within_scale"]


class MeanScore(TypedDict):
    """One system's mean of one column; the mean is None where nothing is scored.

    Adjusted is what it would be on all cases that any system has, where systems have different
    ones; None where all have the same, or no case links them.
    """

    metric: str
    system: str
    mean: float | None
    adjusted: float | None
    scored: int
    unscored: int
    why: str


def mean_scores(study: Study, scored: Scored) -> list[MeanScore]:
    """Give each system's mean of each metric, in the order of the metrics."""
    return [
        row
        for metric in scored.metrics
        for row in _of(study, scored.table, str(metric.name), metric.range)
    ]


def consensus_means(
    study: Study, table: ScoreTable, ends: Mapping[str, tuple[float, float] | None]
) -> list[MeanScore]:
    """Give each system's mean of each consensus.

    Args:
        study: The study.
        table: The scores of every consensus.
        ends: Each consensus's scale, where it has ends.
    """
    return [
        row
        for name in table.sources
        for row in _of(study, table, name, ends.get(name) or (None, None))
    ]


def within_scale(mean: float | None, low: float | None, high: float | None) -> float | None:
    """Cut a mean that an additive fit puts beyond the end of its scale.

    Example:
        >>> within_scale(1.01, 0.0, 1.0), within_scale(1.01, 0.0, None), within_scale(None, 0, 1)
        (1.0, 1.01, None)
    """
    if mean is None:
        return None
    mean = mean if low is None else max(mean, low)
    return mean if high is None else min(mean, high)


def _of(
    study: Study, table: ScoreTable, source: str, ends: tuple[float | None, float | None]
) -> list[MeanScore]:
    import polars as pl

    if source not in table.sources:
        return []
    # The score of an answer, not those of its criteria or statements beside it.
    frame = table.select(source).filter(pl.col("about") == "")
    grid = table.grid(source, study.systems, study.cases.ids)
    rows: list[MeanScore] = []
    adjusted = _adjusted(study, table, source)
    for place, system in enumerate(study.systems):
        of_case = grid.values[place][grid.known[place]]
        mine = frame.filter(pl.col("system") == system)
        values = mine["value"].drop_nulls()
        reasons = mine["reason"].drop_nulls().value_counts().sort("reason").rows()
        rows.append(
            {
                "metric": source,
                "system": system,
                "mean": float(of_case.mean()) if len(of_case) else None,
                "adjusted": within_scale(adjusted.get(system), *ends),
                "scored": len(values),
                "unscored": mine.height - len(values),
                "why": ", ".join(f"{count} {Reason(reason).words}" for reason, count in reasons),
            }
        )
    return rows


def _adjusted(study: Study, table: ScoreTable, source: str) -> dict[str, float]:
    grid = table.grid(source, study.systems, study.cases.ids)
    there = np.flatnonzero(grid.known.any(axis=1))
    adjustment = CaseAdjustment(grid.known[there])
    if adjustment.complete or not adjustment.linked:
        return {}
    means = adjustment.means(grid.values[None, there])[0].tolist()
    return {grid.systems[at]: mean for at, mean in zip(there.tolist(), means, strict=True)}

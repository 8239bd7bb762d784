"""Means over all cases, for the verbs that print one step alone."""

from typing import TypedDict

from medassay.scores import Reason, ScoreTable
from medassay.study.folder import Study
from medassay.study.scoring import Scored

__all__ = ["MeanScore", "consensus_means", "mean_scores"]


class MeanScore(TypedDict):
    """One system's mean of one column; the mean is None where nothing is scored."""

    metric: str
    system: str
    mean: float | None
    scored: int
    unscored: int
    why: str


def mean_scores(study: Study, scored: Scored) -> list[MeanScore]:
    """Give each system's mean of each metric, in the order of the metrics."""
    names = [str(metric.name) for metric in scored.metrics]
    return [row for name in names for row in _of(study, scored.table, name)]


def consensus_means(study: Study, table: ScoreTable) -> list[MeanScore]:
    """Give each system's mean of each consensus."""
    return [row for name in table.sources for row in _of(study, table, name)]


def _of(study: Study, table: ScoreTable, source: str) -> list[MeanScore]:
    import polars as pl

    if source not in table.sources:
        return []
    frame = table.select(source)
    rows: list[MeanScore] = []
    for system in study.systems:
        mine = frame.filter(pl.col("system") == system)
        values = mine["value"].drop_nulls()
        reasons = mine["reason"].drop_nulls().value_counts().sort("reason").rows()
        rows.append(
            {
                "metric": source,
                "system": system,
                "mean": float(values.to_numpy().mean()) if len(values) else None,
                "scored": len(values),
                "unscored": mine.height - len(values),
                "why": ", ".join(f"{count} {Reason(reason).words}" for reason, count in reasons),
            }
        )
    return rows

"""How many scores are of texts that a model could not read at once."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from medassay.analyses.results.metric import ShortenedResult
from medassay.analyses.score_columns import Column
from medassay.metrics import BoundMetric
from medassay.scores import ScoreTable

if TYPE_CHECKING:
    import polars as pl

__all__ = ["count_shortened", "shortened_results"]


def shortened_results(table: ScoreTable, columns: Sequence[Column]) -> list[ShortenedResult]:
    """Count for every metric of a run the texts cut and those read in windows."""
    return count_shortened(table, [c.metric for c in columns if c.metric is not None])


def count_shortened(table: ScoreTable, metrics: Sequence[BoundMetric]) -> list[ShortenedResult]:
    """Count the scores of long texts by what their parts say; metrics without any are left out.

    A part whose name ends in `_cut` counts what was not read; one in `_windows` the windows that a
    text was read in.
    """
    results = []
    for metric in metrics:
        name, parts = str(metric.name), metric.declaration.parts
        cut = [i for i, part in enumerate(parts) if part.endswith("_cut")]
        windows = [i for i, part in enumerate(parts) if part.endswith("_windows")]
        if not (cut or windows) or name not in table.sources:
            continue
        rows = table.select(name)
        shortened = ShortenedResult(
            metric=name,
            scored=int(rows["value"].count()),
            cut=_above(rows, cut, 0),
            in_windows=_above(rows, windows, 1),
        )
        if shortened.cut or shortened.in_windows:
            results.append(shortened)
    return results


def _above(rows: "pl.DataFrame", places: Sequence[int], bound: int) -> int:
    import polars as pl

    if not places:
        return 0
    above = (pl.col("parts").list.get(i, null_on_oob=True) > bound for i in places)
    return rows.filter(pl.any_horizontal(above)).height

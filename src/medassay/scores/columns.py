"""Scores laid out as columns, quickly: hundreds of thousands of small lists are slow to make."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from medassay.scores.score import Score, Unscored

if TYPE_CHECKING:
    import polars as pl

__all__ = ["score_columns"]


def score_columns(scores: Sequence[Score | Unscored]) -> "dict[str, pl.Series]":
    """Lay scores out as the columns value, reason, detail and parts.

    Example:
        >>> columns = score_columns([Score(0.5, (1.0, 2.0)), Score(1.0)])
        >>> columns["value"].to_list(), columns["parts"].to_list()
        ([0.5, 1.0], [[1.0, 2.0], []])
    """
    import polars as pl

    values = [score.value if isinstance(score, Score) else None for score in scores]
    reasons = [str(score.reason) if isinstance(score, Unscored) else None for score in scores]
    details = [score.detail if isinstance(score, Unscored) else None for score in scores]
    parts = [score.parts if isinstance(score, Score) else () for score in scores]
    return {
        "value": pl.Series("value", values, dtype=pl.Float64()),
        "reason": pl.Series("reason", reasons, dtype=pl.String()),
        "detail": pl.Series("detail", details, dtype=pl.String()),
        "parts": _lists(parts),
    }


def _lists(parts: Sequence[tuple[float, ...]]) -> "pl.Series":
    """Make a column of lists by way of one padded matrix, cut to each row's own length."""
    import polars as pl

    lengths = np.fromiter(map(len, parts), dtype=np.int64, count=len(parts))
    width = max(1, int(lengths.max(initial=0)))
    matrix = np.zeros((len(parts), width))
    for length in np.unique(lengths).tolist():
        rows = np.flatnonzero(lengths == length)
        if length and rows.size:
            matrix[rows, :length] = [parts[i] for i in rows.tolist()]
    padded = pl.Series("parts", matrix, dtype=pl.Array(pl.Float64(), width))
    frame = pl.DataFrame({"parts": padded, "length": lengths})
    cut = pl.col("parts").arr.to_list().list.head(pl.col("length"))
    return frame.select(cut)["parts"]

"""Scores laid out as columns, quickly: hundreds of thousands of small lists are slow to make."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from medassay.scores.score import Score, Unscored

if TYPE_CHECKING:
    import polars as pl

__all__ = ["ScoreColumns"]


class ScoreColumns(NamedTuple):
    """Scores as four lists side by side: small to hold, and quick to hand to another process.

    Attributes:
        value: The values; None where there is a reason instead.
        reason: The reasons; None where there is a value.
        detail: The words beside the reasons; None where there is a value.
        parts: The parts of the values, not all of one length; empty where there is a reason.

    Example:
        >>> columns = ScoreColumns.of([Score(0.5, (1.0, 2.0)), Score(1.0)])
        >>> columns.value, columns.parts
        ([0.5, 1.0], [(1.0, 2.0), ()])
    """

    value: list[float | None]
    reason: list[str | None]
    detail: list[str | None]
    parts: list[tuple[float, ...]]

    @classmethod
    def of(cls, scores: Sequence[Score | Unscored]) -> "ScoreColumns":
        """Lay scores out, in their order."""
        return cls(
            [score.value if isinstance(score, Score) else None for score in scores],
            [str(score.reason) if isinstance(score, Unscored) else None for score in scores],
            [score.detail if isinstance(score, Unscored) else None for score in scores],
            [score.parts if isinstance(score, Score) else () for score in scores],
        )

    def frame(self) -> "pl.DataFrame":
        """Give the columns as a data frame.

        Example:
            >>> frame = ScoreColumns.of([Score(0.5, (1.0, 2.0)), Score(1.0)]).frame()
            >>> frame["value"].to_list(), frame["parts"].to_list()
            ([0.5, 1.0], [[1.0, 2.0], []])
        """
        import polars as pl

        return pl.DataFrame(
            {
                "value": pl.Series("value", self.value, dtype=pl.Float64()),
                "reason": pl.Series("reason", self.reason, dtype=pl.String()),
                "detail": pl.Series("detail", self.detail, dtype=pl.String()),
                "parts": _lists(self.parts),
            }
        )


def _lists(parts: Sequence[tuple[float, ...]]) -> "pl.Series":
    """Make a column of lists by way of one padded matrix, cut to each row's own length."""
    import polars as pl

    if not any(parts):
        return _empty_lists(len(parts))
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


@lru_cache(maxsize=4)  # most metrics have no parts, and batches are of a few sizes
def _empty_lists(rows: int) -> "pl.Series":
    import polars as pl

    return pl.Series("parts", [[]] * rows, dtype=pl.List(pl.Float64()))

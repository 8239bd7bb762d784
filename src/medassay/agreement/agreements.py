"""What `agree` gives: a list that prints as a table."""

from functools import cached_property
from typing import TYPE_CHECKING

from medassay.agreement.on_units import Agreement
from medassay.surface import frame_html, frame_words

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Agreements"]


class Agreements(list[Agreement]):
    """Coefficients in the order of dimensions and readings, one an item."""

    @cached_property
    def frame(self) -> "pl.DataFrame":
        """The same as a frame of polars, a row a coefficient, numbers unrounded."""
        import polars as pl

        kinds = {
            "dimension": pl.String, "labels": pl.String, "coefficient": pl.String,
            "value": pl.Float64, "low": pl.Float64, "high": pl.Float64, "reason": pl.String,
            "answers": pl.Int64, "cases": pl.Int64, "raters": pl.Int64,
        }  # fmt: skip
        rows = [
            (
                row.dimension,
                row.mapping,
                row.coefficient,
                row.value,
                None if row.interval is None else row.interval.low,
                None if row.interval is None else row.interval.high,
                row.reason or None,
                row.n_units,
                row.n_cases,
                row.n_raters,
            )
            for row in self
        ]
        return pl.DataFrame(rows, schema=kinds, orient="row")

    def __repr__(self) -> str:
        """Print the first and last rows as a table."""
        return f"{frame_words('Agreements', self.frame, 'dimension')}\n{self.frame}"

    def _repr_html_(self) -> str:
        return frame_html(frame_words("Agreements", self.frame, "dimension"), self.frame)

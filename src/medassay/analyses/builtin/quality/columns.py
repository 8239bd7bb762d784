"""Which ways of joining labels share a column in a table of raters."""

from collections.abc import Sequence
from typing import NamedTuple

from medassay.consensus import RaterQuality

__all__ = ["QualityColumn", "quality_columns"]


class QualityColumn(NamedTuple):
    """Methods that give every rater the same number, and so share a column.

    Attributes:
        of: Method to its title; the first stands for all.
        meaning: What the number is.
        values: By (dimension, rater).
    """

    of: dict[str, str]
    meaning: str
    values: dict[tuple[str, str], RaterQuality]

    @property
    def method(self) -> str:
        """Give the first method."""
        return next(iter(self.of))


def quality_columns(rater_qualities: Sequence[RaterQuality]) -> list[QualityColumn]:
    """Lay out what methods make of raters: a column each, votes that read alike in one.

    Only numbers decide. Two fits of one model mean the same by their number and differ in it.
    """
    titles = {rater_quality.method: rater_quality.title for rater_quality in rater_qualities}
    columns: dict[tuple[str, tuple[float | None, ...]], QualityColumn] = {}
    for method, title in titles.items():
        own = {
            (rater_quality.dimension, rater_quality.rater): rater_quality
            for rater_quality in rater_qualities
            if rater_quality.method == method
        }
        meaning = next(iter(own.values())).meaning
        alike = meaning, tuple(rater_quality.quality for rater_quality in own.values())
        columns.setdefault(alike, QualityColumn({}, meaning, own)).of[method] = title
    return list(columns.values())

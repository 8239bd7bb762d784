"""Agreement of every two raters, over all pairs of them."""

from typing import Final

from medassay.marks import DesignName, Words, record

__all__ = ["DOCUMENTS", "OverPairs", "Pairwise"]

DOCUMENTS: Final = "relevance"
"""What stands in the place of a dimension where experts label documents, not answers."""


@record(infers=False)
class OverPairs:
    """A coefficient of agreement over every two raters.

    Attributes:
        dimension: The dimension, or `DOCUMENTS`.
        coefficient: Its canonical name.
        title: What a table calls it.
        pairs: How many pairs of raters.
        without_value: How many of them have no value.
        mean: Over the others, as are the ends; None where there are none.
        reason: Why pairs have no value.
    """

    dimension: DesignName
    coefficient: DesignName
    title: Words
    pairs: int
    without_value: int
    mean: float | None
    least: float | None
    most: float | None
    reason: Words


@record(infers=False)
class Pairwise:
    """Each dimension over all pairs of raters."""

    dimensions: tuple[OverPairs, ...]

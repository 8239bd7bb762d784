"""What counts as a tie between numbers that were added up."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from medassay.errors import InvalidInput, Problem

__all__ = ["TIE_TOLERANCE", "dense_ranks", "pair_index"]

TIE_TOLERANCE = 1e-12
"""Numbers closer than this share of their column's largest magnitude are equal.

Two means of the same numbers can differ in the last bit when they were added in another order. Such
a difference must never decide a rank.
"""


def dense_ranks(values: ArrayLike, *, scale: float | None = None) -> NDArray[np.intp]:
    """Number the distinct values from the smallest, 0, 1, 2, ...; ties share a number.

    Args:
        values: Shape (n,), finite.
        scale: The magnitude that the tolerance refers to, where it is not that of the values
            themselves (means near 0 of large numbers carry the rounding of the large numbers).

    Returns:
        Shape (n,).

    Raises:
        InvalidInput: A value is not finite.

    Example:
        >>> dense_ranks([0.3, 0.1 + 0.2, 0.1]).tolist()
        [1, 1, 0]
    """
    numbers = np.asarray(values, dtype=np.float64)
    if not np.isfinite(numbers).all():
        raise InvalidInput(Problem("values", "be finite", "NaN or infinity", "Leave them out."))
    if scale is None:
        scale = float(np.abs(numbers).max(initial=0.0))
    order = np.argsort(numbers, kind="stable")
    ranks = np.empty(numbers.size, dtype=np.intp)
    steps = np.diff(numbers[order]) > TIE_TOLERANCE * scale
    ranks[order] = np.concatenate([np.zeros(min(1, numbers.size), np.intp), np.cumsum(steps)])
    return ranks


def pair_index(n: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """List the pairs i < j of n things, row by row: the one order in which rooms name pairs.

    Example:
        >>> [side.tolist() for side in pair_index(3)]
        [[0, 0, 1], [1, 2, 2]]
    """
    first, second = np.triu_indices(n, k=1)
    return first, second

"""Ranks with ties, how far they move from resample to resample, and what a tie is."""

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from medassay.errors import InvalidInput, Problem

__all__ = ["TIE_TOLERANCE", "dense_ranks", "mean_ranks", "pair_index", "rank_ranges", "ranks"]

_CHUNK_CELLS: Final = 2_000_000
TIE_TOLERANCE = 1e-12
"""Numbers closer than this share of their column's largest magnitude are equal.

Two means of the same numbers can differ in the last bit when they were added in another order. Such
a difference must never decide a rank.
"""


def ranks(
    values: ArrayLike, *, higher_is_better: bool = True, decimals: int | None = None
) -> NDArray[np.intp]:
    """Number the places 1, 2, ...; ties share the best place: 1, 2, 2, 4.

    Args:
        values: Shape (n,), finite.
        higher_is_better: Whether the largest value takes place 1.
        decimals: Round to so many decimals first, as published tables do; None: as they are, with
            differences within 1e-12 of the largest magnitude tied.

    Example:
        >>> ranks([0.9, 0.71, 0.74, 0.1], decimals=1).tolist()
        [1, 2, 2, 4]
    """
    numbers = np.asarray(values, dtype=np.float64)
    places = dense_ranks(numbers if decimals is None else np.round(numbers, decimals))
    better = -places if higher_is_better else places
    taken: NDArray[np.intp] = 1 + (better[None, :] < better[:, None]).sum(axis=1)
    return taken


def mean_ranks(values: ArrayLike) -> NDArray[np.float64]:
    """Number values 1, 2, ... from the least; what is equal shares its mean place.

    Example:
        >>> mean_ranks([0.3, 0.1, 0.3]).tolist()
        [2.5, 1.0, 2.5]
    """
    _, place, times = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(times) - (times - 1) / 2)[place])


def rank_ranges(
    replicates: NDArray[np.float64],
    *,
    higher_is_better: bool = True,
    level: float = 0.95,
    step: float | None = None,
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Between which places does each system move from resample to resample?

    Ranks every replicate (ties share the best place) and takes the central share of the places,
    whole numbers. The range describes how stable the order is on cases like these; it is no test.

    Args:
        replicates: Values, shape (replicates, systems); NaN where a system has none in a
            replicate, which then counts neither for it nor against others.
        higher_is_better: Whether the largest value takes place 1.
        level: The share of replicates inside.
        step: Values no further apart are tied; 1e-12 of the largest magnitude if not given.

    Returns:
        Best and worst place, each of shape (systems,); 0 for a system that is never there.

    Example:
        >>> low, high = rank_ranges(np.array([[3.0, 2.0, 1.0], [2.0, 3.0, 1.0]]))
        >>> low.tolist(), high.tolist()
        ([1, 1, 3], [2, 2, 3])
    """
    count, systems = replicates.shape
    known = ~np.isnan(replicates)
    better = np.where(known, replicates if higher_is_better else -replicates, -np.inf)
    if step is None:
        step = TIE_TOLERANCE * float(np.abs(replicates[known]).max(initial=0.0))
    places = np.empty((count, systems), dtype=np.int32)
    chunk = max(1, _CHUNK_CELLS // max(1, systems))
    for start in range(0, count, chunk):
        part = better[start : start + chunk]
        for i in range(systems):
            ahead = (part > part[:, i, None] + step).sum(axis=1)
            places[start : start + chunk, i] = 1 + ahead
    low, high = np.zeros(systems, dtype=np.intp), np.zeros(systems, dtype=np.intp)
    tails = [(1 - level) / 2, (1 + level) / 2]
    for i in range(systems):
        seen = places[known[:, i], i]
        if seen.size:
            low[i], high[i] = np.quantile(seen, tails, method="closest_observation")
    return low, high


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

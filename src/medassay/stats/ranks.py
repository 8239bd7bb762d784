"""Ranks with ties, how far they move from resample to resample, and what a tie is."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.api_checks import ArrayLike
from medassay.errors import InvalidInput, Problem

__all__ = [
    "AT_ONCE_FROM",
    "TIE_TOLERANCE",
    "dense_ranks",
    "mean_ranks",
    "pair_index",
    "rank_ranges",
    "rank_sets",
    "ranks",
]

AT_ONCE_FROM: Final = 12
"""From so many systems on ranges of ranks hold at once (`rank_sets`)."""

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


def rank_sets(
    differences: ArrayLike,
    apart: ArrayLike,
    places: ArrayLike,
    *,
    higher_is_better: bool = True,
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Which places can each system have, so that what is said of all of them holds at once?

    From 1 + #{systems shown to be better} to n − #{systems shown to be worse}. Where the tests of
    all pairs set two systems apart, the right way round, with no error but in 5% of studies, all
    sets hold their system's place at once in the other 95%. The place is that of the true means;
    of systems with one mean it is any place that they share.

    Args:
        differences: Mean of the first less that of the other, for each pair in the order of
            `pair_index`.
        apart: Whether the tests of all pairs set that pair apart.
        places: Each system's place as printed, shape (systems,); a set is widened to hold it.
        higher_is_better: Whether the largest mean takes place 1.

    Returns:
        Best and worst place, each of shape (systems,).

    Source: Mogstad, Romano, Shaikh & Wilhelm (2024), doi:10.1093/restud/rdad006.

    Example:
        >>> low, high = rank_sets([0.1, 0.9, 0.8], [False, True, False], [1, 2, 3])
        >>> low.tolist(), high.tolist()
        ([1, 1, 2], [2, 3, 3])
    """
    rank = np.asarray(places, dtype=np.intp)
    told = np.asarray(apart, dtype=np.bool_)
    first_ahead = (np.asarray(differences, dtype=np.float64) > 0) == higher_is_better
    first, second = pair_index(len(rank))
    better = np.where(first_ahead, first, second)[told]
    worse = np.where(first_ahead, second, first)[told]
    low = 1 + np.bincount(worse, minlength=len(rank))
    high = len(rank) - np.bincount(better, minlength=len(rank))
    return np.minimum(low, rank), np.maximum(high, rank)

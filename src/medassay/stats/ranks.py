"""Ranks with ties, and how far they move from resample to resample."""

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from medassay.stats.ties import TIE_TOLERANCE, dense_ranks

__all__ = ["mean_ranks", "rank_ranges", "ranks"]

_CHUNK_CELLS: Final = 2_000_000


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

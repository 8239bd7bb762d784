"""Sentinels: columns that know nothing of what an answer says, and what they would reach."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.scores import Grid
from medassay.stats import pair_index
from medassay.stats.randomness import Rng, as_generator
from medassay.validity.source import Source

__all__ = ["NOISE", "constant_sentinel", "noise_bar", "noise_sentinel"]

NOISE: Final = "noise"
_ORDERS: Final = 20_000
_CHUNK_CELLS: Final = 1_000_000


def noise_bar(ranks: NDArray[np.intp], candidates: int, *, rng: Rng, level: float = 0.95) -> float:
    """What tau does the best of so many metrics reach that order the systems at random?

    The value that the best of `candidates` random orders stays below in a share of `level` of all
    draws: the quantile of one order's tau-b at level^(1 / candidates), the raters' ties kept.

    Args:
        ranks: The raters' ranks of the systems, ties sharing one.
        candidates: How many metrics one could pick from.
        rng: The source of randomness.
        level: The share.

    Example:
        >>> round(noise_bar(np.arange(28), 26, rng=np.random.default_rng(1)), 2)
        0.38
    """
    rng = as_generator(rng)
    first, second = pair_index(ranks.size)
    theirs = np.sign(ranks[first] - ranks[second]).astype(np.float32)
    orders = rng.random((_ORDERS, ranks.size))
    agreed = np.empty(_ORDERS)
    chunk = max(1, _CHUNK_CELLS // max(1, first.size))
    signs = np.empty((first.size, chunk), dtype=np.float32)
    for start in range(0, _ORDERS, chunk):
        part = np.ascontiguousarray(orders[start : start + chunk].T)
        drawn, row = signs[:, : part.shape[1]], 0
        for i in range(len(part) - 1):
            stop = row + len(part) - 1 - i
            above, below = part[i] > part[i + 1 :], part[i] < part[i + 1 :]
            np.subtract(above.view(np.int8), below.view(np.int8), out=drawn[row:stop])
            row = stop
        agreed[start : start + chunk] = theirs @ drawn  # whole numbers: exact however chunked
    taus = agreed / np.sqrt(first.size * np.count_nonzero(theirs))
    return float(np.quantile(taus, level ** (1 / max(1, candidates)), method="higher"))


def noise_sentinel(like: Grid, rng: Rng) -> Source:
    """Draw a score for every known answer from the normal distribution."""
    rng = as_generator(rng)
    values = np.where(like.known, rng.normal(size=like.values.shape), 0.0)
    return Source(NOISE, Grid(like.systems, like.cases, values, like.known))


def constant_sentinel(like: Grid) -> Source:
    """Give every known answer the same score."""
    values = np.where(like.known, 1.0, 0.0)
    return Source("constant", Grid(like.systems, like.cases, values, like.known))

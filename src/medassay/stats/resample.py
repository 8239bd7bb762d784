"""Draw resamples as counts: how often each unit occurs in each replicate.

Counts turn a bootstrap of means into one matrix product, and the same counts serve every metric, so
that replicates stay paired across them.
"""

from collections.abc import Hashable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats.clusters import cluster_index
from medassay.stats.seeding import Rng, as_generator

__all__ = ["bootstrap_counts"]

_AT_ONCE: Final = 1 << 16
"""Draws that are counted together: few enough for a processor's nearest memory."""


def bootstrap_counts(
    n: int,
    replicates: int,
    rng: Rng,
    clusters: Sequence[Hashable] | NDArray[np.intp] | None = None,
) -> NDArray[np.float64]:
    """Count how often each of n units is drawn, with replacement, in each replicate.

    Args:
        n: Number of units (cases, or systems).
        replicates: Number of replicates.
        rng: The source of randomness.
        clusters: For each unit the cluster it belongs to. Whole clusters are drawn then, as many as
            there are; the units of one cluster always have the same count.

    Returns:
        float64, shape (replicates, n); without clusters every row sums to n.

    Example:
        >>> counts = bootstrap_counts(3, 2, np.random.default_rng(1))
        >>> counts.sum(axis=1).tolist()
        [3.0, 3.0]
        >>> bootstrap_counts(3, 1, np.random.default_rng(1), clusters=["a", "a", "b"]).tolist()
        [[1.0, 1.0, 1.0]]
    """
    rng = as_generator(rng)
    of_unit = cluster_index(clusters, n)
    size = int(of_unit.max(initial=-1)) + 1
    times = np.zeros((replicates, size))
    rows = max(1, _AT_ONCE // max(size, 1))
    for start in range(0, replicates if size else 0, rows):
        drawn = rng.integers(size, size=(min(rows, replicates - start), size))
        drawn += size * np.arange(len(drawn))[:, None]
        counted = np.bincount(drawn.ravel(), minlength=drawn.size)
        times[start : start + rows] = counted.reshape(drawn.shape)
    # Unit by unit in memory either way: sums over units add up in one order, to the last bit.
    return np.asfortranarray(times) if size == n else times[:, of_unit]

"""Draw resamples as counts: how often each unit occurs in each replicate.

Counts turn a bootstrap of means into one matrix product, and the same counts serve every metric, so
that replicates stay paired across them.
"""

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from medassay.stats.clusters import cluster_index

__all__ = ["bootstrap_counts"]


def bootstrap_counts(
    n: int,
    replicates: int,
    rng: np.random.Generator,
    clusters: Sequence[Hashable] | None = None,
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
    of_unit = cluster_index(clusters, n)
    size = int(of_unit.max(initial=-1)) + 1
    drawn = rng.integers(size, size=(replicates, size)) if size else np.empty((replicates, 0), int)
    drawn += size * np.arange(replicates)[:, None]
    times = np.bincount(drawn.ravel(), minlength=replicates * size).reshape(replicates, size)
    counts: NDArray[np.float64] = times[:, of_unit].astype(np.float64)
    return counts

"""One point a family: variants of one pipeline are one system."""

import numpy as np
from numpy.typing import NDArray

from medassay.stats.clusters import cluster_index

__all__ = ["family_means"]

Floats = NDArray[np.float64]


def family_means(means: Floats, labels: list[tuple[bool, str]]) -> Floats:
    """Give the mean of each family's system means.

    Args:
        means: Shape (sources, systems).
        labels: The family of each system, as `stats.group_labels` gives it.

    Returns:
        Shape (sources, families).
    """
    index = cluster_index(labels, means.shape[1])
    count = np.bincount(index)
    return np.array([np.bincount(index, weights=row) / count for row in means])

"""Which units belong together."""

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from medassay.errors import InvalidInput, Problem

__all__ = ["cluster_index"]


def cluster_index(clusters: Sequence[Hashable] | None, n: int) -> NDArray[np.intp]:
    """Number the cluster of each of n units, in order of first appearance.

    Args:
        clusters: For each unit the label of its cluster; None: every unit is its own.
        n: Number of units.

    Raises:
        InvalidInput: There are not n labels.

    Example:
        >>> cluster_index(["b", "a", "b"], 3).tolist()
        [0, 1, 0]
    """
    if clusters is None:
        return np.arange(n)
    if len(clusters) != n:
        raise InvalidInput(
            Problem("clusters", f"name {n} clusters, one a unit", f"{len(clusters)}")
        )
    position = {label: i for i, label in enumerate(dict.fromkeys(clusters))}
    return np.fromiter((position[label] for label in clusters), dtype=np.intp, count=n)

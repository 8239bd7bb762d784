"""Which units belong together."""

from collections.abc import Hashable, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from medassay.errors import InvalidInput, Problem

__all__ = ["cluster_index", "group_labels", "sums_by_cluster"]


def cluster_index(
    clusters: Sequence[Hashable] | NDArray[np.intp] | None, n: int
) -> NDArray[np.intp]:
    """Number the cluster of each of n units, in order of first appearance.

    Args:
        clusters: For each unit the label of its cluster; None: every unit is its own.
        n: Number of units.

    Raises:
        InvalidInput: There are not n labels.

    Example:
        >>> cluster_index(["b", "a", "b"], 3).tolist()
        [0, 1, 0]
        >>> cluster_index(np.array([5, 3, 5]), 3).tolist()
        [0, 1, 0]
    """
    if clusters is None:
        return np.arange(n)
    if len(clusters) != n:
        raise InvalidInput(
            Problem("clusters", f"name {n} clusters, one a unit", f"{len(clusters)}")
        )
    if isinstance(clusters, np.ndarray):  # numbers by the million, such as an index made before
        _, first, of_label = np.unique(clusters, return_index=True, return_inverse=True)
        rank = np.empty(len(first), dtype=np.intp)
        rank[np.argsort(first)] = np.arange(len(first))
        return rank[of_label]
    labels = dict.fromkeys(clusters)
    if len(labels) == n:
        return np.arange(n)
    position = {label: i for i, label in enumerate(labels)}
    return np.fromiter((position[label] for label in clusters), dtype=np.intp, count=n)


def sums_by_cluster(
    values: NDArray[np.float64], clusters: Sequence[Hashable] | None
) -> NDArray[np.float64]:
    """Add up each row within clusters, in one fixed order, so that no bit depends on the machine.

    Args:
        values: Shape (rows, units).
        clusters: For each unit the label of its cluster; None: every unit is its own.

    Returns:
        Shape (rows, clusters), clusters in order of first appearance.

    Example:
        >>> sums_by_cluster(np.array([[1.0, 2.0, 3.0]]), ["b", "a", "b"]).tolist()
        [[4.0, 2.0]]
    """
    if clusters is None:
        return values
    index = cluster_index(clusters, values.shape[1])
    order = np.argsort(index, kind="stable")
    starts = np.flatnonzero(np.diff(index[order], prepend=-1))
    sums: NDArray[np.float64] = np.add.reduceat(values[:, order], starts, axis=1)
    return sums


def group_labels(
    members: Iterable[str], group_of: Mapping[str, str] | None
) -> list[tuple[bool, str]]:
    """Name the group of each member, such as the cluster of a case; whoever has none is one alone.

    Example:
        >>> group_labels(("a", "b"), {"a": "b"})
        [(True, 'b'), (False, 'b')]
    """
    named = {} if group_of is None else group_of
    return [(member in named, named.get(member, member)) for member in members]

"""Which units belong together, and the error of a mean over clusters of unequal size."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.errors import InvalidInput, Problem

__all__ = [
    "LEAST_FREEDOM",
    "bias_reduced",
    "blown_up",
    "cluster_index",
    "group_labels",
    "sums_by_cluster",
    "too_unequal",
]

LEAST_FREEDOM: Final = 4.0
"""Below so many degrees of freedom the approximation is not reliable (Pustejovsky, Tipton)."""


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


def bias_reduced(
    sums: NDArray[np.float64], sizes: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Take the CR2 standard error of each row's mean, and its Satterthwaite degrees of freedom.

    A large cluster pulls the mean to itself, so that its residuals look too small. With h_c the
    share of units in cluster c and e_c the sum of its residuals, SE² = (1/n²) Σ_c e_c²/(1 − h_c).
    Were units independent, its degrees of freedom were 1/(Σ_c h_c² + Σ_{c≠d} h_c² h_d²/((1 − h_c)(1
    − h_d))). With C equal clusters this is the usual C/(C − 1), on C − 1 degrees.

    Args:
        sums: Sums of residuals by cluster, shape (rows, clusters).
        sizes: How many units each cluster has in each row, the same shape; two clusters of a row at
            least have some, else its error and its degrees are NaN.

    Source: Bell and McCaffrey (2002), Survey Methodology 28(2); Pustejovsky and Tipton (2018),
        doi:10.1080/07350015.2016.1247004.

    Example:
        >>> error, freedom = bias_reduced(np.array([[3.0, -3.0, 0.0]]), np.array([[2.0, 2.0, 2.0]]))
        >>> error.round(4).tolist(), freedom.round(4).tolist()  # sqrt(18 · 3/2)/6
        ([0.866], [2.0])
    """
    with np.errstate(invalid="ignore", divide="ignore"):  # NaN is the mark of "no value" here
        n = sizes.sum(axis=1)
        share = sizes / n[:, None]
        error = np.sqrt((sums**2 / (1 - share)).sum(axis=1)) / n
        pulled = share**2 / (1 - share)
        across = pulled.sum(axis=1) ** 2 - (pulled**2).sum(axis=1)
        return error, 1 / ((share**2).sum(axis=1) + across)


def blown_up(
    sums: NDArray[np.float64], sizes: NDArray[np.float64]
) -> tuple[NDArray[np.float64], float]:
    """Undo how far each cluster pulls one mean to itself, and give the mean's degrees of freedom.

    Sums of residuals e_c become e_c/√(1 − h_c), so that their squares add up to those of
    `bias_reduced`: for a difference of two means, of which each has shares h of its own, what a
    cluster adds to both is blown up apart and then added.

    Args:
        sums: Sums of residuals by cluster, shape (clusters,).
        sizes: How much each cluster weighs, the same shape; 0 where it holds nothing.

    Returns:
        The sums; degrees of freedom, 0 where one cluster holds all.

    Example:
        >>> sums, freedom = blown_up(np.array([3.0, -3.0, 0.0]), np.array([2.0, 2.0, 2.0]))
        >>> sums.round(4).tolist(), round(freedom, 4)  # 3 · sqrt(3/2)
        ([3.6742, -3.6742, 0.0], 2.0)
    """
    if (sizes > 0).sum() < 2:  # noqa: PLR2004 - one cluster has no spread
        return np.zeros_like(sums), 0.0
    [freedom] = bias_reduced(sums[None], sizes[None])[1].tolist()
    return np.asarray(sums / np.sqrt(1 - sizes / sizes.sum()), dtype=np.float64), float(freedom)


def too_unequal(sizes: NDArray[np.float64], freedom: float) -> str:
    """Say why these clusters show no interval; empty where they do.

    Clusters of one size have C − 1 degrees of freedom exactly, however few they are.

    Example:
        >>> too_unequal(np.array([60.0, *[4.0] * 9]), 2.27).partition(":")[0]
        'the 10 clusters are too few or too unequal (60 of 96 cases in one)'
    """
    if freedom >= LEAST_FREEDOM or (sizes == sizes[0]).all():
        return ""
    return (
        f"the {len(sizes)} clusters are too few or too unequal ({sizes.max():.0f} of "
        f"{sizes.sum():.0f} cases in one): {freedom:.1f} degrees of freedom, and under "
        f"{LEAST_FREEDOM:.0f} an interval cannot be trusted"
    )

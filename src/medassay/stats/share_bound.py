"""At most which share, where units come in clusters that may be unequal, and alike inside?"""

from collections.abc import Hashable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats.clusters import cluster_index
from medassay.stats.standard_error import moments

__all__ = ["few_clusters", "share_bounds"]

_ENOUGH_TO_SHOW: Final = 5  # clusters with a hit, as in `moments`: fewer show no spread
_MOST_OF_ONE: Final = 0.2
"""A cluster that holds a larger part of the units is said beside the bound."""


def share_bounds(
    hits: NDArray[np.bool_], clusters: Sequence[Hashable] | None, tail: float
) -> NDArray[np.float64]:
    """Bound each row's share of hits from above, for the clusters' own mix of sizes.

    The Clopper-Pearson bound for p̂n* hits of n* (Korn and Graubard). Were all units of a cluster
    alike, the units were worth n° = n²/Σ m² for clusters of m. n* is n°, until five clusters hold a
    hit; from then on p̂(1 − p̂)/SE² · (t_{n−1}/t_ν)², but at least n° and at most n, where ν are the
    error's degrees of freedom, and at most one less than the clusters with a hit.

    Large clusters may be hit more often than small ones, and seldom. Where fewer than five of the
    clusters of at least some size hold a hit, those of them without any, W of all units and worth
    n° by themselves, could have hits with W(1 − tail^{1/n°}): the bound is at least p̂ and that.

    Args:
        hits: Shape (rows, units).
        clusters: For each unit the label of its cluster; None: every unit is its own, and the bound
            is exact.
        tail: The chance that the share lies above the bound, at most.

    Source: Korn & Graubard (1998), Survey Methodology 24, 193-201; Clopper & Pearson (1934),
        doi:10.1093/biomet/26.4.404. How often it is wrong: simulations/harm-clusters.md.

    Example:
        >>> hits = np.array([[True] * 5 + [False] * 45])  # all of them in one of ten clusters
        >>> labels = [unit // 5 for unit in range(50)]
        >>> [float(share_bounds(hits, at, 0.05)[0].round(3)) for at in (None, labels)]
        [0.199, 0.394]
    """
    from scipy.special import betaincinv, stdtrit

    index = cluster_index(clusters, hits.shape[1])
    sizes = np.bincount(index).astype(np.float64)
    n = float(index.size)
    by_cluster = np.zeros((len(hits), sizes.size))
    np.add.at(by_cluster.T, index, hits.T)
    struck = by_cluster > 0
    share = by_cluster.sum(axis=1) / n
    worth = np.full(len(hits), n)
    unseen = np.zeros(len(hits))
    if sizes.size < n:
        alike = n**2 / (sizes**2).sum()
        known = np.ones(hits.shape, dtype=np.bool_)
        error = moments(hits.astype(np.float64), known, index.tolist())
        n_struck = struck.sum(axis=1)
        freedom = np.minimum(error.freedom, np.maximum(n_struck - 1, 1))
        with np.errstate(invalid="ignore", divide="ignore"):  # of few clusters nothing is read
            ratio = stdtrit(n - 1, 1 - tail) / stdtrit(freedom, 1 - tail)
            korn = share * (1 - share) / error.clumped_error**2 * ratio**2
        shown = (n_struck >= _ENOUGH_TO_SHOW) & np.isfinite(korn)
        worth = np.where(shown, np.clip(korn, alike, n), alike)
        unseen = _unseen(struck, sizes, tail)
    k = share * worth
    with np.errstate(invalid="ignore"):
        upper = np.where(share < 1, betaincinv(k + 1, worth - k, 1 - tail), 1.0)
    bounds: NDArray[np.float64] = np.minimum(np.maximum(upper, share + unseen), 1.0)
    return bounds


def few_clusters(clusters: Sequence[Hashable] | None, n: int) -> str:
    """Say that one cluster holds over a fifth of the answers; empty where none does.

    Example:
        >>> few_clusters(["a", "a", *"bcdef"], 7)
        'one of 6 clusters holds 2 of the 7 answers, so the bound rests on few clusters'
    """
    sizes = np.bincount(cluster_index(clusters, n))
    if sizes.size in {0, n} or sizes.max() <= _MOST_OF_ONE * n:
        return ""
    if sizes.size == 1:
        return f"all {n:,} answers are of one cluster, so the bound rests on that cluster"
    return (
        f"one of {sizes.size:,} clusters holds {sizes.max():,} of the {n:,} answers, so the bound "
        "rests on few clusters"
    )


def _unseen(
    struck: NDArray[np.bool_], sizes: NDArray[np.float64], tail: float
) -> NDArray[np.float64]:
    """Give the share that the large clusters without a hit could add, for each row."""
    unseen = np.zeros(len(struck))
    for least in np.unique(sizes):
        large = sizes >= least
        without = (large & ~struck) * sizes
        units = without.sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            could = units / sizes.sum() * (1 - tail ** ((without**2).sum(axis=1) / units**2))
        few = (struck[:, large].sum(axis=1) < _ENOUGH_TO_SHOW) & (units > 0)
        unseen = np.where(few, np.maximum(unseen, could), unseen)
    return unseen

"""An interval for a share whose units come in clusters."""

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from medassay.stats.intervals import Interval
from medassay.stats.standard_error import moments

__all__ = ["clustered_share"]


def clustered_share(
    hits: NDArray[np.bool_],
    clusters: Sequence[Hashable] | None,
    *,
    estimand: str,
    level: float = 0.95,
) -> tuple[Interval | None, str]:
    """Which shares are compatible with these hits, where units of one cluster are alike?

    The Clopper-Pearson interval of p̂n* hits of n*, n* = p̂(1 − p̂)/SE² · (t_{n−1}/t_ν)² and never
    more than n, with the error over the C clusters and its degrees of freedom ν: C − 1 for clusters
    of one size, fewer where they differ (`moments`). Where all units are hits, or none is, no error
    can be seen, and n* is the number of clusters. Where of five clusters or more fewer than five
    hold a hit, or a unit that is none, SE is never less than that of clusters whose units are all
    alike: what is rare may come in clumps. Where every unit is a cluster, n* = n.

    Args:
        hits: Shape (units,).
        clusters: For each unit the label of its cluster; None: every unit is its own.
        estimand: What it is an interval for.
        level: Nominal coverage.

    Returns:
        The interval, or None and why there is none.

    Source: Korn & Graubard (1998), Confidence intervals for proportions with small expected number
    of positive counts estimated from survey data, Survey Methodology 24, 193-201.

    Example:
        >>> hits = np.array([True, True, False, False, False, False])
        >>> for clusters in (None, ["a", "a", "b", "b", "c", "c"]):
        ...     interval, _ = clustered_share(hits, clusters, estimand="an example")
        ...     print(f"{interval.low:.3f} to {interval.high:.3f}")
        0.043 to 0.777
        0.000 to 1.000
    """
    from scipy.special import betaincinv, stdtrit

    estimates = moments(
        hits[None, :].astype(np.float64), np.ones((1, hits.size), dtype=bool), clusters
    )
    n, groups, share = (
        int(estimates.n[0]),
        int(estimates.clusters[0]),
        float(estimates.mean[0]),
    )
    if n == 0:
        return None, "nothing is known here"
    if groups == 1:
        return None, f"one {'value' if n == 1 else 'cluster'} shows no spread"
    tail = (1 - level) / 2
    if groups == n:
        size = float(n)
    elif bool(estimates.flat[0]):
        size = float(groups)
    else:
        freedom = float(estimates.freedom[0])
        ratio = stdtrit(n - 1, 1 - tail) / stdtrit(freedom, 1 - tail)
        error = float(estimates.clumped_error[0])
        size = n if error == 0 else min(n, share * (1 - share) / error**2 * ratio**2)
    k = share * size
    low = 0.0 if share == 0 else float(betaincinv(k, size - k + 1, tail))
    high = 1.0 if share == 1 else float(betaincinv(k + 1, size - k, 1 - tail))
    method = "Clopper-Pearson" if groups == n else "Korn-Graubard over clusters"
    return Interval(low, high, level, method, estimand), ""

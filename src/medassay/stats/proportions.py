"""Intervals for a share, and how well a score finds bad answers: areas, precision and recall."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from medassay.errors import InvalidInput, Problem
from medassay.stats.intervals import Interval
from medassay.stats.means import moments


def wilson(successes: int, n: int, *, estimand: str, level: float = 0.95) -> Interval:
    """Which shares are compatible with k of n, near the nominal coverage on average?

    The shares whose score test does not reject k: (p̂ + z²/2n ± z √(p̂(1 − p̂)/n + z²/4n²)) /
    (1 + z²/n).

    Source: Wilson (1927), doi:10.1080/01621459.1927.10502953.

    Example:
        >>> interval = wilson(8, 10, estimand="an example")
        >>> round(interval.low, 4), round(interval.high, 4)
        (0.4902, 0.9433)
    """
    from scipy.special import ndtri

    _check(successes, n)
    z = float(ndtri((1 + level) / 2))
    share, square = successes / n, z * z
    centre = (share + square / (2 * n)) / (1 + square / n)
    half = z * (share * (1 - share) / n + square / (4 * n * n)) ** 0.5 / (1 + square / n)
    low = 0.0 if successes == 0 else centre - half
    high = 1.0 if successes == n else centre + half
    return Interval(low, high, level, "Wilson", estimand)


def clopper_pearson(successes: int, n: int, *, estimand: str, level: float = 0.95) -> Interval:
    """Which shares are compatible with k of n, with at least the nominal coverage always?

    The shares that neither one-sided exact binomial test rejects at (1 − level)/2: quantiles of
    Beta(k, n − k + 1) and Beta(k + 1, n − k). For "at most x at 95%, one-sided", ask for level 0.9
    and read the upper bound.

    Source: Clopper & Pearson (1934), doi:10.1093/biomet/26.4.404.

    Example:
        >>> none_of_fifty = clopper_pearson(0, 50, estimand="an example", level=0.9)
        >>> none_of_fifty.low, round(none_of_fifty.high, 4)  # at most 5.8%, one-sided 95%
        (0.0, 0.0582)
    """
    from scipy.special import betaincinv

    _check(successes, n)
    tail = (1 - level) / 2
    low = 0.0 if successes == 0 else float(betaincinv(successes, n - successes + 1, tail))
    high = 1.0 if successes == n else float(betaincinv(successes + 1, n - successes, 1 - tail))
    return Interval(low, high, level, "Clopper-Pearson", estimand)


def _check(successes: int, n: int) -> None:
    if n < 1 or not 0 <= successes <= n:
        raise InvalidInput(
            Problem("successes", "lie between 0 and n, with n at least 1", f"{successes} of {n}")
        )


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


Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Areas:
    """One value for each row of weights.

    Attributes:
        auroc: Shape (rows,); NaN where a row has only one kind.
        auprc: The same.
    """

    auroc: Floats
    auprc: Floats


def detection_areas(suspicion: Floats, bad: NDArray[np.bool_], weights: Floats) -> Areas:
    """How well does a score put the bad answers first?

    AUROC: how often a bad answer is more suspicious than a good one, ties counting half. 1: always;
    ½: as a coin would; 0: never. AUPRC (average precision): Σ (R_t − R_{t−1}) P_t over thresholds
    from the most suspicious down; chance reaches the share of bad answers, so where few are bad it
    says more than AUROC does.

    Args:
        suspicion: Shape (answers,); higher is more suspicious.
        bad: Shape (answers,).
        weights: How often each answer counts, shape (rows, answers): ones, or bootstrap counts.

    Source: Hanley & McNeil (1982), doi:10.1148/radiology.143.1.7063747; Saito & Rehmsmeier (2015),
        doi:10.1371/journal.pone.0118432.

    Example:
        >>> bad = np.array([True, False, True, False])
        >>> found = detection_areas(np.array([0.9, 0.8, 0.7, 0.1]), bad, np.ones((1, 4)))
        >>> found.auroc.tolist(), [round(v, 3) for v in found.auprc.tolist()]
        ([0.75], [0.833])
    """
    order = np.argsort(-suspicion, kind="stable")
    ranked = suspicion[order]
    starts = np.flatnonzero(np.concatenate([[True], np.diff(ranked) != 0]))
    drawn = weights[:, order]
    flags = bad[order]
    hits = np.add.reduceat(drawn * flags, starts, axis=1)
    misses = np.add.reduceat(drawn * ~flags, starts, axis=1)
    caught, wrong = np.cumsum(hits, axis=1), np.cumsum(misses, axis=1)
    positives, negatives = caught[:, -1], wrong[:, -1]
    with np.errstate(invalid="ignore", divide="ignore"):  # one kind alone: NaN marks it
        above = hits * (negatives[:, None] - wrong + misses / 2)
        auroc = above.sum(axis=1) / (positives * negatives)
        precision = np.where(caught > 0, caught / (caught + wrong), 0.0)
        auprc = (hits * precision).sum(axis=1) / positives
    auprc[np.isnan(auroc)] = np.nan
    return Areas(auroc, auprc)


def at_threshold(
    suspicion: Floats, bad: NDArray[np.bool_], threshold: float
) -> tuple[float | None, float | None, int]:
    """Of the answers flagged, how many are bad; of the bad ones, how many are flagged?

    Args:
        suspicion: Shape (answers,).
        bad: Shape (answers,).
        threshold: Answers more suspicious than this are flagged.

    Returns:
        Precision (None where nothing is flagged), recall (None where nothing is bad), flagged.

    Example:
        >>> at_threshold(np.array([0.9, 0.8, 0.1]), np.array([True, False, True]), 0.5)
        (0.5, 0.5, 2)
    """
    flagged = suspicion > threshold
    right = int((flagged & bad).sum())
    many, wanted = int(flagged.sum()), int(bad.sum())
    return (right / many if many else None), (right / wanted if wanted else None), many

"""Means with their standard errors, where units come in clusters."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats.clusters import sums_by_cluster
from medassay.stats.intervals import Interval
from medassay.stats.ties import TIE_TOLERANCE
from medassay.stats.unequal_clusters import bias_reduced

__all__ = ["Moments", "moments", "t_intervals"]


_ENOUGH_TO_SHOW: Final = 5  # clusters; of 3, 5, 8 and 10 the fewest that held: see the design page


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """What a t interval needs, one entry a row.

    Attributes:
        mean: NaN where nothing is known.
        error: Standard error of the mean; NaN with fewer than two clusters.
        n: Number of known units.
        freedom: Degrees of freedom of the error: one less than the clusters where these are of one
            size, Satterthwaite's where they are not; NaN with fewer than two.
        clusters: Number of clusters that hold a known unit.
        flat: Whether all known values are equal.
        even: Whether all clusters have the same mean; the error is 0 then, and shows nothing.
        clumped_error: The error on a scale with two ends, where what is rare may come in clumps:
            where of five clusters or more fewer than five hold a value above the smallest one, or
            below the largest, they cannot show how alike their units are. It is that of clusters
            whose units are all alike then, √(s²/C), where that is larger.
    """

    mean: NDArray[np.float64]
    error: NDArray[np.float64]
    freedom: NDArray[np.float64]
    n: NDArray[np.int64]
    clusters: NDArray[np.int64]
    flat: NDArray[np.bool_]
    even: NDArray[np.bool_]
    clumped_error: NDArray[np.float64]


def moments(
    values: NDArray[np.float64],
    known: NDArray[np.bool_],
    clusters: Sequence[Hashable] | None = None,
) -> Moments:
    """Take the mean of each row and its standard error, clusters being the independent units.

    SE² = (1/n²) Σ_c (Σ_{k∈c} (d_k − d̄))² · C/(C − 1), over the C clusters with a known unit, on C −
    1 degrees of freedom. With every unit its own cluster this is the usual s²/n. Where clusters
    differ in size, a large one pulls the mean to itself: there it is the bias-reduced error with
    Satterthwaite degrees of freedom (`bias_reduced`), simulations/unequal-clusters.md.

    Args:
        values: Shape (rows, units).
        known: The same shape; values are read where it is True.
        clusters: For each unit the label of its cluster.

    Source: Miller (2024), Adding error bars to evals, arXiv:2411.00640; Bell and McCaffrey (2002),
        Survey Methodology 28(2).

    Example:
        >>> row = np.array([[1.0, 2.0, 3.0]])
        >>> these = moments(row, np.ones((1, 3), dtype=bool))
        >>> these.mean.tolist(), these.error.round(4).tolist()  # s²/n = 1/3
        ([2.0], [0.5774])
        >>> together = moments(row, np.ones((1, 3), dtype=bool), ["a", "a", "b"])
        >>> together.error.round(4).tolist(), together.freedom.round(4).tolist()
        ([0.7071], [1.0])
    """
    masked = np.where(known, values, 0.0)
    n = known.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):  # NaN is the mark of "no value" here
        mean = masked.sum(axis=1) / n
        residual = np.where(known, masked - mean[:, None], 0.0)
        sums = sums_by_cluster(residual, clusters)
        sizes = sums_by_cluster(known.astype(np.float64), clusters)
        size = (sizes > 0).sum(axis=1)
        error = np.sqrt((sums**2).sum(axis=1) * (size / (size - 1))) / n
    freedom = size - 1.0
    differ = np.where(sizes > 0, sizes, np.inf).min(axis=1, initial=np.inf) < sizes.max(
        axis=1, initial=0.0
    )
    error[differ], freedom[differ] = bias_reduced(sums[differ], sizes[differ])
    error[size < 2] = freedom[size < 2] = np.nan  # noqa: PLR2004 - one cluster has no spread
    scale = np.abs(masked).max(axis=1, initial=0.0)
    flat = np.abs(residual).max(axis=1, initial=0.0) <= TIE_TOLERANCE * scale
    even = np.abs(sums).max(axis=1, initial=0.0) <= TIE_TOLERANCE * scale * n
    clumped_error = error.copy()
    if (size < n).any():  # where each unit is a cluster, nothing can be alike
        few = (_clusters_that_differ(values, known, clusters) < _ENOUGH_TO_SHOW) & (
            size >= _ENOUGH_TO_SHOW  # fewer leave degrees of freedom so few that intervals hold
        )
        with np.errstate(invalid="ignore", divide="ignore"):
            all_alike = np.sqrt((residual**2).sum(axis=1) / (n - 1) / size)
        clumped = few & (size < n)
        clumped_error[clumped] = np.maximum(error, all_alike)[clumped]
    return Moments(mean, error, freedom, n, size, flat, even, clumped_error)


def _clusters_that_differ(
    values: NDArray[np.float64], known: NDArray[np.bool_], clusters: Sequence[Hashable] | None
) -> NDArray[np.int64]:
    """Count the clusters with a value off the smallest, and off the largest; give the fewer."""
    smallest = np.where(known, values, np.inf).min(axis=1, initial=np.inf)
    largest = np.where(known, values, -np.inf).max(axis=1, initial=-np.inf)
    above, below = (
        (sums_by_cluster((off & known).astype(np.float64), clusters) > 0).sum(axis=1)
        for off in (values > smallest[:, None], values < largest[:, None])
    )
    fewer: NDArray[np.int64] = np.minimum(above, below)
    return fewer


def t_intervals(
    estimates: Moments, *, estimand: str, level: float = 0.95
) -> list[tuple[Interval | None, str]]:
    """Make mean ± t · SE with the error's degrees of freedom, or say why there is none.

    Args:
        estimates: Means and standard errors.
        estimand: What an interval is for.
        level: Its coverage.

    Example:
        >>> row = np.array([[1.0, 2.0, 3.0], [4.0, 4.0, 4.0]])
        >>> these = moments(row, np.ones((2, 3), dtype=bool))
        >>> for interval, why in t_intervals(these, estimand="an example"):
        ...     print((round(interval.low, 2), round(interval.high, 2)) if interval else why)
        (-0.48, 4.48)
        all 3 values are equal: they do not show how far others would lie
    """
    from scipy.special import stdtrit

    method = "t over clusters" if (estimates.clusters < estimates.n).any() else "t"
    with np.errstate(invalid="ignore"):
        half = stdtrit(estimates.freedom, (1 + level) / 2) * estimates.error
    made: list[tuple[Interval | None, str]] = []
    for mean, width, n, clusters, flat, even in zip(
        estimates.mean.tolist(),
        half.tolist(),
        estimates.n.tolist(),
        estimates.clusters.tolist(),
        estimates.flat.tolist(),
        estimates.even.tolist(),
        strict=True,
    ):
        if clusters == 0:
            made.append((None, "nothing is known here"))
        elif clusters == 1:
            made.append((None, f"one {'value' if n == 1 else 'cluster'} shows no spread"))
        elif flat:
            why = f"all {n} values are equal: they do not show how far others would lie"
            made.append((None, why))
        elif even:
            why = f"all {clusters} clusters have the same mean: they do not show how far others lie"
            made.append((None, why))
        else:
            made.append((Interval(mean - width, mean + width, level, method, estimand), ""))
    return made

"""An interval that knows what it is about; the error of a mean over unequal clusters."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.annotations import Words, record
from medassay.api_checks import ArrayLike
from medassay.errors import InvalidInput, Problem

_SAME: Final = 1e-9


@record(infers=True)
class Interval:
    """A lower and an upper bound, with their meaning.

    Attributes:
        low: Lower bound.
        high: Upper bound.
        level: Nominal coverage, between 0 and 1.
        method: How it was made, such as `basic bootstrap` or `Wilson`.
        estimand: What it is an interval for, such as `these systems, new cases`.
        replicates: Bootstrap replicates that had a value; None for formulas.
    """

    low: float
    high: float
    level: float
    method: Words
    estimand: Words
    replicates: int | None = None


def percentile_interval(replicates: ArrayLike, *, estimand: str, level: float = 0.95) -> Interval:
    """Take the central share of the bootstrap replicates.

    Example:
        >>> interval = percentile_interval(range(101), estimand="an example", level=0.9)
        >>> round(interval.low, 9), round(interval.high, 9)
        (5.0, 95.0)
    """
    values = _finite(replicates)
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level, "percentile bootstrap", estimand, values.size)


def widened_interval(
    estimate: float,
    replicates: ArrayLike,
    units: int,
    *,
    estimand: str,
    level: float = 0.95,
    ends: tuple[float, float] = (-np.inf, np.inf),
) -> Interval:
    """Take the percentile interval, as much wider as few units ask, and exact where all agree.

    Percentiles are moved from the estimate by √(n/(n−1)) · t/z, with t of n − 1 degrees of freedom.
    Where all replicates lie at one end of the scale the bootstrap knows no spread: there the bound
    is that of n draws that all came out so, Clopper and Pearson's.

    Args:
        estimate: The estimate.
        replicates: Of a bootstrap; NaN where one has no value.
        units: How many units (cases, or clusters) were resampled, 2 or more.
        estimand: What it is an interval for.
        level: Nominal coverage.
        ends: The ends of the scale.

    Source: Hesterberg (2015), doi:10.1080/00031305.2015.1089789, section 5.3.

    Example:
        >>> interval = widened_interval(1.0, [1.0] * 5, 10, estimand="an example", ends=(0.0, 1.0))
        >>> round(interval.low, 3), interval.high
        (0.692, 1.0)
    """
    from scipy.special import ndtri, stdtrit

    values = _finite(replicates)
    tail = (1 - level) / 2
    if np.ptp(values) <= _SAME and min(abs(estimate - end) for end in ends) <= _SAME:
        reach = (ends[1] - ends[0]) * (1 - tail ** (1 / units))
        low, high = max(ends[0], estimate - reach), min(ends[1], estimate + reach)
        return Interval(low, high, level, "exact, all alike", estimand)
    wider = sqrt(units / (units - 1)) * float(stdtrit(units - 1, 1 - tail) / ndtri(1 - tail))
    low, high = estimate + wider * (np.quantile(values, [tail, 1 - tail]) - estimate)
    return Interval(
        float(max(ends[0], low)),
        float(min(ends[1], high)),
        level,
        "percentile bootstrap, widened for the number of cases",
        estimand,
        values.size,
    )


def basic_interval(
    estimate: float,
    replicates: ArrayLike,
    *,
    estimand: str,
    level: float = 0.95,
    bounds: tuple[float, float] = (-np.inf, np.inf),
) -> Interval:
    """Reflect the percentile interval at the estimate, and cut it at the statistic's own bounds.

    Resampling adds noise to what is already noisy: the replicates of a correlation lie nearer to 0
    than the estimate does. Reflection, `2 estimate - quantile`, moves the interval the other way.

    Source: Davison & Hinkley (1997), Bootstrap Methods and their Application, section 5.2,
        doi:10.1017/CBO9780511802843.

    Example:
        >>> interval = basic_interval(50, range(0, 101), estimand="an example", level=0.9)
        >>> round(interval.low, 9), round(interval.high, 9)
        (5.0, 95.0)
    """
    values = _finite(replicates)
    low, high = 2 * estimate - np.quantile(values, [(1 + level) / 2, (1 - level) / 2])
    return Interval(
        float(np.clip(low, *bounds)),
        float(np.clip(high, *bounds)),
        level,
        "basic bootstrap",
        estimand,
        values.size,
    )


def bias_corrected_interval(
    estimate: float, replicates: ArrayLike, *, estimand: str, level: float = 0.95
) -> Interval:
    """Take the replicates between two shares that are moved by how far they lie off the estimate.

    With z₀ = Φ⁻¹(share of replicates below the estimate, equal ones counting half), the bounds are
    the quantiles at Φ(2 z₀ ∓ z). Never leaves the range of the statistic.

    Source: Efron (1987), Better bootstrap confidence intervals,
        doi:10.1080/01621459.1987.10478410 (BC, without the acceleration).

    Example:
        >>> interval = bias_corrected_interval(50, range(101), estimand="an example", level=0.9)
        >>> round(interval.low, 9), round(interval.high, 9)
        (5.0, 95.0)
    """
    from scipy.special import ndtr, ndtri

    values = _finite(replicates)
    below = (values < estimate).mean() + (values == estimate).mean() / 2
    least = 1 / (2 * values.size)
    shift, z = 2 * ndtri(np.clip(below, least, 1 - least)), ndtri((1 + level) / 2)
    low, high = np.quantile(values, [ndtr(shift - z), ndtr(shift + z)])
    method = "bias-corrected bootstrap"
    return Interval(float(low), float(high), level, method, estimand, values.size)


def _finite(replicates: ArrayLike) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    values = np.asarray(replicates, dtype=np.float64).ravel()
    values = values[np.isfinite(values)]
    if values.size == 0:
        raise InvalidInput(Problem("replicates", "hold at least one finite value", "none"))
    return values


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

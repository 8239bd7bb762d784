"""Means over cases, with standard errors by cluster, intervals and reliability."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.annotations import Reliability as ReliabilityMark
from medassay.annotations import Words, record
from medassay.errors import InvalidInput, Problem
from medassay.stats.intervals import Interval, bias_reduced, sums_by_cluster
from medassay.stats.kendall import TIE_TOLERANCE, pair_index

_ENOUGH_TO_SHOW: Final = 5  # clusters; of 3, 5, 8 and 10 the fewest that held: see the design page
_ESTIMAND = "the mean over cases like these, clipped to 0 and 1"
_FEWEST: Final = 2
_ALIASED = 1e-9
_WIDE = 16
"""Codes that go up to so many times their number are counted one by one."""


@dataclass(frozen=True, slots=True)
class Mean:
    """One system's mean.

    Attributes:
        mean: None where no case is known.
        interval: None where it is undefined.
        n: Number of cases with a value.
        missing: Number of cases without.
        undefined: Why there is no mean or no interval; empty where both are there.
    """

    mean: float | None
    interval: Interval | None
    n: int
    missing: int
    undefined: str = ""


def means_over_cases(
    values: NDArray[np.float64],
    known: NDArray[np.bool_],
    *,
    clusters: Sequence[Hashable] | None = None,
    bounds: tuple[float, float] | None = None,
    level: float = 0.95,
) -> list[Mean]:
    """How well does each system do on average, on cases like these?

    The interval is x̄ ± t · SE with the clustered standard error of `moments` and its degrees of
    freedom; on a scale with two ends it is that of `bounded_intervals`. Cases without a value are
    left out and counted.

    Args:
        values: Shape (systems, cases).
        known: The same shape; values are read where it is True.
        clusters: For each case the label of its cluster (queries of one scenario, say).
        bounds: The ends of the scale, where it has some: the interval stays between them.
        level: Nominal coverage.

    Returns:
        One mean for each system, in order.

    Source: Miller (2024), Adding error bars to evals, arXiv:2411.00640.

    Example:
        >>> values = np.array([[1.0, 2.0, 3.0, 0.0]])
        >>> [mean] = means_over_cases(values, np.array([[True, True, True, False]]))
        >>> mean.mean, mean.n, mean.missing, round(mean.interval.low, 2)
        (2.0, 3, 1, -0.48)
    """
    estimates = moments(values, known, clusters)
    what = "these systems, new cases"
    intervals = (
        t_intervals(estimates, estimand=what, level=level)
        if bounds is None
        else bounded_intervals(estimates, bounds, estimand=what, level=level)
    )
    return [
        Mean(mean if n else None, interval, n, values.shape[1] - n, why)
        for mean, n, (interval, why) in zip(
            estimates.mean.tolist(), estimates.n.tolist(), intervals, strict=True
        )
    ]


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


def bounded_intervals(
    moments: Moments, bounds: tuple[float, float], *, estimand: str, level: float = 0.95
) -> list[tuple[Interval | None, str]]:
    """Which means on a scale from a to b are compatible with these, clusters being independent?

    Wilson's interval with the effective n of the clustered standard error: p = (x̄ − a)/(b − a), n =
    p(1 − p)(b − a)²/SE², and t for z, with the error's degrees of freedom: C − 1 for clusters of
    one size, fewer where they differ. For independent shares n is one less than their number. Where
    all values lie at one end no error can be seen: n is the number of clusters, on C − 1 degrees.
    Where of five clusters or more fewer than five hold what is rare, it may come in clumps that no
    error shows: the error is never less than that of clusters whose units are all alike. Where all
    values are equal within the scale, or the means of all clusters, there is none, as in
    `t_intervals`.

    Source: Wilson (1927), doi:10.1080/01621459.1927.10502953; the effective n as in Kish (1965),
        Survey Sampling, chapter 8.

    Example:
        >>> import numpy as np
        >>> from medassay.stats import moments
        >>> rows = np.array([[1.0, 0, 0, 0, 0], [0.0, 0, 0, 0, 0]])
        >>> found = moments(rows, np.ones((2, 5), dtype=bool))
        >>> for one, _ in bounded_intervals(found, (0, 1), estimand="an example"):
        ...     print(round(one.low, 3), round(one.high, 3))
        0.018 0.777
        0.0 0.607
    """
    from scipy.special import stdtrit

    low, high = bounds
    width = high - low
    made: list[tuple[Interval | None, str]] = []
    plain = t_intervals(moments, estimand=estimand, level=level)
    rows = zip(
        plain,
        moments.mean.tolist(),
        moments.clumped_error.tolist(),
        moments.freedom.tolist(),
        moments.clusters.tolist(),
        strict=True,
    )
    for (interval, why), mean, error, freedom, clusters in rows:
        share = (mean - low) / width
        at_end = share in {0.0, 1.0}
        if clusters < 2 or (interval is None and not at_end):  # noqa: PLR2004 - one has no spread
            made.append((None, why))
            continue
        n = clusters if at_end else share * (1 - share) * (width / error) ** 2
        t = float(stdtrit(clusters - 1 if at_end else freedom, (1 + level) / 2))
        shrink = 1 + t * t / n
        centre = (share + t * t / (2 * n)) / shrink
        half = t * (share * (1 - share) / n + t * t / (4 * n * n)) ** 0.5 / shrink
        ends = max(0.0, centre - half), min(1.0, centre + half)
        method = "Wilson with clustered effective n"
        ends_on_scale = Interval(
            low + width * ends[0], low + width * ends[1], level, method, estimand
        )
        made.append((ends_on_scale, ""))
    return made


@dataclass(frozen=True, slots=True)
class ClippedMean:
    """A mean over cases, clipped to 0 and 1.

    Attributes:
        mean: None where no case has a value.
        interval: None where it is undefined.
        n: Cases with a value.
        undefined: Why there is no mean or no interval; empty where both are there.
    """

    mean: float | None
    interval: Interval | None
    n: int
    undefined: str = ""


def clipped_mean(
    values: NDArray[np.float64], clusters: Sequence[Hashable] | None = None, *, level: float = 0.95
) -> ClippedMean:
    """How well does a system do over cases, where an answer may score below 0?

    The mean is taken first and clipped afterwards, min(1, max(0, x̄)): a case below 0 pulls others
    down. The interval is x̄ ± t · SE over cases or clusters, its ends clipped alike.

    Args:
        values: One a case, shape (cases,).
        clusters: For each case the label of its cluster.
        level: Nominal coverage.

    Source: Arora et al. (2025), HealthBench, arXiv:2505.08775; its public scorer clips the mean and
    not the case, and gives an unseeded bootstrap error where this gives an interval.

    Example:
        >>> found = clipped_mean(np.array([0.5, 1.0, -0.9, 0.6]))
        >>> round(found.mean, 3), round(found.interval.low, 3), round(found.interval.high, 3)
        (0.3, 0.0, 1.0)
    """
    known = np.ones((1, values.size), dtype=np.bool_)
    (mean_of,) = means_over_cases(values[None, :], known, clusters=clusters, level=level)
    if mean_of.mean is None:
        return ClippedMean(None, None, mean_of.n, mean_of.undefined)
    mean = min(1.0, max(0.0, mean_of.mean))
    if mean_of.interval is None:
        return ClippedMean(mean, None, mean_of.n, mean_of.undefined)
    low, high = (min(1.0, max(0.0, end)) for end in (mean_of.interval.low, mean_of.interval.high))
    interval = replace(mean_of.interval, low=low, high=high, estimand=_ESTIMAND)
    return ClippedMean(mean, interval, mean_of.n)


def worst_at_k(samples: Sequence[float], k: int) -> float:
    """How bad is the worst of k answers to one case, on average?

    The mean over all subsets of k of the n samples of their minimum. With the samples sorted,
    x₁ ≤ … ≤ xₙ, the i-th is the minimum of C(n−i, k−1) of the C(n, k) subsets.

    Args:
        samples: The scores of n answers of one system to one case.
        k: How many are drawn, 1 to n; with 1 it is their mean, with n the minimum.

    Raises:
        InvalidInput: k is not from 1 to n.

    Source: Arora et al. (2025), HealthBench, arXiv:2505.08775.

    Example:
        >>> worst_at_k([0.2, 0.8, 0.5], 1), round(worst_at_k([0.2, 0.8, 0.5], 2), 3)
        (0.5, 0.3)
        >>> worst_at_k([0.2, 0.8, 0.5], 3)
        0.2
    """
    n = len(samples)
    if not 1 <= k <= n:
        raise InvalidInput(Problem("k", f"be from 1 to the {n} samples", str(k)))
    ways = comb(n, k)
    return sum(
        value * comb(n - place, k - 1) / ways for place, value in enumerate(sorted(samples), 1)
    )


@record(infers=True)
class Reliability:
    """A share of variance.

    Attributes:
        value: At most 1; None where undefined.
        systems: Number of systems with a known case.
        undefined: Why there is no value; empty where there is one.
    """

    value: ReliabilityMark | None
    systems: int
    undefined: Words = ""


def reliability_of_means(
    values: NDArray[np.float64],
    known: NDArray[np.bool_],
    *,
    clusters: Sequence[Hashable] | None = None,
) -> Reliability:
    """What share of the variance of the system means is not noise from the choice of cases?

    1 − Σ SE²(d̄_ij) / Σ d̄_ij² over all pairs of systems, d̄_ij being their mean difference over the
    cases that both have. How hard the cases are moves all systems alike and is no noise here. With
    complete data and no clusters this is 1 − MS_residual / MS_systems of the two-way table: the
    G coefficient for relative decisions, and Cronbach's alpha with cases as items.

    1: new cases would give the same differences. 0 or below: the means lie no further apart than
    equal systems would; no ranking of them can be trusted, and no metric can agree with it.

    Args:
        values: Shape (systems, cases).
        known: The same shape; values are read where it is True.
        clusters: For each case the label of its cluster.

    Source: Brennan (2001), Generalizability Theory, doi:10.1007/978-1-4757-3456-0; Cronbach (1951),
        doi:10.1007/BF02310555.

    Example:
        >>> values = np.array([[1.0, 2.0, 3.0], [2.0, 3.0, 5.0]])
        >>> reliability_of_means(values, values > 0).value  # d = -1, -1, -2: 1 - (1/9) / (16/9)
        0.9375
    """
    present = known.any(axis=1)
    systems = int(present.sum())
    if systems < _FEWEST:
        return Reliability(None, systems, "reliability needs at least two systems")
    first, second = pair_index(len(values))
    masked = np.where(known, values, 0.0)
    estimates = moments(masked[first] - masked[second], known[first] & known[second], clusters)
    usable = np.isfinite(estimates.error)
    if not usable.any():
        why = "no two systems share two cases" if clusters is None else "one cluster of cases"
        return Reliability(None, systems, why)
    spread = float((estimates.mean[usable] ** 2).sum())
    if spread <= (TIE_TOLERANCE * np.abs(masked).max()) ** 2 * usable.sum():
        return Reliability(None, systems, "all systems have the same mean")
    return Reliability(1 - float((estimates.error[usable] ** 2).sum()) / spread, systems)


@dataclass(frozen=True, slots=True)
class Components:
    """Variance by where it comes from, in the squared unit of the values.

    Attributes:
        estimates: A component for each factor, and "residual"; below 0 where chance has it so, as
            an unbiased estimate of something small must be at times.
        aliased: Factors that the design cannot tell from the others; they have no component.
        n: Number of values.
    """

    estimates: Mapping[str, float]
    aliased: tuple[str, ...]
    n: int

    def of(self, factor: str) -> float:
        """Give a component, at least 0; 0 where the design cannot tell it from the others."""
        return max(self.estimates.get(factor, 0.0), 0.0)


def variance_components(
    values: NDArray[np.float64], factors: Mapping[str, Sequence[Hashable]]
) -> Components:
    """How much of the variance goes with each factor, and how much with nothing that was noted?

    The model is y = μ + Σ_f u_f + e with independent effects of variance σ²_f. Minimum variance
    quadratic unbiased estimates at prior weight 0 (MIVQUE0): with M = I − 11'/n and indicators Z_f,
    the quadratic forms y'M Z_f Z_f' M y and y'M y are set equal to their expectations,
    E q_f = Σ_g σ²_g tr(M Z_f Z_f' M Z_g Z_g'). Unbiased whatever is missing; with complete balanced
    data the estimates of the analysis of variance. The traces need only counts, so n values cost
    O(n), never n².

    A factor whose effects the design cannot separate from those before it, or from the residual
    (each level seen once), is left out and named: its variance is then in the others.

    Args:
        values: Shape (n,).
        factors: Name to the level of each value, in the order in which they are kept.

    Source: Hartley, Rao & LaMotte (1978), doi:10.2307/2530156.

    Example:
        >>> found = variance_components(  # MS_rows = 4.5, MS_residual = 0.5, two columns
        ...     np.array([1.0, 2.0, 4.0, 4.0]), {"row": [0, 0, 1, 1]}
        ... )
        >>> {name: round(value, 3) for name, value in found.estimates.items()}
        {'row': 3.0, 'residual': 0.25}
    """
    n = len(values)
    codes = {name: np.unique(_codes(levels), return_inverse=True)[1] for name, levels in
             factors.items()}  # fmt: skip
    codes["residual"] = np.arange(n)
    names = list(codes)
    centred = values - values.mean() if n else values
    forms = {name: float((np.bincount(codes[name], centred) ** 2).sum()) for name in names}
    sizes = {name: np.bincount(codes[name])[codes[name]].astype(np.float64) for name in names}
    traces = {
        (f, g): _trace(codes[f], codes[g], sizes[f], sizes[g])
        for i, f in enumerate(names)
        for g in names[i:]
    }
    determined: list[str] = ["residual"]
    for name in names[:-1]:
        if _independent(traces, [*determined, name], names):
            determined.append(name)
    aliased = tuple(name for name in names if name not in determined)
    order = [name for name in names if name in determined]
    if n < 2:  # noqa: PLR2004 - one value has no variance
        return Components({}, tuple(names[:-1]), n)
    system = _matrix(traces, order, names)
    solved = np.linalg.solve(system, np.array([forms[name] for name in order]))
    return Components(dict(zip(order, solved.tolist(), strict=True)), aliased, n)


def _codes(levels: Sequence[Hashable]) -> NDArray[np.int64]:
    position = {level: i for i, level in enumerate(dict.fromkeys(levels))}
    return np.array([position[level] for level in levels], dtype=np.int64)


def _trace(
    first: NDArray[np.int64],
    other: NDArray[np.int64],
    size: NDArray[np.float64],
    other_size: NDArray[np.float64],
) -> float:
    """Give tr(M A M B) = tr(AB) − 2·1'AB1/n + (1'A1)(1'B1)/n² for A = ZZ', B = WW'."""
    n = len(first)
    shared = squared_counts(first * (int(other.max(initial=0)) + 1) + other)
    crossed = float((size * other_size).sum())
    return shared - 2 * crossed / n + float(size.sum()) * float(other_size.sum()) / n**2


def squared_counts(codes: NDArray[np.int64]) -> float:
    """Give Σ n² over all codes, n being how often each is there.

    Example:
        >>> squared_counts(np.array([3, 3, 7]))
        5.0
    """
    narrow = codes.max(initial=0) < _WIDE * len(codes)  # counting is quicker than sorting
    counts = np.bincount(codes) if narrow else np.unique(codes, return_counts=True)[1]
    return float((counts.astype(np.float64) ** 2).sum())


def _matrix(
    traces: Mapping[tuple[str, str], float], order: Sequence[str], names: Sequence[str]
) -> NDArray[np.float64]:
    place = {name: i for i, name in enumerate(names)}
    rows = [[traces[(f, g) if place[f] <= place[g] else (g, f)] for g in order] for f in order]
    return np.array(rows)


def _independent(
    traces: Mapping[tuple[str, str], float], order: Sequence[str], names: Sequence[str]
) -> bool:
    matrix = _matrix(traces, order, names)
    scale = np.sqrt(np.diag(matrix))
    if not (scale > _ALIASED).all():
        return False
    least: float = np.linalg.eigvalsh(matrix / np.outer(scale, scale))[0]
    return least > _ALIASED

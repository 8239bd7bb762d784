"""How a difference in one column foretells that in another: over systems, versions, in groups."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from medassay.api_checks import ArrayLike
from medassay.errors import InvalidInput, Problem
from medassay.stats.intervals import Interval, bias_reduced, cluster_index, sums_by_cluster

Floats = NDArray[np.float64]
_FEWEST = 3
_FEWEST_WITHOUT_TWO = _FEWEST + 2
_ROUNDING = 1e-12
"""What is left of a sum of squares, as a share of it, that only rounding left over."""
_HALVINGS = 60
_FEWEST_CLUSTERS = 3
_NOTHING = 1e-9


@dataclass(frozen=True, slots=True)
class SystemLine:
    """A straight line through one point a system.

    Attributes:
        slope: By how much y grows for one unit of x.
        error: The standard error of the slope.
        spread: The standard deviation of the points off the line.
        freedom: Degrees of freedom, the number of systems less 2.
        p: One-sided, of a slope that is 0 or less.
        span: The largest difference in x between two systems.
    """

    slope: float
    error: float
    spread: float
    freedom: int
    p: float
    span: float

    def loss_not_excluded(self, level: float = 0.95) -> float:
        """What loss in y do two new systems not exclude whose x is the same?

        The lower end of the prediction interval for their difference in y, turned positive:
        t(level, S − 2) · s · √2, since each of the two lies off the line with spread s. In units of
        y, 0 or more; 0 where all points lie on the line.

        Example:
            >>> line = system_line([1, 2, 3, 4, 5], [1, 2, 2, 4, 5])
            >>> round(line.loss_not_excluded(), 3)
            2.324
        """
        return self._quantile(level) * self.spread * 2**0.5

    def threshold(self, level: float = 0.95) -> float | None:
        """From which loss in x on does y surely have one too, for two new systems?

        The surrogate threshold effect: the smallest d for which the prediction interval for the
        difference in y of two new systems that differ by d in x lies below 0,
        d·slope − t(level, S − 2) · √(2 s² + d² · error²) = 0, so
        d = t s √2 / √(slope² − t² · error²). In units of x, 0 or more; 0 where all points lie on a
        rising line. None where no loss is large enough, since the slope itself may be 0. It is the
        caller's to ask whether it lies within `span`: a line says nothing beyond its points.

        Source: Burzykowski & Buyse (2006), doi:10.1002/pst.207, for a surrogate's effect in a new
            trial; here two new systems stand in the place of a trial's two arms.

        Example:
            >>> line = system_line([1, 2, 3, 4, 5], [1, 2, 2, 4, 5])
            >>> round(line.threshold(), 3)
            2.72
        """
        left = self.slope**2 - (self._quantile(level) * self.error) ** 2
        if self.slope <= 0 or left <= 0:
            return None
        return float(self.loss_not_excluded(level) / left**0.5)

    def _quantile(self, level: float) -> float:
        from scipy.special import stdtrit

        return float(stdtrit(self.freedom, (1 + level) / 2))


def system_line(x: ArrayLike, y: ArrayLike) -> SystemLine | None:
    """Does y rise with x over systems, and by how much?

    Least squares: slope = Σ(x − x̄)(y − ȳ) / Σ(x − x̄)², s² = Σ(y − ŷ)² / (S − 2),
    error = s / √Σ(x − x̄)², and p = P(T ≥ slope / error) with S − 2 degrees of freedom. A system is
    one point: how many cases stand behind its means shows in the spread alone.

    Args:
        x: Shape (systems,), finite; a metric's means, say.
        y: Shape (systems,), finite; the raters' means, say.

    Returns:
        The line, or None where there are fewer than three systems or all have the same x or all
        the same y.

    Raises:
        InvalidInput: The two differ in length.

    Example:
        >>> line = system_line([1, 2, 3, 4, 5], [1, 2, 2, 4, 5])
        >>> line.slope, line.freedom, round(line.p, 4)
        (1.0, 3, 0.0044)
    """
    left, right = _columns(x, y)
    if left.size < _FEWEST or _flat(left) or _flat(right):
        return None
    sums = _Sums.of(left, right)
    slope, error, t = (float(part) for part in sums.slope())
    spread, freedom = error * float(sums.xx) ** 0.5, left.size - 2
    return SystemLine(slope, error, spread, freedom, _p(t, freedom), float(np.ptp(left)))


def p_without_any_two(x: ArrayLike, y: ArrayLike) -> float | None:
    """Does y rise with x whichever two systems are left out?

    The largest one-sided p of `system_line` over all systems, over all but one and over all
    but two of them. One or two systems that lie far off the others in both columns make a slope on
    their own; here they cannot. 1 where those that are left have all the same x or the same y.

    Args:
        x: Shape (systems,), finite.
        y: Shape (systems,), finite.

    Returns:
        The p, in (0, 1]; None where there are fewer than five systems or all have the same x or
        all the same y.

    Raises:
        InvalidInput: The two differ in length.

    Example:
        >>> far_off = [0, 1, 0, 1, 0, 1, 9, 9], [0, 0, 1, 1, 1, 0, 9, 8]
        >>> round(system_line(*far_off).p, 4), round(p_without_any_two(*far_off), 2)
        (0.0, 0.74)
    """
    left, right = _columns(x, y)
    if left.size < _FEWEST_WITHOUT_TWO or _flat(left) or _flat(right):
        return None
    whole = _Sums.of(left, right)
    first, second = np.triu_indices(left.size, 1)
    all_but_one = whole.without(left, right)
    all_but_two = whole.without(left[first], right[first], left[second], right[second])
    return max(
        _p(float(np.min(sums.slope()[2])), sums.count - 2)
        for sums in (whole, all_but_one, all_but_two)
    )


def _columns(x: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
    left, right = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if left.shape != right.shape:
        raise InvalidInput(Problem("y", f"have {left.size} values, as x has", str(right.size)))
    return left, right


def _flat(values: Floats) -> bool:
    scale = float(np.abs(values).max(initial=0.0))
    return float(np.ptp(values)) <= _ROUNDING * scale


@dataclass(frozen=True, slots=True, eq=False)
class _Sums:
    """Squares and products about the means, of one set of systems or of many."""

    count: int
    mean: tuple[float, float]
    xx: Floats
    xy: Floats
    yy: Floats

    @classmethod
    def of(cls, x: Floats, y: Floats) -> "_Sums":
        """Sum over all systems."""
        mean = float(x.mean()), float(y.mean())
        off_x, off_y = x - mean[0], y - mean[1]
        squares = (np.asarray(part) for part in (off_x @ off_x, off_x @ off_y, off_y @ off_y))
        return cls(x.size, mean, *squares)

    def without(self, *out: Floats) -> "_Sums":
        """Leave systems out, given as x and y of the first, x and y of the second, and so on."""
        off_x, off_y = np.array(out[::2]) - self.mean[0], np.array(out[1::2]) - self.mean[1]
        left = self.count - len(off_x)
        sum_x, sum_y = off_x.sum(axis=0), off_y.sum(axis=0)
        return _Sums(
            left,
            self.mean,  # of all: nobody is left out twice
            self.xx - (off_x**2).sum(axis=0) - sum_x**2 / left,
            self.xy - (off_x * off_y).sum(axis=0) - sum_x * sum_y / left,
            self.yy - (off_y**2).sum(axis=0) - sum_y**2 / left,
        )

    def slope(self) -> tuple[Floats, Floats, Floats]:
        """Give slopes, their errors and their t; t is -∞ where a column does not vary."""
        varies = (self.xx > _ROUNDING * np.max(self.xx)) & (self.yy > _ROUNDING * np.max(self.yy))
        xx = np.where(varies, self.xx, 1.0)
        slope = np.where(varies, self.xy / xx, 0.0)
        rest = self.yy - slope * self.xy
        rest = np.where(rest <= _ROUNDING * self.yy, 0.0, rest)
        error = np.sqrt(rest / ((self.count - 2) * xx))
        on_line = error == 0
        t = slope / np.where(on_line, 1.0, error)
        t = np.where(on_line, np.copysign(np.inf, slope), t)
        return slope, error, np.where(varies, t, -np.inf)


def _p(t: float, freedom: int) -> float:
    from scipy.special import stdtr

    return float(stdtr(freedom, -t))


@dataclass(frozen=True, slots=True)
class VersionLine:
    """A straight line through the changes between versions, families apart.

    Attributes:
        slope: By how much y changes for one unit of change in x.
        error: The standard error of the slope, families being the independent units.
        error_freedom: Its degrees of freedom, Satterthwaite's.
        spread: How far versions lie off the line that is drawn without their own family.
        spread_freedom: Degrees of freedom of the spread: versions less families, less 1.
        p: One-sided, of a slope that is 0 or less: the largest of that over all families and those
            over all but each one, versions being independent within families.
        p_clustered: The same, families being the independent units; of three families none is left
            out, since two show no error.
        span: The largest difference in x between two versions of a family.
        pairs: Versions less families: a family of three gives two pairs.
        families: Families with two versions or more.
    """

    slope: float
    error: float
    error_freedom: float
    spread: float
    spread_freedom: int
    p: float
    p_clustered: float
    span: float
    pairs: int
    families: int

    def lower(self, loss: float, level: float = 0.95) -> float:
        """How much of a loss in y is sure behind this loss in x, between two further versions?

        d·slope − t · √(2 s² + d² · error²), the degrees of freedom of the two parts joined by
        Satterthwaite. Negative where y may have gained.

        Example:
            >>> line = version_line([1, 2, 3, 4, 5, 7], [1, 2.1, 3, 4.2, 5, 7], list("aabbcc"))
            >>> round(line.lower(0.0), 2), round(line.lower(2.0), 2)
            (-0.88, 1.36)
        """
        from scipy.special import stdtrit

        own, through = 2 * self.spread**2, (loss * self.error) ** 2
        if own + through == 0:
            return loss * self.slope
        freedom = (own + through) ** 2 / (
            own**2 / self.spread_freedom + through**2 / self.error_freedom
        )
        quantile = float(stdtrit(freedom, (1 + level) / 2))
        return float(loss * self.slope - quantile * (own + through) ** 0.5)

    def threshold(self, level: float = 0.95) -> float | None:
        """From which loss in x on does y surely have one too, between two further versions?

        The surrogate threshold effect, where `lower` reaches 0; None where no loss as large as was
        observed within a family is enough.

        Source: Burzykowski & Buyse (2006), doi:10.1002/pst.207.

        Example:
            >>> line = version_line([1, 2, 3, 4, 5, 7], [1, 2.1, 3, 4.2, 5, 7], list("aabbcc"))
            >>> round(line.threshold(), 2)
            0.78
        """
        low, high = 0.0, self.span
        if self.lower(high, level) <= 0:
            return None
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (low, middle) if self.lower(middle, level) > 0 else (middle, high)
        return high


_ENOUGH_LEFT = 3
"""Families that must be left where each is left out in turn."""


def version_line(x: ArrayLike, y: ArrayLike, families: Sequence[Hashable]) -> VersionLine | None:
    """Does y change with x between versions of one system, and by how much?

    Within each family both columns are taken from their mean, so that nothing that families differ
    in counts: slope = Σ x y / Σ x². Its error is CR2's, families being the clusters (`bias_reduced`
    of Σ x e by family); the spread off the line is that of each family off the line drawn without
    it, so that a family whose slope differs widens it.

    Args:
        x: Shape (versions,), finite; a metric's means, say.
        y: Shape (versions,), finite; the raters' means, say.
        families: The family of each; one with a single version shows no change and is left out.

    Returns:
        The line; None where fewer than three families have two versions, or all changes in x, or
        all in y, are 0.

    Raises:
        InvalidInput: The columns differ in length.

    Example:
        >>> line = version_line([1, 2, 3, 4, 5, 7], [1, 2.1, 3, 4.2, 5, 7], list("aabbcc"))
        >>> round(line.slope, 3), line.pairs, line.families, round(line.p, 4)
        (1.05, 3, 3, 0.0244)
    """
    left, right = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if left.shape != right.shape:
        raise InvalidInput(Problem("y", f"have {left.size} values, as x has", str(right.size)))
    index = cluster_index(families, left.size)
    size = np.bincount(index)
    several = size[index] > 1
    left, right = left[several], right[several]
    index = cluster_index(index[several], left.size)
    count = int(index.max(initial=-1)) + 1
    if count < _FEWEST:
        return None
    off_x, off_y = (column - _means(index, column)[index] for column in (left, right))
    if _flat_in_cases(off_x, left) or _flat_in_cases(off_y, right):
        return None
    xx, xy, yy = (_sums(index, part) for part in (off_x**2, off_x * off_y, off_y**2))
    slope = float(xy.sum() / xx.sum())
    freedom = left.size - count - 1
    [error], [error_freedom] = (
        part.tolist() for part in bias_reduced((xy - slope * xx)[None], xx[None])
    )
    others_xx, versions = xx.sum() - xx, left.size - np.bincount(index)
    if (others_xx <= _ROUNDING * xx.sum()).any():
        return None
    without = (xy.sum() - xy) / others_xx
    rest = np.maximum((yy.sum() - yy) - without * (xy.sum() - xy), 0.0)
    left_freedom = versions - (count - 1) - 1
    spread = float(np.sqrt(((off_y - without[index] * off_x) ** 2).sum() / (left.size - count)))
    residual = float(np.maximum(yy.sum() - slope * xy.sum(), 0.0))
    p = [
        _p_of_slope(
            slope, (residual / freedom / xx.sum()) ** 0.5 if freedom > 0 else np.inf, freedom
        )
    ]
    p += [
        _p_of_slope(own, (squares / free / others) ** 0.5 if free > 0 else np.inf, max(free, 1))
        for own, squares, others, free in zip(
            without.tolist(), rest.tolist(), others_xx.tolist(), left_freedom.tolist(), strict=True
        )
    ]
    span = max(float(np.ptp(left[index == family])) for family in range(count))
    return VersionLine(
        slope,
        error,
        error_freedom,
        spread,
        freedom,
        max(p),
        max([_p_of_slope(slope, error, error_freedom), *_clustered_without(xx, xy)]),
        span,
        left.size - count,
        count,
    )


def _clustered_without(xx: Floats, xy: Floats) -> list[float]:
    """Give the p of the slope without each family, where as many are left as CR2 needs.

    A family with a far worse version makes a slope that others do not have: CR2 of all families is
    drawn to it.
    """
    if xx.size <= _ENOUGH_LEFT:
        return []
    without = np.array([np.delete(np.arange(xx.size), at) for at in range(xx.size)])
    xx, xy = xx[without], xy[without]
    slope = xy.sum(axis=1) / xx.sum(axis=1)
    error, freedom = bias_reduced(xy - slope[:, None] * xx, xx)
    parts = zip(slope.tolist(), error.tolist(), freedom.tolist(), strict=True)
    return [_p_of_slope(*part) for part in parts]


def _sums(index: NDArray[np.intp], column: Floats) -> Floats:
    return np.asarray(np.bincount(index, column), dtype=np.float64)


def _means(index: NDArray[np.intp], column: Floats) -> Floats:
    return _sums(index, column) / np.bincount(index)


def _flat_in_cases(off: Floats, column: Floats) -> bool:
    return float(np.abs(off).max()) <= _ROUNDING * float(np.abs(column).max(initial=0.0))


def _p_of_slope(slope: float, error: float, freedom: float) -> float:
    from scipy.special import stdtr

    if error == 0:
        return 0.0 if slope > 0 else 1.0
    return float(stdtr(freedom, -slope / error))


@dataclass(frozen=True, slots=True)
class WithinSlope:
    """One slope.

    Attributes:
        slope: The change in y for one unit of x, others held; None where undefined.
        interval: Its interval; None where undefined.
        undefined: Why one of them is missing; empty where there are both.
    """

    slope: float | None
    interval: Interval | None
    undefined: str = ""


def within_slopes(
    y: NDArray[np.float64],
    x: NDArray[np.float64],
    groups: Sequence[Hashable],
    *,
    clusters: Sequence[Hashable] | None = None,
    estimand: str,
    level: float = 0.95,
) -> tuple[WithinSlope, ...]:
    """How far does y move with each column of x, compared only inside groups?

    Least squares after the mean of its group is taken from every value: y − ȳ_g = (x − x̄_g) β + e.
    Units of one cluster may depend on each other. Those with much spread in x pull the slope to
    themselves, so that their residuals look small: with M = (X'X)⁻¹, V = M (Σ_c X_c'A_c e_c
    e_c'A_c X_c) M, A_c = (I − X_c M X_c')^(−½) (CR2), and t has Satterthwaite's degrees of freedom
    as if units were independent. Clusters of one spread: C/(C − 1), on C − 1 degrees.

    Args:
        y: Shape (units,).
        x: Shape (units, columns).
        groups: For each unit its group.
        clusters: For each unit its cluster; groups must nest in it. The groups, if not given.
        estimand: What the intervals are for.
        level: Nominal coverage.

    Source: Bell & McCaffrey (2002), Survey Methodology 28(2); Pustejovsky & Tipton (2018),
    doi:10.1080/07350015.2016.1247004, also for why groups may be taken out first.

    Example:
        >>> y, x = np.array([1.0, 3, 5, 6, 0, 3]), np.array([[1.0], [2], [7], [8], [4], [5]])
        >>> [one] = within_slopes(y, x, list("aabbcc"), estimand="an example")
        >>> one.slope, round(one.interval.low, 2), round(one.interval.high, 2)
        (2.0, -0.48, 4.48)
    """
    from scipy.special import stdtrit

    columns = x.shape[1]
    flat = _centred(np.column_stack([y, x]), groups)
    left, right = flat[:, 0], flat[:, 1:]
    labels = list(groups if clusters is None else clusters)
    spread = np.flatnonzero(np.abs(right).sum(axis=1) > 0)
    count = len({labels[i] for i in spread})
    why = ""
    if count < _FEWEST_CLUSTERS:
        why = f"fewer than {_FEWEST_CLUSTERS} groups hold values that differ"
    elif np.linalg.matrix_rank(right) < columns:
        why = "the values cannot be told apart from each other inside groups"
    if why:
        return tuple(WithinSlope(None, None, why) for _ in range(columns))
    beta, error, freedom = _fit(left, right, cluster_index(labels, len(labels)))
    half = stdtrit(freedom, (1 + level) / 2) * error
    return tuple(
        WithinSlope(
            float(b), Interval(float(b - h), float(b + h), level, "t over clusters", estimand)
        )
        if np.isfinite(h)
        else WithinSlope(float(b), None, "one group alone holds the values that differ")
        for b, h in zip(beta, half, strict=True)
    )


def _fit(y: Floats, x: Floats, cluster: NDArray[np.int64]) -> tuple[Floats, Floats, Floats]:
    """Give slopes, their CR2 errors and their degrees of freedom; NaN where one cluster has all."""
    inverse = np.linalg.inv(x.T @ x)
    beta = inverse @ (x.T @ y)
    own = np.zeros((cluster.max() + 1, *inverse.shape))
    np.add.at(own, cluster, x[:, :, None] * x[:, None, :])
    pulls = np.zeros(own.shape[:2])
    np.add.at(pulls, cluster, x * (y - x @ beta)[:, None])
    # A_c X_c = X_c B_c, and B_c needs matrices of the size of the columns alone.
    root = np.linalg.cholesky(inverse)
    kept, vectors = np.linalg.eigh(np.eye(len(beta)) - root.T @ own @ root)
    all_held = kept < _NOTHING
    factors = np.where(all_held, 0.0, 1 / np.sqrt(np.where(all_held, 1.0, kept)))
    blown = root @ (vectors * factors[:, None, :]) @ vectors.transpose(0, 2, 1)
    blown = blown @ np.linalg.inv(root)
    forms = blown @ inverse  # what each cluster's residuals do to each slope, before X_c
    error = np.sqrt((np.einsum("ckj,ck->cj", forms, pulls) ** 2).sum(axis=0))
    felt = own @ forms
    alone = np.einsum("ckj,ckj->cj", forms, felt)
    shared = np.einsum("ckj,kl,clj->cj", felt, inverse, felt)
    together = np.einsum("ckj,clj->jkl", felt, felt) @ inverse
    trace = (alone - shared).sum(axis=0)
    square = (alone * (alone - 2 * shared)).sum(axis=0)
    square += np.einsum("jkl,jlk->j", together, together)
    lost = trace <= _NOTHING * np.diag(inverse)
    freedom = trace**2 / np.where(lost, 1.0, square)
    return beta, np.where(lost, np.nan, error), np.where(lost, np.nan, freedom)


def _centred(values: NDArray[np.float64], groups: Sequence[Hashable]) -> NDArray[np.float64]:
    index = cluster_index(groups, len(values))
    sizes = np.bincount(index)
    means = sums_by_cluster(values.T, groups) / sizes
    centred: NDArray[np.float64] = values - means.T[index]
    scale = np.abs(values).max(axis=0, initial=0.0)
    # What is equal inside its group differs from the group's mean in the last bits only.
    centred[np.abs(centred) <= 1e-12 * scale] = 0.0
    return centred

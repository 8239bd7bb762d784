"""Values of sums over cases (a ratio, balanced F1, an ICC of pairs) and their differences."""

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats.intervals import Interval, sums_by_cluster

_ESTIMAND: Final = "cases like these"
_RATIO_METHOD: Final = "jackknife over cases"
_NOTHING: Final = "nothing was compared"
_Floats = NDArray[np.float64]
_Counts = NDArray[np.float64]
_F1_METHOD: Final = "jackknife over cases, logit scale"
_ONE_CLASS: Final = "one of the two sides has only one of the two labels"
_FLAT: Final = "all numbers are the same"
_EDGE: Final = "all pairs agree, so none shows how far this is certain"
_ONE_CASE = "it rests on one case: without it there is no value"
_NO_SPREAD = "no case shows a difference, so none shows how far this is certain"


@dataclass(frozen=True, slots=True)
class RatioMean:
    """A mean over everything that cases hold, or a difference of two.

    Attributes:
        value: None where there is nothing to take it of.
        interval: Over cases or clusters; None where it is undefined.
        p: Two-sided, of a value of 0; None where there is no interval.
        undefined: Why there is no value or no interval; empty where both are there.
    """

    value: float | None
    interval: Interval | None
    p: float | None = None
    undefined: str = ""


def ratio_mean(
    sums: _Floats,
    clusters: Sequence[Hashable] | None = None,
    *,
    bound: float = 1,
    level: float = 0.95,
) -> RatioMean:
    """What is the mean of all that cases hold, where some hold more than others?

    Σy / Σn over cases, with the jackknife's interval over cases or clusters: C - 1 degrees of
    freedom, cut at the bounds.

    Args:
        sums: Of each case Σy and how many there are, shape (cases, 2).
        clusters: For each case the label of its cluster.
        bound: The mean lies between -bound and bound.
        level: Nominal coverage.

    Source: Tukey (1958), doi:10.1214/aoms/1177706647.

    Example:
        >>> found = ratio_mean(np.array([[2.0, 2.0], [0.0, 2.0], [1.0, 4.0]]))
        >>> found.value, round(found.interval.low, 3)
        (0.375, -0.581)
    """
    return _found(sums[:, None], clusters, lambda of: _mean(of[:, 0]), bound, level)


def ratio_difference(
    sums: _Floats,
    others: _Floats,
    clusters: Sequence[Hashable] | None = None,
    *,
    bound: float = 1,
    level: float = 0.95,
) -> RatioMean:
    """How far apart are two such means on the same cases?

    Example:
        >>> one, other = np.array([[2.0, 2.0], [1.0, 2.0]]), np.array([[1.0, 2.0], [0.0, 2.0]])
        >>> ratio_difference(one, other).value
        0.5
    """
    both = np.stack([sums, others], axis=1)
    return _found(both, clusters, lambda of: _mean(of[:, 0]) - _mean(of[:, 1]), 2 * bound, level)


def _found(
    sums: _Floats,
    clusters: Sequence[Hashable] | None,
    statistic: Callable[[_Floats], _Floats],
    bound: float,
    level: float,
) -> RatioMean:
    from scipy.special import stdtr, stdtrit

    whole, left = _leave_one_out(sums, clusters, statistic)
    if np.isnan(whole):
        return RatioMean(None, None, undefined=_NOTHING)
    error, why = _jackknife_error(left)
    if why:
        return RatioMean(whole, None, undefined=why)
    freedom = left.size - 1
    half = float(stdtrit(freedom, (1 + level) / 2)) * error
    low, high = max(float(-bound), whole - half), min(float(bound), whole + half)
    p = 2 * float(stdtr(freedom, -abs(whole) / error))
    return RatioMean(whole, Interval(low, high, level, _RATIO_METHOD, _ESTIMAND), p)


def _mean(sums: _Floats) -> _Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        value = sums[..., 0] / sums[..., 1]
    return np.where(sums[..., 1] > 0, value, np.nan)


@dataclass(frozen=True, slots=True)
class BalancedF1:
    """A balanced F1.

    Attributes:
        value: 0 to 1; None where it is undefined.
        interval: Over cases or clusters; None where it is undefined.
        undefined: Why there is no value or no interval; empty where both are there.
    """

    value: float | None
    interval: Interval | None
    undefined: str = ""


def balanced_f1(
    counts: NDArray[np.float64], clusters: Sequence[Hashable] | None = None, *, level: float = 0.95
) -> BalancedF1:
    """How far do one rater's labels match others', where most answers may have one label?

    With the rater's label taken as the prediction and another's as the truth, F1 of "yes" is
    2 tp / (2 tp + fp + fn) over all pairs of labels of one thing, F1 of "no" is
    2 tn / (2 tn + fp + fn), and this is their mean. It has no value where either side never said
    yes, or never no. 1: they always agree. Two raters who guess with the same chance of yes reach
    1/2 whatever that chance is.

    The interval is the jackknife's over cases (or clusters), with C - 1 degrees of freedom, on the
    logit scale, so that it stays within 0 and 1.

    Args:
        counts: Of each case the pairs with tp, fp, fn, tn, shape (cases, 4).
        clusters: For each case the label of its cluster.
        level: Nominal coverage.

    Source: Arora et al. (2025), HealthBench, arXiv:2505.08775, for the score, which its public
    program gives without an interval; Tukey (1958), doi:10.1214/aoms/1177706647, for the jackknife.

    Example:
        >>> counts = np.array([[3, 1, 0, 2], [2, 0, 1, 4], [4, 0, 0, 1.0]])
        >>> found = balanced_f1(counts)
        >>> round(found.value, 3), round(found.interval.low, 2), round(found.interval.high, 2)
        (0.887, 0.58, 0.98)
    """
    return _jackknifed(counts[:, None, :], clusters, level)


def mean_balanced_f1(
    counts: NDArray[np.float64], clusters: Sequence[Hashable] | None = None, *, level: float = 0.95
) -> BalancedF1:
    """How far do labels match in each category of things that are labelled, on average?

    The mean over categories of `balanced_f1` within each; categories without a value are left out.
    It counts a rare category as much as a frequent one, and is another number than the one over all
    pairs.

    Args:
        counts: Pairs with tp, fp, fn, tn, shape (cases, categories, 4).
        clusters: For each case the label of its cluster.
        level: Nominal coverage.

    Example:
        >>> counts = np.array([[[1, 0, 0, 1], [0, 0, 0, 0]], [[1, 0, 1, 1], [1, 1, 1, 1.0]]])
        >>> round(mean_balanced_f1(counts).value, 3)
        0.65
    """
    return _jackknifed(counts, clusters, level)


def balanced_f1_difference(
    counts: NDArray[np.float64],
    others: NDArray[np.float64],
    clusters: Sequence[Hashable] | None = None,
    *,
    level: float = 0.95,
) -> BalancedF1:
    """Is one balanced F1 greater than another on the same cases?

    Their difference, with the jackknife's interval over cases, which leaves a case out of both.

    Args:
        counts: Pairs of the one, shape (cases, 4).
        others: Pairs of the other on the same cases, shape (cases, 4).
        clusters: For each case the label of its cluster.
        level: Nominal coverage.

    Example:
        >>> one = np.array([[3, 1, 0, 2], [2, 0, 1, 4], [4, 0, 0, 1.0]])
        >>> round(balanced_f1_difference(one, one[:, [0, 2, 1, 3]]).value, 3)
        0.0
    """
    from scipy.special import stdtrit

    both = np.stack([counts, others], axis=1)
    whole, left = _leave_one_out(both, clusters, lambda sums: _f1(sums)[:, 0] - _f1(sums)[:, 1])
    if np.isnan(whole):
        return BalancedF1(None, None, _ONE_CLASS)
    error, why = _jackknife_error(left)
    if why:
        return BalancedF1(whole, None, why)
    half = float(stdtrit(left.size - 1, (1 + level) / 2)) * error
    method = "jackknife over cases"
    interval = Interval(max(-1.0, whole - half), min(1.0, whole + half), level, method, _ESTIMAND)
    return BalancedF1(whole, interval)


def _f1(sums: _Counts) -> _Counts:
    """Give balanced F1 along the last axis; NaN where it is undefined."""
    tp, fp, fn, tn = (sums[..., i] for i in range(4))
    there = (tp + fp > 0) & (tp + fn > 0) & (tn + fn > 0) & (tn + fp > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = tp / (2 * tp + fp + fn) + tn / (2 * tn + fp + fn)
    return np.where(there, value, np.nan)


def _mean_f1(sums: _Counts) -> _Counts:
    values = _f1(sums)
    known = np.isfinite(values)
    n = known.sum(axis=-1)
    total = np.where(known, values, 0.0).sum(axis=-1)
    return np.where(n > 0, total / np.maximum(n, 1), np.nan)


def _jackknifed(counts: _Counts, clusters: Sequence[Hashable] | None, level: float) -> BalancedF1:
    from scipy.special import expit, logit, stdtrit

    whole, left = _leave_one_out(counts, clusters, _mean_f1)
    if np.isnan(whole):
        return BalancedF1(None, None, _ONE_CLASS)
    inside = 0 < whole < 1 and bool(((left > 0) & (left < 1)).all())
    if np.isfinite(left).all() and not inside:
        return BalancedF1(whole, None, _NO_SPREAD)
    error, why = _jackknife_error(logit(left))
    if why:
        return BalancedF1(whole, None, why)
    half = float(stdtrit(left.size - 1, (1 + level) / 2)) * error
    low, high = (float(expit(logit(whole) + side * half)) for side in (-1, 1))
    return BalancedF1(whole, Interval(low, high, level, _F1_METHOD, _ESTIMAND))


@dataclass(frozen=True, slots=True)
class PairIcc:
    """An intraclass correlation of pairs, or a difference of two.

    Attributes:
        value: -1 to 1; None where it is undefined.
        interval: Over cases or clusters; None where it is undefined.
        undefined: Why there is no value or no interval; empty where both are there.
    """

    value: float | None
    interval: Interval | None
    undefined: str = ""


def pair_sums(x: _Floats, y: _Floats, case: NDArray[np.int64], cases: int) -> _Floats:
    """Add up what `pair_icc` needs of each case: pairs, Σ(x + y), Σ(x² + y²), Σxy.

    Example:
        >>> x, y = np.array([1.0, 2.0]), np.array([1.0, 3.0])
        >>> pair_sums(x, y, np.array([0, 0]), 1).tolist()
        [[2.0, 7.0, 15.0, 7.0]]
    """
    columns = (np.ones_like(x), x + y, x**2 + y**2, x * y)
    return np.column_stack(
        [np.bincount(case, weights=column_values, minlength=cases) for column_values in columns]
    )


def pair_icc(
    sums: _Floats, clusters: Sequence[Hashable] | None = None, *, level: float = 0.95
) -> PairIcc:
    """How far do the two numbers of a pair agree, where pairs differ from each other?

    r = Σ(x - m)(y - m) / (½ Σ [(x - m)² + (y - m)²]) over all pairs, m the mean of all x and y.
    1: the two are the same; 0: they are as apart as numbers of different pairs. One that is always
    higher than the other by the same amount lowers it. The interval is the jackknife's over cases
    on Fisher's scale, with C - 1 degrees of freedom (simulations/jury.md).

    Args:
        sums: Of `pair_sums`, shape (cases, 4).
        clusters: For each case the label of its cluster.
        level: Nominal coverage.

    Source: Fisher (1925), Statistical Methods for Research Workers, on pairs without an order.

    Example:
        >>> x = np.array([1.0, 2, 3, 4, 5, 3]); y = np.array([2.0, 2, 3, 5, 4, 3])
        >>> found = pair_icc(pair_sums(x, y, np.arange(6), 6))
        >>> round(found.value, 3), round(found.interval.low, 2)
        (0.823, 0.73)
    """
    from scipy.special import stdtrit

    whole, left = _leave_one_out(sums, clusters, _icc)
    if np.isnan(whole):
        return PairIcc(None, None, _FLAT)
    if np.abs(whole) >= 1 or bool((np.abs(left) >= 1).any()):
        return PairIcc(whole, None, _EDGE)
    error, why = _jackknife_error(np.arctanh(left))
    if why:
        return PairIcc(whole, None, why)
    half = float(stdtrit(left.size - 1, (1 + level) / 2)) * error
    low, high = (float(np.tanh(np.arctanh(whole) + side * half)) for side in (-1, 1))
    method = "jackknife over cases, Fisher's scale"
    return PairIcc(whole, Interval(low, high, level, method, _ESTIMAND))


def pair_icc_difference(
    sums: _Floats,
    others: _Floats,
    clusters: Sequence[Hashable] | None = None,
    *,
    level: float = 0.95,
) -> PairIcc:
    """Do the one pairs agree more than the others, on the same cases?

    Example:
        >>> x = np.array([1.0, 2, 3, 4, 5, 3]); y = np.array([2.0, 2, 3, 5, 4, 3])
        >>> one = pair_sums(x, y, np.arange(6), 6)
        >>> pair_icc_difference(one, one).value
        0.0
    """
    from scipy.special import stdtrit

    both = np.stack([sums, others], axis=1)
    whole, left = _leave_one_out(both, clusters, lambda of: _icc(of[:, 0]) - _icc(of[:, 1]))
    if np.isnan(whole):
        return PairIcc(None, None, _FLAT)
    error, why = _jackknife_error(left)
    if why:
        return PairIcc(whole, None, why)
    half = float(stdtrit(left.size - 1, (1 + level) / 2)) * error
    interval = Interval(
        max(-2.0, whole - half), min(2.0, whole + half), level, "jackknife over cases", _ESTIMAND
    )
    return PairIcc(whole, interval)


def _icc(sums: _Floats) -> _Floats:
    n, total, squares, products = (sums[..., i] for i in range(4))
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = total / (2 * n)
        spread = squares / 2 - n * mean**2
        value = (products - n * mean**2) / spread
    return np.where((n > 0) & (spread > 1e-12 * squares), value, np.nan)


def _leave_one_out(
    sums: _Floats,
    clusters: Sequence[Hashable] | None,
    statistic: Callable[[_Floats], _Floats],
) -> tuple[float, _Floats]:
    """Give the statistic over all cases, and without each case or cluster that has anything.

    Args:
        sums: What each case adds, shape (cases, ...).
        clusters: For each case the label of its cluster.
        statistic: From sums, shape (n, ...), to values, shape (n,); NaN where it is undefined.

    Example:
        >>> sums = np.array([[1.0, 2.0], [3.0, 4.0]])
        >>> whole, left = _leave_one_out(sums, None, lambda of: of[:, 0] / of[:, 1])
        >>> round(whole, 3), left.tolist()
        (0.667, [0.75, 0.5])
        >>> _leave_one_out(np.zeros((0, 2)), None, lambda of: of[:, 0])  # no case, no value
        (nan, array([], dtype=float64))
    """
    flat = sums_by_cluster(sums.reshape(len(sums), math.prod(sums.shape[1:])).T, clusters).T
    flat = flat[flat.any(axis=1)]
    shape = (-1, *sums.shape[1:])
    total = flat.sum(axis=0)
    whole = float(statistic(total.reshape(shape))[0]) if flat.size else float("nan")
    return whole, statistic((total - flat).reshape(shape))


def _jackknife_error(left: _Floats) -> tuple[float, str]:
    """Give the standard error sqrt((n - 1)/n Σ (θ₋ᵢ - θ̄)²), or why there is none.

    Source: Tukey (1958), doi:10.1214/aoms/1177706647.

    Example:
        >>> _jackknife_error(np.array([0.4, 0.5, 0.6]))[1], _jackknife_error(np.array([0.4]))
        ('', (0.0, 'one case shows no spread'))
    """
    if left.size < 2:  # noqa: PLR2004 - one case shows no spread
        return 0.0, "one case shows no spread"
    if not np.isfinite(left).all():
        return 0.0, _ONE_CASE
    error = float(np.sqrt((left.size - 1) / left.size * ((left - left.mean()) ** 2).sum()))
    return error, "" if error > 0 else _NO_SPREAD

"""How far yes-or-no labels of one rater match those of others: balanced F1, and what it allows."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats.intervals import Interval
from medassay.stats.jackknife import NO_SPREAD, jackknife_error, leave_one_out

__all__ = ["BalancedF1", "balanced_f1", "balanced_f1_difference", "mean_balanced_f1"]

_Counts = NDArray[np.float64]
_ESTIMAND: Final = "cases like these"
_METHOD: Final = "jackknife over cases, logit scale"
_ONE_CLASS: Final = "one of the two sides has only one of the two labels"


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
    whole, left = leave_one_out(both, clusters, lambda sums: _f1(sums)[:, 0] - _f1(sums)[:, 1])
    if np.isnan(whole):
        return BalancedF1(None, None, _ONE_CLASS)
    error, why = jackknife_error(left)
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

    whole, left = leave_one_out(counts, clusters, _mean_f1)
    if np.isnan(whole):
        return BalancedF1(None, None, _ONE_CLASS)
    inside = 0 < whole < 1 and bool(((left > 0) & (left < 1)).all())
    if np.isfinite(left).all() and not inside:
        return BalancedF1(whole, None, NO_SPREAD)
    error, why = jackknife_error(logit(left))
    if why:
        return BalancedF1(whole, None, why)
    half = float(stdtrit(left.size - 1, (1 + level) / 2)) * error
    low, high = (float(expit(logit(whole) + side * half)) for side in (-1, 1))
    return BalancedF1(whole, Interval(low, high, level, _METHOD, _ESTIMAND))

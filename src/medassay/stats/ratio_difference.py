"""Means of what cases hold, and the difference of two of them on the same cases."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats.intervals import Interval
from medassay.stats.jackknife import jackknife_error, leave_one_out

__all__ = ["RatioMean", "ratio_difference", "ratio_mean"]

_ESTIMAND: Final = "cases like these"
_METHOD: Final = "jackknife over cases"
_NOTHING: Final = "nothing was compared"
_Floats = NDArray[np.float64]


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

    whole, left = leave_one_out(sums, clusters, statistic)
    if np.isnan(whole):
        return RatioMean(None, None, undefined=_NOTHING)
    error, why = jackknife_error(left)
    if why:
        return RatioMean(whole, None, undefined=why)
    freedom = left.size - 1
    half = float(stdtrit(freedom, (1 + level) / 2)) * error
    low, high = max(float(-bound), whole - half), min(float(bound), whole + half)
    p = 2 * float(stdtr(freedom, -abs(whole) / error))
    return RatioMean(whole, Interval(low, high, level, _METHOD, _ESTIMAND), p)


def _mean(sums: _Floats) -> _Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        value = sums[..., 0] / sums[..., 1]
    return np.where(sums[..., 1] > 0, value, np.nan)

"""How far numbers of pairs agree: the intraclass correlation of pairs, over cases."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats.intervals import Interval
from medassay.stats.jackknife import jackknife_error, leave_one_out

__all__ = ["PairIcc", "pair_icc", "pair_icc_difference", "pair_sums"]

_ESTIMAND: Final = "cases like these"
_FLAT: Final = "all numbers are the same"
_EDGE: Final = "all pairs agree, so none shows how far this is certain"
_Floats = NDArray[np.float64]


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

    whole, left = leave_one_out(sums, clusters, _icc)
    if np.isnan(whole):
        return PairIcc(None, None, _FLAT)
    if np.abs(whole) >= 1 or bool((np.abs(left) >= 1).any()):
        return PairIcc(whole, None, _EDGE)
    error, why = jackknife_error(np.arctanh(left))
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
    whole, left = leave_one_out(both, clusters, lambda of: _icc(of[:, 0]) - _icc(of[:, 1]))
    if np.isnan(whole):
        return PairIcc(None, None, _FLAT)
    error, why = jackknife_error(left)
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

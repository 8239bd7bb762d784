"""An interval that knows what it is about."""

from math import sqrt
from typing import Final

import numpy as np

from medassay.annotations import Words, record
from medassay.api_checks import ArrayLike
from medassay.errors import InvalidInput, Problem

__all__ = [
    "Interval",
    "basic_interval",
    "bias_corrected_interval",
    "percentile_interval",
    "widened_interval",
]

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

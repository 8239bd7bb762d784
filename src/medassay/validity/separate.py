"""How many cases tell two systems apart?"""

import math

import numpy as np

from medassay.errors import InvalidInput, Problem
from medassay.validity.spread import Spread

__all__ = ["MOST_CASES", "cases_to_separate", "detectable_difference", "power_to_separate"]

MOST_CASES = 1_000_000
_FEWEST_CLUSTERS = 2


def power_to_separate(
    spread: Spread, difference: float, cases: int, labels: float, *, alpha: float = 0.05
) -> float:
    """How likely does a two-sided paired t test find a true difference of this size?

    P(|T| > t) where T has a noncentral t distribution with K − 1 degrees of freedom, K the clusters
    of cases, and noncentrality δ/√V; V is `Spread.difference_variance`. It supposes that every pair
    of systems varies as much as the average pair, and that means are near enough to normal.

    Args:
        spread: The study's variance.
        difference: δ, in the unit of the scale.
        cases: Cases that both systems answer.
        labels: Labels an answer; 1 for a metric.
        alpha: Level of the test.

    Source: Miller (2024), arXiv:2411.00640; noncentral t: Johnson & Welch (1940),
        doi:10.1093/biomet/31.3-4.362.

    Example:
        >>> from medassay.scores import Grid
        >>> from medassay.validity import spread_of_grid
        >>> values = np.array([[1.0, 2.0, 1.0], [3.0, 5.0, 2.0]])
        >>> found = spread_of_grid(Grid(("A", "B"), tuple("123"), values, values > 0))
        >>> round(power_to_separate(found, 1.0, 20, 1), 2)
        0.99
    """
    from scipy.special import nctdtr, stdtrit

    clusters = cases / spread.cluster_size
    if clusters < _FEWEST_CLUSTERS:
        return 0.0
    variance = spread.difference_variance(cases, labels)
    if variance <= 0:
        return 1.0 if difference > 0 else 0.0
    free = clusters - 1
    bar = float(stdtrit(free, 1 - alpha / 2))
    centre = abs(difference) / np.sqrt(variance)
    inside = _tail(nctdtr(free, centre, bar))
    below = _tail(nctdtr(free, centre, -bar))
    return min(1.0, max(0.0, 1 - inside + below))


def _tail(share: float) -> float:
    """Give 0 where the centre lies so far off that scipy has no value: it is lost in rounding."""
    return 0.0 if math.isnan(share) else float(share)


def cases_to_separate(
    spread: Spread,
    difference: float,
    labels: float,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
) -> int | None:
    """How many cases give the test this power; None where a million are too few.

    Raises:
        InvalidInput: The difference is not above 0, or power or alpha no probability.

    Example:
        >>> from medassay.scores import Grid
        >>> from medassay.validity import spread_of_grid
        >>> values = np.array([[1.0, 2.0, 1.0], [3.0, 5.0, 2.0]])
        >>> found = spread_of_grid(Grid(("A", "B"), tuple("123"), values, values > 0))
        >>> [cases_to_separate(found, size, 1) for size in (1.0, 0.5, 0.05)]
        [10, 34, 3142]
    """
    if not difference > 0:
        must = "be above 0, in the unit of the scale"
        raise InvalidInput(Problem("--detect", must, f"{difference:g}"))
    for name, value in (("--power", power), ("alpha", alpha)):
        if not 0 < value < 1:
            raise InvalidInput(Problem(name, "lie between 0 and 1", f"{value:g}"))

    def enough(cases: int) -> bool:
        return power_to_separate(spread, difference, cases, labels, alpha=alpha) >= power

    if not enough(MOST_CASES):
        return None
    low, high = 1, 2
    while not enough(high):
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def detectable_difference(
    spread: Spread, cases: int, labels: float, *, power: float = 0.8, alpha: float = 0.05
) -> float | None:
    """How small a difference does a test on so many cases find with this power?

    None with fewer than two clusters of cases, and where systems differ alike on every case: a
    spread of 0 in a few cases does not show that any difference would be found.
    """
    variance = spread.difference_variance(cases, labels)
    if cases / spread.cluster_size < _FEWEST_CLUSTERS or not variance > 0:
        return None
    unit = np.sqrt(variance)
    low, high = 0.0, 1.0
    while power_to_separate(spread, high * unit, cases, labels, alpha=alpha) < power:
        low, high = high, high * 2
    for _ in range(50):
        middle = (low + high) / 2
        enough = power_to_separate(spread, middle * unit, cases, labels, alpha=alpha) >= power
        low, high = (low, middle) if enough else (middle, high)
    return float(high * unit)

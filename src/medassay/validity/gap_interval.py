"""An interval for how much more a rater gives one system than the others, from few labels."""

import numpy as np
from numpy.typing import NDArray

from medassay.stats import Interval
from medassay.stats.clusters import blown_up

__all__ = ["gap_interval"]

_FEWEST: int = 2


def gap_interval(
    sums: NDArray[np.float64], *, estimand: str, level: float = 0.95
) -> Interval | None:
    """Which differences of two means are compatible with sums by case?

    The difference of means x̄ − ȳ is linearised: case c adds a_c − b_c, with a_c = Σ_c(x − x̄)/(n √(1
    − h_c)), h_c being the case's share of the n labels x, and b_c likewise. SE² = Σ (a_c − b_c)²,
    and t has the fewer degrees of freedom of the two (`bias_reduced`): where each of K cases holds
    as many, K − 1, and one system's labels are few. A
    percentile bootstrap of as few is too narrow, since it resamples no spread that it has not seen
    and knows no t; `simulations/coverage-favouring.md` has both.

    Args:
        sums: Shape (cases, 4): Σx, how many x, Σy, how many y.
        estimand: What it is an interval of.
        level: Nominal coverage.

    Returns:
        The interval; None where x or y lie in one case, or nothing varies.

    Example:
        >>> sums = np.array([[1.0, 1, 0, 1], [0.0, 1, 0, 1], [2.0, 1, 1, 1], [1.0, 1, -1, 1]])
        >>> found = gap_interval(sums, estimand="an example")  # 1 ± 3.18 · √(1/6)
        >>> round(found.low, 2), round(found.high, 2)
        (-0.3, 2.3)
    """
    from scipy.special import stdtrit

    if min(int((sums[:, 1] > 0).sum()), int((sums[:, 3] > 0).sum())) < _FEWEST:
        return None
    first, free = _parts(sums[:, 0], sums[:, 1])
    other, free_other = _parts(sums[:, 2], sums[:, 3])
    error = float(np.sqrt(((first - other) ** 2).sum()))
    if error == 0:
        return None
    total = sums.sum(axis=0)
    effect = float(total[0] / total[1] - total[2] / total[3])
    half = float(stdtrit(min(free, free_other), (1 + level) / 2)) * error
    return Interval(effect - half, effect + half, level, "t over cases", estimand)


def _parts(
    values: NDArray[np.float64], n: NDArray[np.float64]
) -> tuple[NDArray[np.float64], float]:
    """Give what each case adds to the mean's error, and its degrees of freedom."""
    mean = values.sum() / n.sum()
    sums, freedom = blown_up(values - mean * n, n)
    return sums / n.sum(), freedom

"""An interval for how much more a rater gives one system than the others, from few labels."""

import numpy as np
from numpy.typing import NDArray

from medassay.stats import Interval

__all__ = ["gap_interval"]

_FEWEST: int = 2


def gap_interval(
    sums: NDArray[np.float64], *, estimand: str, level: float = 0.95
) -> Interval | None:
    """Which differences of two means are compatible with sums by case?

    The difference of means x̄ − ȳ is linearised: case c adds a_c − b_c, with a_c = √(K/(K − 1)) ·
    Σ_c(x − x̄)/n over the K cases that hold an x, and b_c likewise. SE² = Σ (a_c − b_c)², and t has
    one degree of freedom less than the smaller of the two K: one system's labels are few. A
    percentile bootstrap of as few is too narrow, since it resamples no spread that it has not seen
    and knows no t; `design/coverage-favouring.md` has both.

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

    one, fewest_one = _parts(sums[:, 0], sums[:, 1])
    other, fewest_other = _parts(sums[:, 2], sums[:, 3])
    clusters = min(fewest_one, fewest_other)
    if clusters < _FEWEST:
        return None
    error = float(np.sqrt(((one - other) ** 2).sum()))
    if error == 0:
        return None
    total = sums.sum(axis=0)
    effect = float(total[0] / total[1] - total[2] / total[3])
    half = float(stdtrit(clusters - 1, (1 + level) / 2)) * error
    return Interval(effect - half, effect + half, level, "t over cases", estimand)


def _parts(values: NDArray[np.float64], n: NDArray[np.float64]) -> tuple[NDArray[np.float64], int]:
    """Give what each case adds to the mean's error, and how many cases hold a value."""
    held = int((n > 0).sum())
    if held < _FEWEST:
        return np.zeros_like(values), held
    mean = values.sum() / n.sum()
    parts: NDArray[np.float64] = np.sqrt(held / (held - 1)) * (values - mean * n) / n.sum()
    return parts, held

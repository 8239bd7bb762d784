"""Bounds for the mean of bounded values that hold however rare and heavy losses are."""

from collections.abc import Callable, Hashable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats.clusters import sums_by_cluster

__all__ = ["STAKES", "WEIGHTS", "betting_interval", "betting_p", "cases_needed"]

STAKES: Final = np.concatenate([[1.0], 2.0 ** -np.arange(1, 11)])
"""Which shares of the money are bet each time."""
WEIGHTS: Final = np.concatenate([[0.5], np.full(10, 0.05)])
"""How much of the money is bet so."""
_STEPS: Final = 60


def betting_p(
    values: NDArray[np.float64],
    mean: float,
    clusters: Sequence[Hashable] | None = None,
) -> float:
    """Test "the true mean is at most this" by values that cannot leave 0 to 1.

    Whoever bets the share λ of his money on each value being above the mean μ multiplies it by
    1 + λ(x/μ − 1), which gains nothing on average where the mean is μ or less. Money that has
    grown K-fold is as unlikely as 1/K, at whichever number of cases one looks (Ville). Here half of
    the money bets all it has each time and the rest shares of 1/2 to 1/1,024, so that K depends on
    no order. Of a cluster the sum of its gains is bet on, divided by the size of the largest.

    Args:
        values: From 0 to 1.
        mean: Above 0 and at most 1.
        clusters: For each value the label of its cluster; None: every value is its own.

    Source: Waudby-Smith and Ramdas (2024), doi:10.1093/jrsssb/qkad009; the stakes are ours.

    Example:
        >>> nothing_changed = np.full(300, 0.5)  # differences of 0 between scores of 0 to 1
        >>> round(betting_p(nothing_changed, 0.49), 4)
        0.0046
    """
    return float(np.exp(-max(0.0, _log_money(_gains_by(values, clusters), mean))))


def betting_interval(
    values: NDArray[np.float64],
    level: float,
    clusters: Sequence[Hashable] | None = None,
    *,
    times: NDArray[np.float64] | None = None,
) -> tuple[float, float]:
    """Find the means that `betting_p` rejects on neither side at half of what the level leaves.

    Args:
        values: From 0 to 1.
        level: Of the interval.
        clusters: As for `betting_p`.
        times: How often each value was seen; None: once. Only without clusters.

    Example:
        >>> low, high = betting_interval(np.full(300, 0.5), 0.95)
        >>> round(low, 3), round(high, 3)
        (0.493, 0.507)
    """
    enough = float(np.log(2 / (1 - level)))
    from_below = _gains_by(values, clusters)
    from_above = _gains_by(1 - values, clusters)
    low = _crossing(lambda mean: _log_money(from_below, mean, times) - enough)
    high = 1 - _crossing(lambda mean: _log_money(from_above, mean, times) - enough)
    return low, high


def cases_needed(margin: float, span: float, level: float) -> int:
    """Count the cases, all unchanged, below which no loss of the margin can be excluded.

    Args:
        margin: Above 0.
        span: The score's greatest value minus its least.
        level: Of the interval; half of what it leaves is the error of each side.

    Example:
        >>> cases_needed(0.02, 1.0, 0.95)
        216
    """
    if margin >= span:
        return 1
    enough = np.log(2 / (1 - level))
    gain = margin / (span - margin)
    n = 1
    while _mixed(n * np.log1p(STAKES * gain)) < enough:
        n += 1
    return n


_Gains = tuple[NDArray[np.float64], NDArray[np.float64], float]


def _gains_by(values: NDArray[np.float64], clusters: Sequence[Hashable] | None) -> _Gains:
    [sums] = sums_by_cluster(values[None], clusters)
    [sizes] = sums_by_cluster(np.ones((1, len(values))), clusters)
    return sums, sizes, float(sizes.max())


def _log_money(gain_sums: _Gains, mean: float, times: NDArray[np.float64] | None = None) -> float:
    sums, sizes, largest = gain_sums
    gains = np.maximum((sums / mean - sizes) / largest, -1.0)
    with np.errstate(divide="ignore"):  # who bets all and loses all has nothing left
        logs = np.log1p(STAKES[:, None] * gains)
    return _mixed((logs if times is None else logs * times).sum(axis=1))


def _mixed(logs: NDArray[np.float64]) -> float:
    return float(np.logaddexp.reduce(logs + np.log(WEIGHTS)))


def _crossing(height: Callable[[float], float]) -> float:
    """Halve 0 to 1 to the greatest mean that is rejected; what falls with the mean is asked."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if height(middle) >= 0 else (low, middle)
    return low

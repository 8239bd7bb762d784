"""Intervals of a difference of two shares: by Tango where cases are shared, else by M. and N."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from medassay.stats.intervals import Interval

__all__ = ["PairCounts", "joined_score_interval"]

_END: Final = 1 - 1e-12
_STEPS: Final = 100
_NEAR: Final = 1e-9
_STEEP: Final = 50.0
_ESTIMAND: Final = "these systems, new cases"


@dataclass(frozen=True, slots=True)
class PairCounts:
    """How often each of two systems was right.

    Attributes:
        shared: Cases that both have.
        only_first: Of them those that the first alone has right.
        only_second: Those that the second alone has right.
        own: Other cases of the first, and of the second.
        right: Of those, how many each has right.
    """

    shared: int
    only_first: int
    only_second: int
    own: tuple[int, int] = (0, 0)
    right: tuple[int, int] = (0, 0)


def joined_score_interval(counts: PairCounts, weight: float, level: float = 0.95) -> Interval:
    """Which differences of the two shares do shared and other cases leave possible?

    All δ with |√w · z_T(δ) + √(1 − w) · z_MN(δ)| ≤ z: z_T is Tango's score statistic of the shared
    cases, z_MN that of Miettinen and Nurminen of the others. With w = 1 it is Tango's interval,
    with w = 0 theirs.

    Args:
        counts: What was counted.
        weight: w, fixed before anybody knows which system was right; see `redrawn`.
        level: Coverage.

    Source: Tango (1998), doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B;
        Miettinen & Nurminen (1985), doi:10.1002/sim.4780040211.

    Example:
        >>> found = joined_score_interval(PairCounts(44, 1, 0), 1.0)
        >>> round(found.low, 4), round(found.high, 4)
        (-0.0594, 0.1181)
    """
    from scipy.special import ndtri

    bar = float(ndtri((1 + level) / 2))

    def score(delta: float) -> float:
        shared = np.sqrt(weight) * _tango(counts, delta) if weight > 0 else 0.0
        others = np.sqrt(1 - weight) * _two_shares(counts, delta) if weight < 1 else 0.0
        return float(shared + others)

    how = {0.0: "Miettinen-Nurminen", 1.0: "Tango"}.get(weight, "Tango and Miettinen-Nurminen")
    return Interval(_root(score, bar), _root(score, -bar), level, f"score ({how})", _ESTIMAND)


def _root(score: Callable[[float], float], bar: float) -> float:
    """Find where the score, which falls, crosses a bar; the end where it does not."""

    def over(delta: float) -> float:
        return min(max(score(delta) - bar, -_STEEP), _STEEP)

    low, high = -_END, _END
    above, below = over(low), over(high)
    if above <= 0:
        return -1.0
    if below >= 0:
        return 1.0
    middle = 0.0
    # False position, halving the end that stays (Illinois).
    for _ in range(_STEPS):
        middle = (low * below - high * above) / (below - above)
        value = over(middle)
        if abs(value) <= _NEAR or high - low <= _NEAR:
            break
        if value > 0:
            low, above, below = middle, value, below / 2
        else:
            high, below, above = middle, value, above / 2
    return float(middle)


def _tango(counts: PairCounts, delta: float) -> float:
    n, b, c = counts.shared, counts.only_first, counts.only_second
    linear = (2 * n - b + c) * delta - b - c
    free = -c * delta * (1 - delta)
    root = max(linear**2 - 8 * n * free, 0.0) ** 0.5
    # q is what the second alone has right, were the difference δ.
    q = (root - linear) / (4 * n) if linear <= 0 else -2 * free / (root + linear)
    variance = n * max(2 * q + delta * (1 - delta), 0.0)
    return _over(b - c - n * delta, variance)


def _two_shares(counts: PairCounts, delta: float) -> float:
    (m, n), (x, y) = counts.own, counts.right
    second = _restricted(x, m, y, n, delta)
    first = min(max(second + delta, 0.0), 1.0)
    variance = first * (1 - first) / m + second * (1 - second) / n
    total = m + n
    return _over(x / m - y / n - delta, variance * total / (total - 1) if total > 1 else 0.0)


def _restricted(x: int, m: int, y: int, n: int, delta: float) -> float:
    """Give the likeliest second share, were the first larger by δ: a root of a cubic."""
    total = m + n
    cube = float(total)
    square = (m + 2 * n) * delta - total - (x + y)
    linear = (n * delta - total - 2 * y) * delta + (x + y)
    free = y * delta * (1 - delta)
    q = (square / (3 * cube)) ** 3 - square * linear / (6 * cube**2) + free / (2 * cube)
    p = np.sign(q) * max((square / (3 * cube)) ** 2 - linear / (3 * cube), 0.0) ** 0.5
    if p == 0:
        return float(min(max(-square / (3 * cube), 0.0), 1.0))
    angle = (np.pi + np.arccos(min(max(q / p**3, -1.0), 1.0))) / 3
    low, high = max(0.0, -delta), min(1.0, 1 - delta)
    return float(min(max(2 * p * np.cos(angle) - square / (3 * cube), low), high))


def _over(gap: float, variance: float) -> float:
    if variance > 0:
        return float(gap / variance**0.5)
    return 0.0 if abs(gap) < 1 - _END else float(np.sign(gap) * np.inf)

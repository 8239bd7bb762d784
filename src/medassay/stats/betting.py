"""Bounds for the mean of bounded values by betting, at one look or at one every day."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats.intervals import sums_by_cluster

_STAKES: Final = np.concatenate([[1.0], 2.0 ** -np.arange(1, 11)])
"""Which shares of the money are bet each time."""
_WEIGHTS: Final = np.concatenate([[0.5], np.full(10, 0.05)])
"""How much of the money is bet so."""
_BETTING_STEPS: Final = 60
_Gains = tuple[NDArray[np.float64], NDArray[np.float64], float]
_Array = NDArray[np.float64]
_NOTHING: Final = -1e4
"""The logarithm of money that is all lost, for one value: exp of it is 0."""
_DRIFT_STEPS: Final = 1000


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
    while _mixed(n * np.log1p(_STAKES * gain)) < enough:
        n += 1
    return n


def _gains_by(values: NDArray[np.float64], clusters: Sequence[Hashable] | None) -> _Gains:
    [sums] = sums_by_cluster(values[None], clusters)
    [sizes] = sums_by_cluster(np.ones((1, len(values))), clusters)
    return sums, sizes, float(sizes.max())


def _log_money(gain_sums: _Gains, mean: float, times: NDArray[np.float64] | None = None) -> float:
    sums, sizes, largest = gain_sums
    gains = np.maximum((sums / mean - sizes) / largest, -1.0)
    with np.errstate(divide="ignore"):  # who bets all and loses all has nothing left
        logs = np.log1p(_STAKES[:, None] * gains)
    return _mixed((logs if times is None else logs * times).sum(axis=1))


def _mixed(logs: NDArray[np.float64]) -> float:
    return float(np.logaddexp.reduce(logs + np.log(_WEIGHTS)))


def _crossing(height: Callable[[float], float]) -> float:
    """Halve 0 to 1 to the greatest mean that is rejected; what falls with the mean is asked."""
    low, high = 0.0, 1.0
    for _ in range(_BETTING_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if height(middle) >= 0 else (low, middle)
    return low


@dataclass(frozen=True, slots=True)
class DriftTally:
    """Values from 0 to 1, rounded to thousandths, and how often each was seen.

    Attributes:
        values: The values, rising.
        times: How often, each at least once.
    """

    values: _Array
    times: _Array

    @classmethod
    def of(cls, values: Sequence[float] | _Array) -> "DriftTally":
        """Count values.

        Example:
            >>> tally = DriftTally.of([0.5, 1, 0.5])
            >>> tally.values.tolist(), tally.times.tolist(), len(tally), round(tally.mean, 3)
            ([0.5, 1.0], [2.0, 1.0], 3, 0.667)
        """
        steps, times = np.unique(np.rint(np.asarray(values) * _DRIFT_STEPS), return_counts=True)
        return cls(steps / _DRIFT_STEPS, times.astype(np.float64))

    @classmethod
    def joined(cls, tallies: Sequence["DriftTally"]) -> "DriftTally":
        """Add tallies up."""
        values, place = np.unique(np.concatenate([t.values for t in tallies]), return_inverse=True)
        times = np.zeros(len(values))
        np.add.at(times, place, np.concatenate([t.times for t in tallies]))
        return cls(values, times)

    def __len__(self) -> int:
        """Count the values."""
        return int(self.times.sum())

    @property
    def mean(self) -> float:
        """Give their mean."""
        return float(self.values @ self.times / self.times.sum())


@dataclass(frozen=True, slots=True)
class Drift:
    """A drift, as it was first seen.

    Attributes:
        seen: Place of the day on which it was seen.
        since: Place of the day from which on it is seen best.
        rises: Whether the mean rose.
    """

    seen: int
    since: int
    rises: bool


def baseline_interval(tally: DriftTally, error: float) -> tuple[float, float]:
    """Bound the mean from which a baseline was drawn: wrong at most this often.

    Example:
        >>> low, high = baseline_interval(DriftTally.of([0.0] * 950 + [1.0] * 50), 0.05)
        >>> round(low, 3), round(high, 3)
        (0.029, 0.08)
    """
    return betting_interval(tally.values, 1 - error, times=tally.times)


def mean_since(days: Sequence[DriftTally], day: int, error: float) -> tuple[float, float]:
    """Bound the mean of all days from this calendar day on, at the error that `first_drift` gives.

    Args:
        days: Those from the day on, with what they hold.
        day: Its number, 1 for the first day of all.
        error: Of the quantity as a whole, all days on which a drift can begin together.
    """
    tally = DriftTally.joined(days)
    return betting_interval(tally.values, 1 - error / (day * (day + 1)), times=tally.times)


def first_drift(
    days: Sequence[DriftTally],
    baseline: tuple[float, float],
    error: float,
    numbers: Sequence[int] | None = None,
) -> Drift | None:
    """Find the first day on which a mean is seen to lie beside its baseline's interval.

    From each day on a confidence sequence of the mean is kept, which holds at every later look:
    the k-th day's is wrong with chance error / (k (k + 1)), and these add up to the error however
    many days there are. A drift is seen when one of them lies beside the baseline's interval. So
    a drift that begins late is not thinned by the days before it.

    Args:
        days: The values of each day, in their order. A day without values says nothing.
        baseline: Between what the baseline's mean lies.
        error: The chance that any day is ever called a drift, if each value is expected within
            the baseline's interval, whatever came before it.
        numbers: The number of each day, 1 for the first; None: they follow one another. Days that
            are left out keep their number, so that what comes late changes none.

    Returns:
        The first drift; None where there is none.

    Source: Waudby-Smith and Ramdas (2024), doi:10.1093/jrsssb/qkad009, for the bets; Shin, Ramdas
    and Rinaldo (2024), doi:10.51387/23-NEJSDS51, for starting one each day.

    Example:
        >>> usual, more = DriftTally.of([0] * 95 + [1] * 5), DriftTally.of([0] * 60 + [1] * 40)
        >>> first_drift([usual] * 20, (0.03, 0.08), 0.01)
        >>> first_drift([usual] * 20 + [more] * 2, (0.03, 0.08), 0.01)
        Drift(seen=20, since=20, rises=True)
    """
    low, high = baseline
    counted = np.arange(1.0, len(days) + 1) if numbers is None else np.asarray(numbers, np.float64)
    enough = np.log(2 / error) + np.log(counted * (counted + 1))
    values = np.unique(np.concatenate([day.values for day in days]))
    times = np.zeros((len(days), len(values)))
    for place, day in enumerate(days):
        times[place, np.searchsorted(values, day.values)] = day.times
    rise = _first(values, times, high, enough)
    fall = _first(1 - values, times, 1 - low, enough)
    found = [Drift(*at, rises) for at, rises in ((rise, True), (fall, False)) if at is not None]
    return min(found, key=lambda drift: drift.seen, default=None)


def _first(values: _Array, times: _Array, mean: float, enough: _Array) -> tuple[int, int] | None:
    """Find the first day on which who bets against a mean has enough, and since when he bets."""
    if mean >= 1 or not len(values):
        return None
    gains = np.maximum(values / mean - 1, -1.0)
    with np.errstate(divide="ignore"):
        logs = np.maximum(np.log1p(_STAKES[:, None] * gains), _NOTHING)
    sums = np.zeros((len(_STAKES), len(times) + 1))
    sums[:, 1:] = (logs @ times.T).cumsum(axis=1)
    within = np.log(len(_STAKES))  # of all money the best stake's share is no less than this
    rise = sums - np.minimum.accumulate(sums, axis=1) + np.log(_WEIGHTS)[:, None]
    if rise.max() + within < enough.min():
        return None
    money = sums[:, 1:, None] - sums[:, None, :-1] + np.log(_WEIGHTS)[:, None, None]
    best = np.where(np.tri(len(times), dtype=bool), money.max(axis=0), -np.inf)
    may = best + within >= enough  # bets until a day (down) since another (across)
    for seen in np.flatnonzero(may.any(axis=1)):
        since = np.flatnonzero(may[seen])
        over = np.logaddexp.reduce(money[:, seen, since], axis=0) - enough[since]
        if over.max() >= 0:
            return int(seen), int(since[over.argmax()])
    return None

"""Whether a mean has left where it was, looked at every day, for as many days as there are."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats.betting import STAKES, WEIGHTS, betting_interval

__all__ = ["Drift", "Tally", "baseline_interval", "first_drift", "mean_since"]

_Array = NDArray[np.float64]
_NOTHING: Final = -1e4
"""The logarithm of money that is all lost, for one value: exp of it is 0."""
_STEPS: Final = 1000


@dataclass(frozen=True, slots=True)
class Tally:
    """Values from 0 to 1, rounded to thousandths, and how often each was seen.

    Attributes:
        values: The values, rising.
        times: How often, each at least once.
    """

    values: _Array
    times: _Array

    @classmethod
    def of(cls, values: Sequence[float] | _Array) -> "Tally":
        """Count values.

        Example:
            >>> tally = Tally.of([0.5, 1, 0.5])
            >>> tally.values.tolist(), tally.times.tolist(), len(tally), round(tally.mean, 3)
            ([0.5, 1.0], [2.0, 1.0], 3, 0.667)
        """
        steps, times = np.unique(np.rint(np.asarray(values) * _STEPS), return_counts=True)
        return cls(steps / _STEPS, times.astype(np.float64))

    @classmethod
    def joined(cls, tallies: Sequence["Tally"]) -> "Tally":
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


def baseline_interval(tally: Tally, error: float) -> tuple[float, float]:
    """Bound the mean from which a baseline was drawn: wrong at most this often.

    Example:
        >>> low, high = baseline_interval(Tally.of([0.0] * 950 + [1.0] * 50), 0.05)
        >>> round(low, 3), round(high, 3)
        (0.029, 0.08)
    """
    return betting_interval(tally.values, 1 - error, times=tally.times)


def mean_since(days: Sequence[Tally], day: int, error: float) -> tuple[float, float]:
    """Bound the mean of all days from this calendar day on, at the error that `first_drift` gives.

    Args:
        days: Those from the day on, with what they hold.
        day: Its number, 1 for the first day of all.
        error: Of the quantity as a whole, all days on which a drift can begin together.
    """
    tally = Tally.joined(days)
    return betting_interval(tally.values, 1 - error / (day * (day + 1)), times=tally.times)


def first_drift(
    days: Sequence[Tally],
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
        >>> usual, more = Tally.of([0] * 95 + [1] * 5), Tally.of([0] * 60 + [1] * 40)
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
        logs = np.maximum(np.log1p(STAKES[:, None] * gains), _NOTHING)
    sums = np.zeros((len(STAKES), len(times) + 1))
    sums[:, 1:] = (logs @ times.T).cumsum(axis=1)
    within = np.log(len(STAKES))  # of all money the best stake's share is no less than this
    rise = sums - np.minimum.accumulate(sums, axis=1) + np.log(WEIGHTS)[:, None]
    if rise.max() + within < enough.min():
        return None
    money = sums[:, 1:, None] - sums[:, None, :-1] + np.log(WEIGHTS)[:, None, None]
    best = np.where(np.tri(len(times), dtype=bool), money.max(axis=0), -np.inf)
    may = best + within >= enough  # bets until a day (down) since another (across)
    for seen in np.flatnonzero(may.any(axis=1)):
        since = np.flatnonzero(may[seen])
        over = np.logaddexp.reduce(money[:, seen, since], axis=0) - enough[since]
        if over.max() >= 0:
            return int(seen), int(since[over.argmax()])
    return None

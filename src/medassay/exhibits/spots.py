"""Cells of a first screen's figure that several designs share."""

from math import floor, log10
from typing import Final

from medassay.exhibits.numbers import percent_words, span_words
from medassay.exhibits.overview import Lane, Links, Spot
from medassay.stats import Interval

__all__ = [
    "PERCENT",
    "counted_spot",
    "intervals_words",
    "missing_spot",
    "percent_spot",
    "share_lane",
    "spot_of",
]

PERCENT: Final = 100
_ROUND: Final = (1.0, 2.0, 2.5, 5.0, 10.0)


def missing_spot(why: str, leads: Links | None = None) -> Spot:
    """Make a cell for a value that is not there, with its reason."""
    return Spot("none", why=why, leads=leads)


def spot_of(
    value: float, around: Interval | None, decimals: int, leads: Links | None = None
) -> Spot:
    """Make a cell of an estimate with its interval."""
    text = f"{value:.{decimals}f}".replace("-", "−")
    if around is None:
        return Spot(text, value=value, leads=leads)
    span = span_words(around.low, around.high, decimals)
    return Spot(text, f"({span})", value, around.low, around.high, leads=leads)


def counted_spot(
    found: int, n: int, low: float | None, high: float | None, leads: Links | None = None
) -> Spot:
    """Make a cell of a count with the interval of its share, in whole percent rounded outward."""
    aside = ""
    if low is not None and high is not None:
        aside = f"({span_words(PERCENT * low, PERCENT * high, 0)}%)"
    return Spot(f"{found:,} of {n:,}", aside, found / n, low, high, leads=leads)


def percent_spot(share: float, around: Interval | None, n: int, leads: Links | None = None) -> Spot:
    """Make a cell of a share over n answers, in percent; its interval is rounded outward."""
    text = percent_words(share, n)
    if around is None:
        return Spot(text, value=share, leads=leads)
    span = f"({span_words(PERCENT * around.low, PERCENT * around.high, 0)}%)"
    return Spot(text, span, share, around.low, around.high, leads=leads)


def share_lane(title: str, shown: list[Spot], *, harm: bool = False) -> Lane:
    """Make a lane of shares from 0 to a round percent beyond what is shown."""
    ends = [end for spot in shown for end in (spot.value, spot.high) if end is not None]
    top = max(ends, default=0.0)
    if top <= 0:
        top = 1.0
    power = 10.0 ** floor(log10(top))
    high = min(1.0, next(step * power for step in _ROUND if step * power >= top - 1e-12))
    return Lane(title, (0.0, high), ("0%", f"{PERCENT * high:g}%"), harm=harm)


def intervals_words(intervals: list[Interval | None]) -> str:
    """Say what the intervals are, once for all of them; empty where there is none."""
    levels = dict.fromkeys(round(PERCENT * i.level, 3) for i in intervals if i is not None)
    return f"{'/'.join(f'{level:g}%' for level in levels)} CI over cases" if levels else ""

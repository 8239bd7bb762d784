"""What a monitor comes to, in sentences."""

from datetime import date
from typing import Final

from medassay.analyses.monitor import Course, Monitored
from medassay.exhibits.numbers import Style, count_of, listed

__all__ = ["between", "drift_words", "headline", "plain_day", "promise", "shown"]

_NAMED: Final = 3
_PERCENT, _SCORE = Style(1), Style(3, drop_zero=True)


def shown(course: Course, value: float | None) -> str:
    """Print a value of a quantity."""
    if value is None:
        return "–"
    return f"{_PERCENT(100 * value)}\u00a0%" if course.unit else _SCORE(value)


def between(course: Course, low: float | None, high: float | None) -> str:
    """Print between what a value lies."""
    if low is None or high is None:
        return "–"
    if course.unit:
        return f"{_PERCENT(100 * low)} to {_PERCENT(100 * high)}\u00a0%"
    return f"{_SCORE(low)} to {_SCORE(high)}"


def plain_day(day: str) -> str:
    """Print a day as people say it.

    Example:
        >>> plain_day("2026-03-01")
        '1 March 2026'
    """
    on = date.fromisoformat(day)
    return f"{on.day} {_MONTHS[on.month - 1]} {on.year}"


def headline(monitored: Monitored) -> str:
    """Say in one sentence whether anything has drifted."""
    over = f"in {count_of(len(monitored.days), 'day')} and {count_of(monitored.answers, 'answer')}"
    if not monitored.drifted:
        return f"No drift seen {over}, in any of {len(monitored.courses)} watched quantities."
    named = [course.title for course in monitored.drifted[:_NAMED]]
    more = len(monitored.drifted) - len(named)
    who = listed([*named, *([f"{more} more"] if more else [])])
    return f"Drifted: {who}."


def drift_words(course: Course) -> str:
    """Say of a quantity how it drifted, since when, and when that was first seen."""
    way = "up" if course.rises else "down"
    worse = "" if course.better is None else ", to the worse" if course.worse else ", to the better"
    return (
        f"{course.title} went {way}{worse}, first seen on {plain_day(course.seen or '')}: since "
        f"{plain_day(course.since or '')} {shown(course, course.mean)} "
        f"({between(course, course.mean_low, course.mean_high)}), baseline "
        f"{shown(course, course.baseline)} ({between(course, course.low, course.high)})."
    )


def promise(monitored: Monitored) -> str:
    """Say what holds of all days together."""
    share = round(100 * monitored.error)
    return (
        f"Where nothing changes, at most {share} of 100 monitors ever say that something drifted, "
        "however many days they run and however often somebody looks: half of that is spent on the "
        f"baseline and half on the days, each divided evenly over the {len(monitored.courses)} "
        "quantities, and that of the days over every day on which a drift could begin (a half for "
        "the first, a sixth for the second, 1/(k(k+1)) for the k-th)."
    )


_MONTHS: Final = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip

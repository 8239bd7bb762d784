"""A quantity over the days, drawn small: days as dots, weeks as a line, the baseline as a band."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Final

from medassay.analyses.monitor import Course
from medassay.report.monitor.words import shown

__all__ = ["Chart", "Point", "chart"]

WIDTH: Final = 340.0
HEIGHT: Final = 128.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 8.0, 48.0, 10.0, 20.0
_LEAST: Final = 0.02
_LABELS: Final = 4
_LEAST_DAYS: Final = 13
_MONTHS: Final = (
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Point:
    """Where something stands, and what is said of it."""

    x: str
    y: str
    says: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """Places of all that is drawn, in units of the drawing.

    Attributes:
        dots: Days.
        line: Points of the weeks' line.
        band: Top and height of the baseline's interval.
        base: Height of its mean.
        since: Where the drift begins, where there is one.
        seen: Where it was first seen.
        ends: The values at top and bottom.
        days: Labels below.
    """

    dots: list[Point]
    line: str
    band: tuple[str, str]
    base: Point
    since: str
    seen: str
    ends: tuple[Point, Point]
    days: list[Point]
    left: str = f"{_LEFT:g}"
    right: str = f"{WIDTH - _RIGHT:g}"
    top: str = f"{_TOP:g}"
    bottom: str = f"{HEIGHT - _BOTTOM:g}"


def chart(course: Course) -> Chart:
    """Place a quantity's days, weeks and baseline."""
    on = [date.fromisoformat(day.day).toordinal() for day in course.days]
    first, span = on[0], max(on[-1] - on[0], _LEAST_DAYS)
    values = [day.mean for day in course.days if day.mean is not None]
    low, high = min([*values, course.low]), max([*values, course.high])
    room = max((high - low) * 0.08, _LEAST / 2)
    low, high = max(0.0, low - room), min(1.0, high + room)

    def across(day: int) -> str:
        inside = WIDTH - _LEFT - _RIGHT
        return f"{_LEFT + inside * min(1.0, max(0.0, (day - first) / span)):.1f}"

    def down(value: float) -> str:
        return f"{_TOP + (HEIGHT - _TOP - _BOTTOM) * (high - value) / (high - low):.1f}"

    dots = [
        Point(across(x), down(day.mean), f"{day.day}: {shown(course, day.mean)} of {day.answers:,}")
        for x, day in zip(on, course.days, strict=True)
        if day.mean is not None
    ]
    weeks = [
        f"{across(min(date.fromisoformat(week.day).toordinal() + 3, on[-1]))},{down(week.mean)}"
        for week in course.weeks
        if week.mean is not None
    ]
    height = float(down(course.low)) - float(down(course.high))
    return Chart(
        dots=dots,
        line=" ".join(weeks),
        band=(down(course.high), f"{max(height, 1.0):.1f}"),
        base=Point("", down(course.baseline), shown(course, course.baseline)),
        since=across(date.fromisoformat(course.since).toordinal()) if course.since else "",
        seen=across(date.fromisoformat(course.seen).toordinal()) if course.seen else "",
        ends=(Point("", f"{_TOP + 4:g}", shown(course, high)),
              Point("", f"{HEIGHT - _BOTTOM:g}", shown(course, low))),
        days=_labels(first, on[-1], across),
    )  # fmt: skip


def _labels(first: int, last: int, across: Callable[[int], str]) -> list[Point]:
    """Name the first day, and Mondays about a quarter of the way apart."""
    mondays = [day for day in range(first, last + 1) if date.fromordinal(day).weekday() == 0]
    step = max(1, -(-len(mondays) // _LABELS))
    days = mondays[::step] or [first]
    return [Point(across(day), f"{HEIGHT - 5:g}", _short(day)) for day in days]


def _short(day: int) -> str:
    on = date.fromordinal(day)
    return f"{on.day} {_MONTHS[on.month - 1]}"

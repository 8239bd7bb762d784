"""The page of a monitor, which a quality lead keeps open, and its sentences."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, Final

from medassay.analyses.monitor import Course, Monitored
from medassay.exhibits.claim import VerdictRow, measured_in
from medassay.exhibits.numbers import Style, count_of, listed
from medassay.report.template_files import template_text, templates
from medassay.tables import text_bytes

if TYPE_CHECKING:
    from jinja2 import Environment

_NAMED: Final = 3
_PERCENT, _SCORE = Style(1), Style(3, bounded=True)


def shown(course: Course, value: float | None) -> str:
    """Print a value of a quantity."""
    if value is None:
        return "–"
    return f"{_PERCENT(100 * value)}%" if course.unit else _SCORE(value)


def between(course: Course, low: float | None, high: float | None) -> str:
    """Print between what a value lies."""
    if low is None or high is None:
        return "–"
    if course.unit:
        return f"{_PERCENT(100 * low)} to {_PERCENT(100 * high)}%"
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
    return (
        f"Check: {who} moved from the baseline. Where answers of one day resemble each other, that "
        "alone can do it: no lasting drift is shown then."
    )


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
        "the first, a sixth for the second, 1/(k(k+1)) for the k-th). "
        f"{measured_in(VerdictRow.MONITOR)}."
    )


_MONTHS: Final = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip


WIDTH: Final = 340.0
HEIGHT: Final = 128.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 8.0, 48.0, 10.0, 20.0
_LEAST: Final = 0.02
_LABELS: Final = 4
_LEAST_DAYS: Final = 13
_SHORT_MONTHS: Final = (
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
    return f"{on.day} {_SHORT_MONTHS[on.month - 1]}"


_QUEUED: Final = 20
_CUT: Final = 400
_KINDS: Final = {"questions": "What is asked", "answers": "How it is answered", "scores": "Scores"}


def monitor_page(monitored: Monitored) -> bytes:
    """Render a monitor as it stands; the same monitor gives the same bytes."""
    by_kind: dict[str, list[Course]] = {}
    for course in monitored.courses:
        by_kind.setdefault(course.kind, []).append(course)
    order = sorted(
        by_kind, key=lambda kind: (not by_kind[kind][0].drifted, list(_KINDS).index(kind))
    )
    text = (
        _environment()
        .get_template("monitor.html.j2")
        .render(
            monitored=monitored,
            headline=headline(monitored),
            promise=promise(monitored),
            groups=[(_KINDS[kind], by_kind[kind]) for kind in order],
            queue=monitored.queue[:_QUEUED],
            style=template_text("style.css") + template_text("monitor.css"),
        )
    )
    return text_bytes(text)


@cache
def _environment() -> "Environment":
    made = templates()
    made.globals |= {"chart": chart, "width": WIDTH, "height": HEIGHT, "count_of": count_of}
    made.globals |= {"shown": shown, "between": between, "drift_words": drift_words}
    made.filters |= {"plain_day": plain_day, "cut": _cut}
    return made


def _cut(text: str) -> str:
    return text if len(text) <= _CUT else f"{text[:_CUT].rsplit(' ', 1)[0]} …"

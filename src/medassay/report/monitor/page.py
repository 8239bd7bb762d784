"""The page of a monitor: one HTML file that needs nothing else, and asks for nothing."""

from functools import cache
from typing import TYPE_CHECKING, Final

from medassay.analyses.monitor import Course, Monitored
from medassay.exhibits.numbers import count_of
from medassay.report.monitor.chart import HEIGHT, WIDTH, chart
from medassay.report.monitor.words import (
    between,
    drift_words,
    headline,
    plain_day,
    promise,
    shown,
)
from medassay.report.template_files import template_text, templates
from medassay.tables import text_bytes

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["monitor_page"]

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

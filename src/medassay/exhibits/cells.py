"""Cells that many tables share."""

import re
from collections.abc import Iterable

from medassay.exhibits.numbers import PROPORTION, Style, bounds, level, shown_p
from medassay.exhibits.sentences import as_sentence
from medassay.exhibits.table import Cell, Dot
from medassay.stats import Interval

__all__ = [
    "NONE",
    "count",
    "estimate",
    "estimate_fields",
    "how",
    "missing",
    "named",
    "no_such",
    "p_cell",
    "text",
    "written",
]

NONE = "none"
"""Stands where there is no value; its reason comes on demand."""


def text(value: str, *, aside: str = "", detail: str = "", code: bool = False) -> Cell:
    """Make a cell of words."""
    return Cell(value, (value,), aside=aside, detail=detail, code=code)


def written(value: str) -> Cell:
    """Make a cell of what a case or an answer says, without the marks of Markdown's bold."""
    return Cell(re.sub(r"\*\*(?=\S)([^*\n]*\S)\*\*", r"\1", value), (value,))


def count(value: int, detail: str = "") -> Cell:
    """Make a cell of a count."""
    return Cell(f"{value:,}", (value,), detail=detail)


def named(title: str, name: str) -> Cell:
    """Make a cell that prints a title and writes the id to files."""
    return Cell(title, (name,))


def no_such(fields: int = 1) -> Cell:
    """Make a cell for what cannot be, such as a system against itself."""
    return Cell("–", (None,) * fields)


def missing(reason: str, fields: int = 1) -> Cell:
    """Make a cell for a value that is not there: a word, and its reason on demand."""
    return Cell(NONE, (None,) * fields, detail=as_sentence(reason), missing=True)


def estimate_fields(name: str) -> tuple[str, str, str, str]:
    """Name the CSV columns that `estimate` fills."""
    return (name, f"{name}_low", f"{name}_high", f"{name}_reason")


def estimate(
    value: float | None,
    interval: Interval | None,
    reason: str,
    style: Style = PROPORTION,
    axis: tuple[float, float] | None = None,
) -> Cell:
    """Make a cell of a value with its interval, or of the reason why there is none."""
    if value is None:
        return Cell(NONE, (None, None, None, reason), detail=as_sentence(reason), missing=True)
    low, high = (interval.low, interval.high) if interval else (None, None)
    return Cell(
        style(value),
        (value, low, high, ""),
        aside=bounds(interval, style),
        draw=Dot(value, low, high, *axis) if axis else None,
        bounded=style.bounded,
    )


def how(intervals: Iterable[Interval | None]) -> str:
    """Say once, for a caption, what the intervals of a table are intervals for."""
    known = [f"{level(i)}, {i.method}, for {i.estimand}" for i in intervals if i is not None]
    return f"Intervals: {'; '.join(dict.fromkeys(known))}." if known else ""


def p_cell(p: float | None, reason: str = "") -> Cell:
    """Make a cell of a p-value."""
    return missing(reason) if p is None else Cell(shown_p(p), (p,), bounded=True)

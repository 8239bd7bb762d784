"""Columns of a table as LaTeX needs them: how wide each is, and which may break its lines."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from medassay.report.latex.widths import longest_word, width
from medassay.report.tables import Cell, Column

__all__ = ["Measured", "broken", "measured", "under_groups"]

_ASIDE: Final = 0.85
"""The type of an interval beside its estimate, in that of the table."""
_LONGEST: Final = 9.0
"""A heading is broken into lines no narrower than this, in em, unless a word is longer."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One column with its widths in em of the table's type.

    Attributes:
        column: The column.
        heading: The lines of its heading.
        natural: Its width where no line is broken.
        least: Its longest word.
        apart: Its asides stand in a column of their own, so that estimates and intervals line up.
    """

    column: Column
    heading: tuple[str, ...]
    natural: float
    least: float
    apart: bool


def measured(column: Column, cells: Sequence[Cell]) -> Measured:
    """Measure one column."""
    apart = column.numeric and any(cell.aside for cell in cells)
    texts = [f"{cell.text}{'a' if cell.missing and cell.detail else ''}" for cell in cells]
    asides = [cell.aside for cell in cells]
    body = max((width(text) for text in texts), default=0.0)
    beside = max((_ASIDE * width(text) for text in asides), default=0.0)
    if apart:
        body += beside + 0.4
    else:
        own = (width(t) + _ASIDE * width(f" {a}") for t, a in zip(texts, asides, strict=True) if a)
        body = max([body, *own])
    words = max((longest_word(text) for text in texts), default=0.0)
    heading = _heading(column, body)
    head = max(map(width, heading))
    return Measured(column, heading, max(body, head), max(words, head), apart)


def under_groups(columns: Iterable[Measured]) -> list[Measured]:
    """Widen the last column under a heading of several that is wider than they are."""
    widened: list[Measured] = []
    for group, several in groupby(columns, key=lambda column: column.column.group):
        own = list(several)
        if group:
            room = sum(column.natural for column in own)
            more = max(map(width, broken(group, room))) - room
            if more > 0:
                own[-1] = replace(own[-1], natural=own[-1].natural + more)
        widened += own
    return widened


def _heading(column: Column, body: float) -> tuple[str, ...]:
    """Break a heading where its column is narrower than it."""
    return broken(column.title, max(body, _LONGEST if column.wide else 0.0))


def broken(text: str, room: float) -> tuple[str, ...]:
    """Break a heading into lines of so many em, or of its longest word.

    Example:
        >>> broken("Adjusted p", 5.0), broken("Adjusted p", 2.0)
        (('Adjusted p',), ('Adjusted', 'p'))
    """
    most = max(room, longest_word(text))
    lines: list[str] = []
    for word in text.split() or [""]:
        if lines and width(f"{lines[-1]} {word}") <= most:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return tuple(lines)

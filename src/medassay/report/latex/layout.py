"""How a table is put on a page: type size, upright or turned, over pages, or in parts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Final

from medassay.report.latex.columns import Measured, measured, under_groups
from medassay.report.latex.widths import width
from medassay.report.tables import Row, Table

__all__ = ["GAP", "Layout", "laid_out"]

GAP: Final = 3.0
"""Points on either side of a column."""
_SURE: Final = 0.96
"""Widths are known to a few hundredths only."""


@dataclass(frozen=True, slots=True)
class _Way:
    """One way to set a table.

    Attributes:
        size: The command of the type.
        em: Points of an em.
        line: Points of the line's width.
        rows: Lines that a page holds beside a caption.
        turned: Over the height of the page.
        most: A column of words breaks its lines from so many em on.
        least: A broken column is at least so wide, in em.
    """

    size: str
    em: float
    line: float
    rows: int
    turned: bool
    most: float
    least: float


# A4 with margins of 25 mm: 455 pt by 702 pt.
_WAYS: Final = (
    _Way("small", 9.3, 455, 42, turned=False, most=20, least=14),
    _Way("footnotesize", 8.55, 455, 50, turned=False, most=18, least=12),
    _Way("scriptsize", 8.0, 455, 56, turned=False, most=16, least=11),
    _Way("footnotesize", 8.55, 690, 28, turned=True, most=18, least=12),
    _Way("scriptsize", 8.0, 690, 32, turned=True, most=14, least=8),
)


@dataclass(frozen=True, slots=True)
class Layout:
    """How one table, or a part of one, is set.

    Attributes:
        columns: Its columns, measured.
        places: Where they stand in the whole table.
        shares: The part of the line's width of each column that breaks its lines; None elsewhere.
        size: The command of the type.
        turned: Over the height of the page.
        long: It goes on over pages.
        filled: The part of the line's width that the table takes.
    """

    columns: tuple[Measured, ...]
    places: tuple[int, ...]
    shares: tuple[float | None, ...]
    size: str
    turned: bool
    long: bool
    filled: float


def laid_out(table: Table) -> list[Layout]:
    """Choose the largest type in which a table fits; a table too wide for all goes in parts.

    Each part begins with the first column.
    """
    columns = under_groups(
        measured(column, [row.cells[at] for row in table.rows])
        for at, column in enumerate(table.columns)
    )
    layouts: list[Layout] = []
    todo = list(range(len(columns)))
    while todo:
        taken = _most_that_fit(columns, todo if not layouts else [0, *todo])
        layout = _set([columns[at] for at in taken]) or _forced([columns[at] for at in taken])
        layouts.append(replace(layout, places=tuple(taken), long=_is_long(table, layout, taken)))
        todo = [at for at in todo if at not in taken]
    return layouts


def _most_that_fit(columns: Sequence[Measured], places: list[int]) -> list[int]:
    """Take as many columns as a page can hold, and never less than the first two."""
    for many in range(len(places), 2, -1):
        if _set([columns[at] for at in places[:many]]) is not None:
            return places[:many]
    return places[:2]


def _set(columns: list[Measured]) -> Layout | None:
    return next(filter(None, (_fit(columns, way) for way in _WAYS)), None)


def _fit(columns: list[Measured], way: _Way) -> Layout | None:
    room = _SURE * way.line - 2 * GAP * (len(columns) - 1)
    breaks = [_breaks(column, way) for column in columns]
    fixed = sum(
        way.em * column.natural
        for column, broken in zip(columns, breaks, strict=True)
        if not broken
    )
    least = [
        way.em * min(column.natural, max(column.least, way.least)) if broken else 0.0
        for column, broken in zip(columns, breaks, strict=True)
    ]
    spare = room - fixed - sum(least)
    if spare < 0:
        return None
    wish = [
        way.em * column.natural - own if broken else 0.0
        for column, own, broken in zip(columns, least, breaks, strict=True)
    ]
    part = min(1.0, spare / sum(wish)) if sum(wish) > 0 else 0.0
    shares = tuple(
        (own + part * more) / way.line if broken else None
        for own, more, broken in zip(least, wish, breaks, strict=True)
    )
    taken = fixed + sum(least) + part * sum(wish) + 2 * GAP * (len(columns) - 1)
    places = tuple(range(len(columns)))
    return Layout(
        tuple(columns), places, shares, way.size, way.turned, long=False, filled=taken / way.line
    )


def _forced(columns: list[Measured]) -> Layout:
    """Set two columns that are too wide even so: both break wherever they must."""
    way = _WAYS[-1]
    total = sum(column.natural for column in columns)
    room = 1 - 2 * GAP * (len(columns) - 1) / way.line
    shares = tuple(room * max(0.2, min(0.8, column.natural / total)) for column in columns)
    places = tuple(range(len(columns)))
    return Layout(
        tuple(columns), places, shares, way.size, way.turned, long=False, filled=sum(shares)
    )


def _breaks(column: Measured, way: _Way) -> bool:
    return not column.column.numeric and column.natural > way.most


def _is_long(table: Table, layout: Layout, places: Sequence[int]) -> bool:
    """Say whether the table is higher than a page."""
    way = next(w for w in _WAYS if (w.size, w.turned) == (layout.size, layout.turned))
    caption = ceil(width(table.caption) * 10 / way.line)
    lines = caption + 2 + sum(_lines(row, layout, places, way) for row in table.rows)
    return lines + len(table.groups) > way.rows


def _lines(row: Row, layout: Layout, places: Sequence[int], way: _Way) -> int:
    return max(
        ceil(way.em * width(f"{row.cells[at].text} {row.cells[at].aside}") / (share * way.line))
        if share
        else 1
        for at, share in zip(places, layout.shares, strict=True)
    )

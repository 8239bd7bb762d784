"""Headers of two rows: headings over several columns, and under them the columns' names."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Final

from medassay.exchange.spreadsheet.headers import headings
from medassay.tables import Page
from medassay.tables.workbooks import cell_place

__all__ = ["without_groups"]

_LONGEST_NAME: Final = 60


def without_groups(page: Page, shown: str, notes: list[str]) -> Page:
    """Give each column one name where headings over several stand over the row of names.

    A heading over one column stands before its name; one over several stands there only where
    names below it come more than once, as *Answer* does below each of two systems.

    Args:
        page: The page, without titles.
        shown: What messages call it.
        notes: What was odd and read all the same; what became of the headings is added.
    """
    top = next((at for at, row in enumerate(page.cells) if any(c.strip() for c in row)), None)
    if top is None or top + 1 >= len(page.cells):
        return page
    upper = [cell.strip() for cell in page.cells[top]]
    lower = [cell.strip() for cell in page.cells[top + 1]]
    over = _over(page.merged, top) or _over_gaps(upper, lower)
    below_are_names = _are_names(lower) and all(_at(lower, column) for column in over)
    if not over or not below_are_names or top + 1 in _rows_across(page.merged):
        return page
    often = Counter(filter(None, lower))
    wide = {column: _at(upper, first) for column, first in over.items()}
    named = [
        _joined(name if column not in wide else wide[column] if often[below] > 1 else "", below)
        for column, (name, below) in enumerate(zip_longest(upper, lower, fillvalue=""))
    ]
    listed = ", ".join(f'"{heading}"' for heading in dict.fromkeys(wide.values()))
    notes.append(
        f"{shown}, row {top + 1}: {listed}, over several columns; their names were taken from "
        f"row {top + 2}."
    )
    cells = [list(row) for row in page.cells]
    cells[top] = [""] * len(cells[top])
    cells[top + 1] = named
    rest = {name: first for name, first in page.merged.items() if cell_place(first)[0] != top}
    return replace(page, cells=cells, merged=rest)


def _over(merged: Mapping[str, str], row: int) -> dict[int, int]:
    """Give each column under a heading merged across in this row, to the heading's column."""
    over: dict[int, int] = {}
    for name, first in merged.items():
        (hidden_row, column), (top, left) = cell_place(name), cell_place(first)
        if hidden_row == top == row and column != left:
            over |= {column: left, left: left}
    return over


def _over_gaps(upper: Sequence[str], lower: Sequence[str]) -> dict[int, int]:
    """Give the same where nobody merged: a heading stands over the empty cells to its right."""
    if sum(map(bool, upper)) < 2:  # noqa: PLR2004 - one cell alone is a title
        return {}
    over: dict[int, int] = {}
    for column, name in enumerate(lower):
        if column and name and not _at(upper, column):
            left = over.get(column - 1, column - 1)
            if _at(upper, left):
                over |= {column: left, left: left}
    return over


def _rows_across(merged: Mapping[str, str]) -> set[int]:
    places = ((cell_place(name), cell_place(first)) for name, first in merged.items())
    return {row for (row, column), (_, left) in places if column != left}


def _are_names(cells: Sequence[str]) -> bool:
    """Say whether a row names columns: short, no numbers, and a word that columns go by."""
    filled = [cell for cell in cells if cell]
    short = all(len(cell) <= _LONGEST_NAME and not cell.endswith("?") for cell in filled)
    numbers = any(cell.replace(".", "").replace(",", "").isdigit() for cell in filled)
    return short and not numbers and any(headings(cell) for cell in filled)


def _at(cells: Sequence[str], column: int) -> str:
    return cells[column] if column < len(cells) else ""


def _joined(above: str, below: str) -> str:
    """Join a heading and a name; of one merged down both rows may say the same."""
    return " ".join(dict.fromkeys(filter(None, (above, below))))

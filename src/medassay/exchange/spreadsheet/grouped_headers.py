"""Headers of two rows: headings over several columns, and under them the columns' names."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from medassay.exchange.spreadsheet.headers import headings, is_like_a_system, read_header
from medassay.tables import Page
from medassay.tables.workbooks import cell_place

_LONGEST_NAME: Final = 60
_SHORT: Final = 30
"""Signs of a name that asks, such as "Dangerous?"; longer ones are questions to systems."""


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
    bottom = None if top is None else _row_of_names(page, top)
    if top is None or bottom is None:
        return page
    width = max(map(len, page.cells[top : bottom + 1]))
    rows = [[_at(row, at).strip() for at in range(width)] for row in page.cells[top : bottom + 1]]
    spread = _spread(page, rows, top)
    names = rows[-1]
    often = Counter(filter(None, names))
    named = [
        _joined(
            *(level[at] for level, own in zip(spread, rows[:-1], strict=True)
              if often[name] != 1 or not _over_several(level, at) or _tells_of_what(level[at])),
            name,
        )
        for at, name in enumerate(names)
    ]  # fmt: skip
    over = [name for level in spread for at, name in enumerate(level) if _over_several(level, at)]
    listed = ", ".join(f'"{heading}"' for heading in dict.fromkeys(filter(None, over)))
    notes.append(
        f"{shown}, row {top + 1}: {listed}, over several columns; their names were taken from "
        f"row {bottom + 1}."
    )
    cells = [list(row) for row in page.cells]
    for at in range(top, bottom):
        cells[at] = [""] * len(cells[at])
    cells[bottom] = named
    rest = {
        name: first
        for name, first in page.merged.items()
        if not top <= cell_place(first)[0] < bottom
    }
    return replace(page, cells=cells, merged=rest)


def _row_of_names(page: Page, top: int) -> int | None:
    """Find the row of names below one or two rows of headings; None where the first row is it."""
    for bottom in range(top + 1, min(top + 3, len(page.cells))):
        rows = [[cell.strip() for cell in row] for row in page.cells[top : bottom + 1]]
        lower, above = rows[-1], rows[:-1]
        gaps = [at for at, name in enumerate(lower) if name and not _at(above[0], at)]
        merged = _rows_across(page.merged) & set(range(top, bottom))
        several = sum(map(bool, above[0])) > 1 or merged or not above[0][0]
        filled = [at for at in range(max(map(len, rows))) if any(_at(row, at) for row in rows)]
        whole = all(any(_at(row, at) for row in rows) for at in filled if at)
        if not (several and (gaps or merged) and whole) or bottom in _rows_across(page.merged):
            continue
        below = page.cells[bottom + 1 : bottom + 3]
        first = _at(below[0], 0).strip() if below else ""
        if first and not first.isdigit() and not any(_at(row, 0) for row in rows):
            continue  # the name of the first column stands further down
        full = max((sum(map(bool, map(str.strip, row))) for row in below), default=0)
        # Ids and questions may be named in the upper row, beside the headings.
        named = sum(bool(_at(lower, at) or any(_at(row, at) for row in above)) for at in filled)
        names = named if sum(map(bool, lower)) > 1 else 0
        if _are_names(lower) and 5 * names >= 4 * full:
            return bottom
    return None


def _spread(page: Page, rows: Sequence[Sequence[str]], top: int) -> list[list[str]]:
    """Write each heading over every column that it stands over, none past the one above it."""
    spread: list[list[str]] = []
    width = len(rows[0])
    for level, row in enumerate(rows[:-1]):
        hidden = _over(page.merged, top + level)
        own = [row[hidden.get(at, at)] for at in range(width)]
        for at in range(1, width):
            group = all(above[at] == above[at - 1] for above in spread)
            if not own[at] and own[at - 1] and group and rows[-1][at] and not hidden:
                own[at] = own[at - 1]
        spread.append(own)
    return spread


def _over_several(level: Sequence[str], at: int) -> bool:
    return bool(level[at]) and level.count(level[at]) > 1


def _tells_of_what(heading: str) -> bool:
    """Say whether a heading says more than that ratings or answers stand below it."""
    header = read_header(heading)
    letter = len(heading) == 1 and heading.isupper()  # as systems are called where raters are blind
    told = header.dimension or header.people or header.metric or header.ends
    return bool(letter or told or is_like_a_system(heading) or (header.names and not header.roles))


def _over(merged: Mapping[str, str], row: int) -> dict[int, int]:
    """Give each column under a heading merged across in this row, to the heading's column."""
    over: dict[int, int] = {}
    for name, first in merged.items():
        (hidden_row, column), (top, left) = cell_place(name), cell_place(first)
        if hidden_row == top == row and column != left:
            over |= {column: left, left: left}
    return over


def _rows_across(merged: Mapping[str, str]) -> set[int]:
    places = ((cell_place(name), cell_place(first)) for name, first in merged.items())
    return {row for (row, column), (_, left) in places if column != left}


def _are_names(cells: Sequence[str]) -> bool:
    """Say whether a row names columns: short, no numbers, and a word that columns go by."""
    filled = [cell for cell in cells if cell]
    short = all(
        len(cell) <= _LONGEST_NAME and (not cell.endswith("?") or len(cell) <= _SHORT)
        for cell in filled
    )
    numbers = any(cell.replace(".", "").replace(",", "").isdigit() for cell in filled)
    twice = len(set(filled)) < len(filled)  # as names below each heading are
    return short and not numbers and (twice or any(_tells(cell) for cell in filled))


def _at(cells: Sequence[str], column: int) -> str:
    return cells[column] if column < len(cells) else ""


def _joined(*names: str) -> str:
    """Join headings and a name; of one merged down several rows all say the same."""
    return " ".join(dict.fromkeys(filter(None, names)))


def _tells(cell: str) -> bool:
    header = read_header(cell)
    return bool(headings(cell) or header.dimension or header.people or header.ends)

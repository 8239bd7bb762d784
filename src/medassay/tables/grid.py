"""A sheet out of rows of cells whose first row names the columns: CSV and workbooks alike."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.tables.header_problems import header_problems, refuse_two_rows_of_names
from medassay.tables.sheet import Sheet

__all__ = ["sheet_of_grid"]

_DOTS: Final = frozenset({"...", "…"})


def sheet_of_grid(
    grid: Sequence[Sequence[str]], file: str, notes: Sequence[Problem], *, ragged_hint: str = ""
) -> Sheet:
    """Take the first row as the header and the others as its rows.

    Rows without anything are left out, and so are empty columns before the first and cells beyond
    the last. A title above the header, a first column that only counts the rows, and a row of
    `...` at the end, as a printed table has it where it was cut, are left out with a note.

    Args:
        grid: The cells.
        file: What messages call the file.
        notes: What was said about the file already.
        ragged_hint: What to try where a row has too many cells.

    Raises:
        InvalidInput: There is no header, a column has no name or another's, or rows are ragged.
    """
    rows = [(n, cells) for n, cells in enumerate(grid, start=1) if any(cells)]
    if not rows:
        raise InvalidInput(Problem(file, "have a header row", "an empty file"))
    all_notes = list(notes)
    margin = min(next(i for i, cell in enumerate(cells) if cell) for _, cells in rows)
    if margin:
        rows = [(number, cells[margin:]) for number, cells in rows]
    titles = _titles(rows)
    for number, cells in rows[:titles]:
        got, hint = f'a title, "{cells[0]}"', "That row was left out."
        all_notes.append(Problem(file, "begin with the names of columns", got, hint, number))
    rows = rows[titles:]
    if _counts_rows(rows):
        rows = [(number, cells[1:]) for number, cells in rows]
        got, hint = "no name for column 1, which only counts the rows", "It was left out."
        all_notes.append(Problem(file, "name every column", got, hint, rows[0][0]))
    (header_row, names), body = rows[0], rows[1:]
    written = _without_tail(names)
    header = [name.strip() for name in written]
    below = _without_tail(body[0][1]) if body else []
    refuse_two_rows_of_names(header, below, header_row, file)
    problems = header_problems(header, header_row, file)
    padded = [f'"{name}"' for name in written if name != name.strip()]
    if padded:
        must = "have no blanks around the names of columns"
        all_notes.append(Problem(file, must, ", ".join(padded), "They were dropped.", header_row))
    while body and set() < {cell.strip() for cell in body[-1][1]} - {""} <= _DOTS:
        number, _ = body.pop()
        hint = "That row was left out. Is the table whole?"
        all_notes.append(Problem(file, "end with its last row", 'a row of "..."', hint, number))
    _refuse_title(header, body, header_row, file)
    cells_of: list[Sequence[str]] = []
    for number, cells in body:
        own = _without_tail(cells) if len(cells) > len(header) else cells
        if len(own) != len(header):
            hint = ragged_hint if len(own) > len(header) else "Cells are missing in it."
            must, got = f"have {len(header)} cells like the header", str(len(own))
            problems.append(Problem(file, must, got, hint, row=number))
        cells_of.append(own)
    if problems:
        raise InvalidInput(problems)
    across = zip(*cells_of, strict=True) if cells_of else ((),) * len(header)
    columns: dict[str, list[object]] = {
        name: [cell or None for cell in cells] for name, cells in zip(header, across, strict=True)
    }
    numbers = [number for number, _ in body]
    return Sheet(
        file, numbers, columns, empty_is_none=True, notes=tuple(all_notes), header=header_row
    )


def _refuse_title(
    header: Sequence[str], body: Sequence[tuple[int, Sequence[str]]], row: int, file: str
) -> None:
    """Refuse a first row of one cell above rows that all have more: a title, not names."""
    if len(header) != 1 or not body or any(len(_without_tail(cells)) < 2 for _, cells in body):  # noqa: PLR2004 - more than the one
        return
    must, got = "begin with the names of columns", f'one cell, "{header[0]}", as a title has'
    hint = "Delete the title's row, so that the names come first, each in a cell of its own."
    raise InvalidInput(Problem(file, must, got, hint, row))


def _titles(rows: Sequence[tuple[int, Sequence[str]]]) -> int:
    """Count the sentences, one below the other, that stand above a row of several names."""
    sizes = [len(_without_tail(cells)) for _, cells in rows]
    place = next((i for i, size in enumerate(sizes) if size != 1), len(rows))
    if place == len(rows):
        return 0
    for (number, cells), (below, _) in pairwise(rows[: place + 1]):
        if " " not in cells[0].strip() and below == number + 1:
            return 0
    header = [name.strip() for name in _without_tail(rows[place][1])]
    named_once = len(header) > 1 and all(header) and len(set(header)) == len(header)
    fits = all(size <= len(header) for size in sizes[place + 1 :])
    return place if named_once and fits else 0


def _counts_rows(rows: Sequence[tuple[int, Sequence[str]]]) -> bool:
    """Say whether the first column has no name and counts the rows from 0 or 1."""
    (_, header), body = rows[0], rows[1:]
    if not body or header[0].strip() or not any(name.strip() for name in header):
        return False
    counted = [cells[0].strip() for _, cells in body]
    return any(counted == [str(n) for n in range(i, i + len(body))] for i in (0, 1))


def _without_tail(cells: Sequence[str]) -> list[str]:
    cells_left = list(cells)
    while cells_left and not cells_left[-1].strip():
        cells_left.pop()
    return cells_left

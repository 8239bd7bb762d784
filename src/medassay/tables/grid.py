"""A sheet out of rows of cells whose first row names the columns: CSV and workbooks alike."""

from collections.abc import Sequence
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.tables.sheet import Sheet

__all__ = ["sheet_of_grid"]

_DOTS: Final = frozenset({"...", "…"})


def sheet_of_grid(
    grid: Sequence[Sequence[str]], file: str, notes: Sequence[Problem], *, ragged_hint: str = ""
) -> Sheet:
    """Take the first row as the header and the others as its rows.

    Rows without anything are left out, and so are empty cells beyond the last column. A row of
    `...` at the end, as a printed table has it where it was cut, is left out with a note.

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
    (header_row, names), body, said = rows[0], rows[1:], list(notes)
    written = _without_tail(names)
    header = [name.strip() for name in written]
    problems = _header_problems(header, header_row, file)
    padded = [f'"{name}"' for name in written if name != name.strip()]
    if padded:
        must = "have no blanks around the names of columns"
        said.append(Problem(file, must, ", ".join(padded), "They were dropped.", header_row))
    while body and set() < {cell.strip() for cell in body[-1][1]} - {""} <= _DOTS:
        number, _ = body.pop()
        hint = "That row was left out. Is the table whole?"
        said.append(Problem(file, "end with its last row", 'a row of "..."', hint, number))
    cells_of: list[list[str]] = []
    for number, cells in body:
        kept = _without_tail(cells) if len(cells) > len(header) else cells
        if len(kept) != len(header):
            hint = ragged_hint if len(kept) > len(header) else "Cells are missing in it."
            must, got = f"have {len(header)} cells like the header", str(len(kept))
            problems.append(Problem(file, must, got, hint, row=number))
        cells_of.append(list(kept))
    if problems:
        raise InvalidInput(problems)
    columns: dict[str, list[object]] = {
        name: [cells[i] or None for cells in cells_of] for i, name in enumerate(header)
    }
    numbers = [number for number, _ in body]
    return Sheet(file, numbers, columns, empty_is_none=True, notes=tuple(said), header=header_row)


def _without_tail(cells: Sequence[str]) -> list[str]:
    kept = list(cells)
    while kept and not kept[-1].strip():
        kept.pop()
    return kept


def _header_problems(header: Sequence[str], row: int, file: str) -> list[Problem]:
    problems = []
    for position, name in enumerate(header, start=1):
        if not name:
            got = f"no name for column {position}"
            problems.append(Problem(file, "name every column", got, row=row))
        elif header.index(name) != position - 1:
            got = f'"{name}" twice'
            problems.append(Problem(file, "name each column once", got, row=row, column=name))
    return problems

"""Read CSV, with whatever sign stands between its cells."""

import csv
import io
from collections import Counter
from dataclasses import replace
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.tables.decode import decode
from medassay.tables.grid import sheet_of_grid
from medassay.tables.header_problems import refuse_many_columns
from medassay.tables.sheet import Sheet

__all__ = ["delimited_grid", "read_delimited", "separator_of"]

_SEPARATORS: Final = {",": "comma", ";": "semicolon", "\t": "tab"}
# Whether a cell is too long is one question for all forms of files; see `read_sheet`.
_NO_LIMIT: Final = 2**31 - 1
_MOST_EMPTY_ROWS: Final = 2**20
"""As many rows as Excel has."""


def read_delimited(
    content: bytes, file: str, usual: str = ",", *, told_apart: bool = False
) -> Sheet:
    """Read a table whose cells are separated by commas, semicolons or tabs.

    The sign that parts the header into most cells is taken, and said where it is not the usual one.

    Args:
        content: The file's bytes.
        file: What messages call it.
        usual: The separator that the file's ending promises.
        told_apart: Whether columns of one name are numbered, as X, X (2); else they are refused.

    Raises:
        InvalidInput: The bytes are no text, a quote is never closed, or rows do not fit the header.
    """
    text, notes = decode(content, file)
    separator = separator_of(text, usual)
    if separator != usual:
        must = f"have a {_SEPARATORS[usual]} between its cells"
        hint = "It was read as that."
        notes += (Problem(file, must, f"a {_SEPARATORS[separator]}", hint),)
    hint = f"Put quotes around text that contains a {_SEPARATORS[separator]}."
    grid = delimited_grid(text, file, separator)
    if told_apart:
        grid = _told_apart(grid)
    sheet = sheet_of_grid(grid, file, notes, ragged_hint=hint)
    return replace(sheet, commas_free=separator != ",")


def _told_apart(grid: list[list[str]]) -> list[list[str]]:
    """Number the names of the first row that others have before them."""
    place = next((i for i, cells in enumerate(grid) if any(cells)), None)
    if place is None:
        return grid
    names: list[str] = []
    seen: Counter[str] = Counter()
    for cell in grid[place]:
        name = cell.strip()
        seen[name] += 1
        names.append(f"{name} ({seen[name]})" if name and seen[name] > 1 else cell)
    return [*grid[:place], names, *grid[place + 1 :]]


def separator_of(text: str, usual: str) -> str:
    """Give the sign that parts the first row into most cells: comma, semicolon or tab."""
    csv.field_size_limit(_NO_LIMIT)

    def cells(sign: str) -> int:
        lines = csv.reader(io.StringIO(text, newline=""), delimiter=sign)
        return len(next((line for line in lines if any(line)), []))

    return max([usual, *_SEPARATORS], key=cells)


def delimited_grid(text: str, file: str, separator: str) -> list[list[str]]:
    """Part a text into rows of cells.

    Raises:
        InvalidInput: It is no well-formed CSV, or has more columns or empty rows than any table.
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    grid: list[list[str]] = []
    begun, empty = 1, 0
    once: dict[str, str] = {}  # cells repeat: of those that say the same, one is kept
    try:
        for cells in reader:
            grid.append(list(map(once.setdefault, cells, cells)))
            refuse_many_columns(len(cells), file, len(grid))
            empty = 0 if any(map(str.strip, cells)) else empty + 1
            if empty > _MOST_EMPTY_ROWS:
                must, got = "have rows with cells", f"{empty:,} empty rows one after the other"
                row = len(grid) - empty + 1
                raise InvalidInput(Problem(file, must, got, "Delete them.", row=row))
            begun = reader.line_num + 1
    except csv.Error as error:
        must, got, hint = "be well-formed CSV", str(error), "Write a quote inside quotes twice."
        if "end of data" in got:
            must, got = (
                "close every quote",
                f"one that opens in line {begun} or below and never closes",
            )
            hint = "Put a second quote where that cell ends."
        problem = Problem(file, must, got, hint, row=len(grid) + 1)
        raise InvalidInput(problem) from error
    return grid

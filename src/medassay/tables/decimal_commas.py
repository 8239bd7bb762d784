"""Numbers with a comma before their decimals, as half of the world's spreadsheets save them."""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.tables.sheet import Sheet

__all__ = ["NUMBERS", "with_points"]

NUMBERS: Final = ("confidence", "cost", "seconds", "position", "value", "chance", "number")
"""The columns of our own tables that hold numbers."""

_COMMA: Final = re.compile(r"[+-]?\d+,\d+(?:[eE][+-]?\d+)?")
_POINT: Final = re.compile(r"[+-]?\d*\.\d+(?:[eE][+-]?\d+)?")
_THOUSANDS: Final = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")


def with_points(sheet: Sheet, names: Iterable[str] = NUMBERS) -> Sheet:
    """Put a point where a comma stands before decimals, where the comma can be nothing else.

    It can be nothing else where another sign parts the cells, and no number of the column has a
    point. Three digits behind every comma of a column (1,234) may be thousands where the table's
    other columns have points.

    Args:
        sheet: Cells.
        names: The columns that hold numbers. Words in them stay as they are.

    Returns:
        The sheet, with a note for each column that was changed.

    Raises:
        InvalidInput: What a comma means cannot be told; every such column is named.

    Example:
        >>> sheet = Sheet("a.csv", [2, 3], {"value": ["0,67", "1"]}, commas_free=True)
        >>> read = with_points(sheet)
        >>> read.columns["value"]
        ['0.67', '1']
        >>> print(*read.notes)
        a.csv, row 2, column value: must have a point before decimals; got "0,67". Read as 0.67.
    """
    if not sheet.commas_free:
        return sheet
    numbers = [name for name in names if name in sheet.columns]
    pointed = {name: _first(sheet, name, _POINT) for name in numbers}
    columns, notes, problems = dict(sheet.columns), list(sheet.notes), []
    for name in numbers:
        places = [i for i, cell in enumerate(sheet.columns[name]) if _is(_COMMA, cell)]
        if not places:
            continue
        cells = [str(sheet.columns[name][i]).strip() for i in places]
        more = f", and commas in {len(places) - 1} more" if places[1:] else ""
        must, got, row = (
            "have a point before decimals",
            f'"{cells[0]}"{more}',
            sheet.rows[places[0]],
        )
        elsewhere = next(filter(None, pointed.values()), None)
        point = pointed[name] or (elsewhere if all(map(_THOUSANDS.fullmatch, cells)) else None)
        if point is not None:
            hint = f"{point} has a point, so a comma may mean thousands. Write all numbers one way."
            problems.append(Problem(sheet.file, must, got, hint, row, name))
            continue
        of = dict(zip(places, cells, strict=True))
        columns[name] = [
            of[i].replace(",", ".") if i in of else cell
            for i, cell in enumerate(sheet.columns[name])
        ]
        hint = f"Read as {cells[0].replace(',', '.')}."
        notes.append(Problem(sheet.file, must, got, hint, row, name))
    if problems:
        raise InvalidInput(problems)
    return replace(sheet, columns=columns, notes=tuple(notes))


def _is(form: re.Pattern[str], cell: object) -> bool:
    return isinstance(cell, str) and form.fullmatch(cell.strip()) is not None


def _first(sheet: Sheet, name: str, form: re.Pattern[str]) -> str | None:
    """Say where the first number of a form stands, and what it is."""
    for row, cell in zip(sheet.rows, sheet.columns[name], strict=True):
        if _is(form, cell):
            return f'"{str(cell).strip()}" in row {row}, column {name},'
    return None

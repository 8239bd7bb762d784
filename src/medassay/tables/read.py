"""Read a table of any form into one shape."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.tables.contents import file_bytes
from medassay.tables.delimited import read_delimited
from medassay.tables.header_problems import refuse_many_columns
from medassay.tables.lines import read_lines
from medassay.tables.parquet import read_parquet
from medassay.tables.sheet import Sheet
from medassay.tables.workbook import read_workbook
from medassay.tables.workbooks import is_workbook

__all__ = ["FORMS", "read_sheet"]

_READERS: Final[dict[str, Callable[[bytes, str], Sheet]]] = {
    ".jsonl": read_lines,
    ".csv": read_delimited,
    ".tsv": lambda content, file: read_delimited(content, file, "\t"),
    ".parquet": read_parquet,
    ".xlsx": read_workbook,
}
FORMS: Final = tuple(_READERS)
"""The endings of files that hold a table, the one that loses nothing first."""

_STRANGERS: Final = {
    b"PAR1": ("a Parquet file", "Name it .parquet."),
    b"\x1f\x8b": ("a gzip archive", "Unpack it first."),
    b"%PDF": ("a PDF", "Give the table that it was made from."),
}
LONGEST_TEXT: Final = 10_000_000
"""A text longer than a hundred novels' chapters is a quote that never closes, or a wrong file."""


_WORKBOOKS: Final = frozenset({".xls", ".xlsm", ".xlsb", ".ods", ".numbers"})


def read_sheet(path: Path, shown_as: str | None = None) -> Sheet:
    """Read a table by its ending: .jsonl, .csv, .tsv, .parquet or .xlsx.

    What is odd about a file and clear all the same is read, and said in the sheet's notes: a
    workbook with another ending, another encoding or separator, a row of `...` at the end.

    Args:
        path: The file.
        shown_as: What messages call it; the file's name if not given.

    Raises:
        InvalidInput: The file is not there, cannot be read or parsed; every bad row is named.
    """
    file = shown_as or path.name
    ending = path.suffix.lower()
    reader = _READERS.get(ending)
    if reader is None:
        hint = "Save it as .xlsx, or as CSV UTF-8." if ending in _WORKBOOKS else ""
        must = f"end in one of {', '.join(FORMS)}"
        raise InvalidInput(Problem(file, must, f'"{path.suffix}"', hint))
    content = file_bytes(path, file)
    if ending != ".parquet":
        if is_workbook(content):
            reader = read_workbook
        for opening, (got, hint) in _STRANGERS.items():
            if content.startswith(opening):
                raise InvalidInput(Problem(file, "be a table", got, hint))
    sheet = reader(content, file)
    refuse_many_columns(len(sheet.columns), file, sheet.header)
    too_long = list(_too_long(sheet))
    if too_long:
        raise InvalidInput(too_long)
    return sheet


def _too_long(sheet: Sheet) -> list[Problem]:
    hint = "Is a quote opened near there and never closed?" if sheet.empty_is_none else ""
    return [
        Problem(
            sheet.file,
            f"hold at most {LONGEST_TEXT:,} characters in a cell",
            f"{len(cell):,}",
            hint,
            row=row,
            column=name,
        )
        for name, cells in sheet.columns.items()
        if max((len(cell) for cell in sheet.distinct(name) if isinstance(cell, str)), default=0)
        > LONGEST_TEXT
        for row, cell in zip(sheet.rows, cells, strict=True)
        if isinstance(cell, str) and len(cell) > LONGEST_TEXT
    ]

"""Read the first sheet of an Excel or OpenDocument workbook."""

import io
import re
import zipfile
import zlib
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Final

from medassay.errors import InvalidInput, Problem
from medassay.tables.grid import sheet_of_grid
from medassay.tables.sheet import Sheet

if TYPE_CHECKING:
    from python_calamine import CalamineWorkbook

    Cell = int | float | str | bool | time | date | datetime | timedelta

    Corner = tuple[int, int]

__all__ = ["WORKBOOK", "is_workbook", "open_workbook", "read_workbook"]

WORKBOOK: Final = "an Excel workbook"

_ERROR: Final = re.compile(rb'<c r="([A-Z]+)([0-9]+)"[^>]*\bt="e"[^>]*>.*?<v>([^<]*)', re.DOTALL)
_DAMAGED: Final = (
    zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError
)  # fmt: skip
_OPENINGS: Final = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
_LARGEST: Final = 512 * 1024 * 1024


def read_workbook(content: bytes, file: str) -> Sheet:
    """Read the first sheet that has cells; a note says which, and which others were not read.

    Cells become the text that a spreadsheet would save as CSV: a whole number without its
    fraction, a date in ISO 8601.

    Raises:
        InvalidInput: The file is no workbook, a cell of it holds an error such as #N/A, or its
            cells do not make a table.
    """
    try:
        _refuse_errors(content, file)
    except _DAMAGED as error:
        raise InvalidInput(_damaged(file, error)) from error
    grids = {name: grid for name, (grid, _) in open_workbook(content, file).items()}
    filled = [name for name, grid in grids.items() if any(any(row) for row in grid)]
    if not filled:
        raise InvalidInput(Problem(file, "have a header row", "a workbook without cells"))
    hint = f'Its sheet "{filled[0]}" was read.'
    if filled[1:]:
        others = ", ".join(f'"{name}"' for name in filled[1:])
        hint = f'Its sheet "{filled[0]}" was read; {others} not.'
    note = Problem(file, "be CSV, JSONL or Parquet", WORKBOOK, hint)
    return sheet_of_grid(grids[filled[0]], file, [note])


def is_workbook(content: bytes) -> bool:
    """Say whether bytes begin as workbooks do."""
    return content.startswith(_OPENINGS)


def open_workbook(
    content: bytes, file: str
) -> "dict[str, tuple[list[list[str]], list[tuple[Corner, Corner]]]]":
    """Read every sheet: its cells as text from A1 on, and the corners of cells that were merged.

    Raises:
        InvalidInput: The file is no workbook, or damaged.
    """
    from python_calamine import CalamineError, CalamineWorkbook

    try:
        _refuse_damage(content, file)
        book = CalamineWorkbook.from_filelike(io.BytesIO(content))
        return {
            name: (_cells(book, name), book.get_sheet_by_name(name).merged_cell_ranges or [])
            for name in book.sheet_names
        }
    except (CalamineError, *_DAMAGED) as error:
        raise InvalidInput(_damaged(file, error)) from error


def _damaged(file: str, error: Exception) -> Problem:
    got = f"a workbook or archive that cannot be read ({error})"
    return Problem(file, "be a table", got, "Save it as CSV UTF-8.")


def _refuse_damage(content: bytes, file: str) -> None:
    """Refuse an archive that unpacks to more than any table, or that a part is missing from."""
    if not zipfile.is_zipfile(io.BytesIO(content)):
        return
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if sum(one.file_size for one in archive.infolist()) > _LARGEST:
            must, hint = f"unpack to at most {_LARGEST:,} bytes", "Save it as CSV UTF-8."
            raise InvalidInput(Problem(file, must, "more", hint))
        if archive.testzip() is not None:
            raise zipfile.BadZipFile("a part of it is damaged")


def _refuse_errors(content: bytes, file: str) -> None:
    """Find cells with an error: the reader would give them as empty, and a value would be lost."""
    _refuse_damage(content, file)
    if not zipfile.is_zipfile(io.BytesIO(content)):
        return
    problems = []
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        sheets = [one for one in archive.infolist() if one.filename.startswith("xl/worksheets/")]
        for one in sheets:
            for column, row, value in _ERROR.findall(archive.read(one)):
                must, hint = "have a value in every cell", "Repair it, or empty the cell."
                got = f"the error {value.decode('utf-8', 'replace')}"
                problems.append(Problem(file, must, got, hint, int(row), column.decode()))
    if problems:
        raise InvalidInput(problems)


def _cells(book: "CalamineWorkbook", name: str) -> list[list[str]]:
    # With the empty area before the first cell: rows count as the spreadsheet counts them.
    grid = book.get_sheet_by_name(name).to_python(skip_empty_area=False)
    return [[_text(cell) for cell in row] for row in grid]


def _text(cell: "Cell") -> str:
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if isinstance(cell, datetime | date | time):
        return cell.isoformat()
    return str(cell)

"""Excel workbooks as they were saved until 2007 (.xls)."""

import io
import struct
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from medassay.tables.workbooks.moments import Shown, number_text, shown_by_code
from medassay.tables.workbooks.page import Budget, Damaged, Page, PageInMaking

if TYPE_CHECKING:
    from xlrd import Book
    from xlrd.sheet import Sheet

__all__ = ["read_old_excel"]

_PASSWORD: Final = "EncryptedPackage".encode("utf-16-le")
_STREAMS: Final = ("Workbook", "Book")
# Kinds of records, of which such a workbook is a row.
_BEGIN: Final = {0x0009, 0x0209, 0x0409, 0x0809}
_END: Final = 0x000A
_SHEET: Final = 0x0085
_FORMULA: Final = {0x0006, 0x0206, 0x0406}


def read_old_excel(content: bytes, file: str) -> list[Page]:
    """Read every sheet.

    Raises:
        InvalidInput: There are too many cells.
        Damaged: It is no such workbook, or damaged.
    """
    import xlrd

    log = io.StringIO()
    try:
        book = xlrd.open_workbook(
            file_contents=content, logfile=log, formatting_info=True, ragged_rows=True,
            on_demand=True,
        )  # fmt: skip
        formulas = _formulas(content)
    except Exception as error:  # a damaged workbook makes xlrd trip over all that it relies on
        locked = "a password protects it" if _PASSWORD in content else ""
        raise Damaged(locked or _words(error)) from error
    budget, pages = Budget(file), []
    for number in range(book.nsheets):
        try:
            sheet = book.sheet_by_index(number)
            cells = list(_cells(book, sheet))
        except Exception as error:
            raise Damaged(_words(error)) from error
        page = PageInMaking(sheet.name, budget)
        for row, column, text, is_error in cells:
            budget.spend(1, sheet.name, (row, column))
            (page.error if is_error else page.put)(row, column, text)
        for row, column in formulas.get(number, ()):
            page.formula(row, column, computed=True)
        for top, below, left, beyond in sheet.merged_cells:
            page.merge(top, left, below - 1, beyond - 1)
        pages.append(page.page())
        book.unload_sheet(number)
    return pages


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__


def _cells(book: "Book", sheet: "Sheet") -> Iterator[tuple[int, int, str, bool]]:
    """Give row and column of each cell that is not empty, its text, and whether it is an error."""
    import xlrd

    shown: dict[int, Shown] = {}
    for row in range(sheet.nrows):
        kinds, values = sheet.row_types(row), sheet.row_values(row)
        for column, (kind, value) in enumerate(zip(kinds, values, strict=True)):
            if kind == xlrd.XL_CELL_TEXT:
                yield row, column, value, False
            elif kind in {xlrd.XL_CELL_NUMBER, xlrd.XL_CELL_DATE}:
                style = sheet.cell_xf_index(row, column)
                if style not in shown:
                    code = book.format_map[book.xf_list[style].format_key].format_str
                    shown[style] = shown_by_code(code)
                text = number_text(repr(value), shown[style], from_1904=book.datemode == 1)
                yield row, column, text, False
            elif kind == xlrd.XL_CELL_BOOLEAN:
                yield row, column, "TRUE" if value else "FALSE", False
            elif kind == xlrd.XL_CELL_ERROR:
                yield row, column, xlrd.error_text_from_code.get(value, ""), True


def _formulas(content: bytes) -> dict[int, set[tuple[int, int]]]:
    """Find the cells with formulas on each sheet: xlrd gives only what they showed."""
    from xlrd.compdoc import CompDoc

    archive = CompDoc(content, logfile=io.StringIO())
    streams = (archive.locate_named_stream(name) for name in _STREAMS)
    memory, base, length = next(stream_part for stream_part in streams if stream_part[0])
    stream = memory[base : base + length]
    sheets = [
        struct.unpack_from("<i", data)[0]
        for kind, data in _records(stream, 0)
        if kind == _SHEET and data[5] == 0
    ]
    return {
        number: {
            struct.unpack_from("<HH", data)
            for kind, data in _records(stream, start)
            if kind in _FORMULA
        }
        for number, start in enumerate(sheets)
    }


def _records(stream: bytes, start: int) -> Iterator[tuple[int, bytes]]:
    """Go through the records from one that begins a part to the one that ends it.

    Records of parts inside it, such as charts, are left out.
    """
    depth, place = 0, start
    while place + 4 <= len(stream):
        kind, length = struct.unpack_from("<HH", stream, place)
        place += 4
        depth += (kind in _BEGIN) - (kind == _END)
        if not depth:
            return
        if depth == 1:
            yield kind, stream[place : place + length]
        place += length

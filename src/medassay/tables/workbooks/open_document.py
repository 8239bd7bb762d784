"""Workbooks in the OpenDocument form (.ods), as LibreOffice saves them."""

import re
from collections.abc import Mapping
from typing import Final

from medassay.tables.workbooks.archive import Archive
from medassay.tables.workbooks.page import (
    Budget,
    Damaged,
    Page,
    PageInMaking,
    is_inside,
    number_text,
)

__all__ = ["MARK", "read_open_document"]

MARK: Final = b"application/vnd.oasis.opendocument.spreadsheet"
_ERROR: Final = re.compile(r"#[A-Z0-9/]+[!?]?|Err:[0-9]+")
_CELLS: Final = {"table-cell", "covered-table-cell"}
_TEXT: Final = {"p", "span", "a", "ruby", "ruby-base"}
_TIME: Final = re.compile(r"PT([0-9]{2})H([0-9]{2})M([0-9]{2})(?:[.,]0+)?S")
_BLANKS: Final = re.compile(r"[ \t\r\n]+")
# Blanks that count stand as tags; until the others are one, no sign that XML can hold is theirs.
_SPACE, _TAB, _BREAK = "\x01", "\x02", "\x03"
_SIGNS: Final = {"s": _SPACE, "tab": _TAB, "line-break": _BREAK}
_MEANT: Final = str.maketrans({_SPACE: " ", _TAB: "\t", _BREAK: "\n"})
_NO_CELLS: Final = {"shapes", "tracked-changes", "dde-links"}
"""What may hold tables and texts that are none of a sheet's."""


def read_open_document(archive: Archive, file: str) -> list[Page]:
    """Read every sheet.

    Raises:
        InvalidInput: There are too many cells.
        Damaged: It is no such workbook.
    """
    content = _Content(Budget(file))
    archive.read("content.xml", content)
    return content.pages


class _Content:
    """Takes the tags of a workbook, and fills a page for each sheet."""

    def __init__(self, budget: Budget) -> None:
        self.pages: list[Page] = []
        self._budget = budget
        self._page: PageInMaking | None = None
        self._row = self._column = 0
        self._rows = 1
        self._cell: _Cell | None = None
        self._found: list[tuple[int, int, _Cell]] = []
        self._aside: list[str] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Take a tag that opens."""
        within = self._cell is not None
        known = (name in _TEXT or name in _SIGNS) if within else name not in _NO_CELLS
        if self._aside or not known:
            self._aside.append(name)
        elif self._cell is not None:
            self._cell.start(name, attributes)
        elif name == "table":
            self._page, self._row = PageInMaking(_said(attributes, "name"), self._budget), 0
        elif name == "table-row":
            self._column, self._rows = 0, _times(attributes, "number-rows-repeated")
        elif name in _CELLS and self._page is not None:
            self._cell = _Cell(attributes)

    def end(self, name: str) -> None:
        """Take a tag that closes."""
        if self._aside:
            self._aside.pop()
        elif self._cell is not None:
            if name in _CELLS:
                self._found.append((self._column, self._cell.times, self._cell))
                self._column += self._cell.times
                self._cell = None
            else:
                self._cell.end(name)
        elif self._page is None:
            return
        elif name == "table-row":
            self._end_row(self._page)
        elif name == "table":
            self.pages.append(self._page.page())
            self._page = None

    def text(self, data: str) -> None:
        """Take a piece of text."""
        if self._cell is not None and not self._aside:
            self._cell.text(data)

    def _end_row(self, page: PageInMaking) -> None:
        for first, times, cell in self._found:
            if not cell.holds_anything:
                continue
            last = (self._row + self._rows - 1, first + times - 1)
            if not is_inside(*last):
                raise Damaged(f"a cell in column {last[1] + 1} of row {last[0] + 1}")
            self._budget.spend(times * self._rows, page.title, last)
            for row in range(self._row, self._row + self._rows):
                for column in range(first, first + times):
                    cell.put(page, row, column)
        self._found.clear()
        self._row += self._rows


class _Cell:
    """One cell, or several alike that stand side by side."""

    def __init__(self, attributes: Mapping[str, str]) -> None:
        # LibreOffice names the kind of a value twice: the second time it tells errors.
        self._kinds = {v for k, v in attributes.items() if k.rpartition(":")[2] == "value-type"}
        self._attributes = attributes
        self._formula = bool(_said(attributes, "formula"))
        self._deep = _times(attributes, "number-rows-spanned")
        self._wide = _times(attributes, "number-columns-spanned")
        self._lines: list[str] = []
        self._pieces: list[str] = []
        self.times = _times(attributes, "number-columns-repeated")

    @property
    def holds_anything(self) -> bool:
        """Tell whether there is more in the cell than its look."""
        return bool(self._kinds or self._lines or self._formula or self._deep * self._wide > 1)

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Take a tag that opens inside of the cell."""
        if name == "p":
            self._pieces.clear()
        elif name in _SIGNS:
            self._pieces.append(_SIGNS[name] * min(_times(attributes, "c"), 1 << 16))

    def end(self, name: str) -> None:
        """Take a tag that closes inside of the cell."""
        if name == "p":
            line = _BLANKS.sub(" ", "".join(self._pieces)).strip(" ")
            self._lines.append(line.translate(_MEANT))

    def text(self, data: str) -> None:
        """Take a piece of text."""
        self._pieces.append(data)

    def put(self, page: PageInMaking, row: int, column: int) -> None:
        """Fill a cell of a page."""
        shown = "\n".join(self._lines)
        typed = self._formula or "string" not in self._kinds
        if "error" in self._kinds or (typed and _ERROR.fullmatch(shown)):
            page.error(row, column, shown)
        else:
            page.put(row, column, self._value(shown))
        if self._formula:
            page.formula(row, column, computed=bool(self._kinds or self._lines))
        if self._deep * self._wide > 1:
            page.merge(row, column, row + self._deep - 1, column + self._wide - 1)

    def _value(self, shown: str) -> str:
        attributes = self._attributes
        number, truth = _said(attributes, "value"), _said(attributes, "boolean-value")
        if number:
            return number_text(number)
        if truth:
            return truth.upper()
        time = _TIME.sub(r"\1:\2:\3", _said(attributes, "time-value"))
        return _said(attributes, "date-value") or time or _said(attributes, "string-value") or shown


def _said(attributes: Mapping[str, str], name: str) -> str:
    return next((v for k, v in attributes.items() if k.rpartition(":")[2] == name), "")


def _times(attributes: Mapping[str, str], name: str) -> int:
    times = int(_said(attributes, name) or "1")
    if times < 1:
        raise Damaged(f"{name} of {times}")
    return times

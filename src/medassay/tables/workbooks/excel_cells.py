"""The cells of one sheet of an Excel workbook."""

from collections.abc import Sequence
from typing import Final

from medassay.tables.workbooks.excel_texts import TextInMaking, decoded
from medassay.tables.workbooks.moments import Shown, number_text
from medassay.tables.workbooks.page import Damaged, PageInMaking, cell_name, cell_place, is_inside

__all__ = ["Cells"]

_TRUTHS: Final = {"1": "TRUE", "0": "FALSE", "true": "TRUE", "false": "FALSE"}
_WORDS: Final = {"str", "d"}
"""Kinds of a cell whose value is text as it stands: what a formula gave, and a day."""


class Cells:
    """Takes the tags of a sheet, and fills a page with its cells.

    Args:
        page: What is filled.
        texts: The texts that cells refer to by number.
        shown: How a cell shows its number, by the number of its style.
        from_1904: Whether days count from 1904.
    """

    def __init__(
        self, page: PageInMaking, texts: Sequence[str], shown: Sequence[Shown], *, from_1904: bool
    ) -> None:
        self._page, self._texts, self._shown, self._from_1904 = page, texts, shown, from_1904
        self._row = self._column = -1
        self._inside = self._in_cell = False
        self._kind, self._style = "n", 0
        self._value: list[str] | None = None
        self._reading = ""
        self._formula = False
        self._written = TextInMaking()

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Take a tag that opens."""
        if self._in_cell:
            self._start_in_cell(name, attributes)
        elif name == "c" and self._inside:
            self._start_cell(attributes)
        elif name == "row" and self._inside:
            place = attributes.get("r")
            self._row = int(float(place)) - 1 if place else self._row + 1
            self._column = -1
        elif name == "sheetData":
            self._inside = True
        elif name == "mergeCell":
            first, _, last = attributes.get("ref", "").partition(":")
            self._page.merge(*cell_place(first), *cell_place(last or first))

    def end(self, name: str) -> None:
        """Take a tag that closes."""
        if self._in_cell:
            if name == "c":
                self._end_cell()
            elif name == self._reading:
                self._reading = ""
            else:
                self._written.end(name)
        elif name == "sheetData":
            self._inside = False

    def text(self, data: str) -> None:
        """Take a piece of text."""
        if self._reading == "v" and self._value is not None:
            self._value.append(data)
        elif self._reading == "is":
            self._written.text(data)

    def _start_cell(self, attributes: dict[str, str]) -> None:
        place = attributes.get("r")
        if place:
            self._row, self._column = cell_place(place)
        else:
            self._column += 1
            if not is_inside(self._row, self._column):
                raise Damaged(f"a cell in column {self._column + 1} of row {self._row + 1}")
        self._page.budget.spend(1, self._page.title, (self._row, self._column))
        self._in_cell, self._value, self._formula = True, None, False
        self._kind, self._style = attributes.get("t", "n"), int(attributes.get("s", "0"))

    def _start_in_cell(self, name: str, attributes: dict[str, str]) -> None:
        if self._reading == "is":
            self._written.start(name, attributes)
        elif name == "v":
            self._reading, self._value = name, []
        elif name == "is":
            self._reading = name
        elif name == "f":
            self._formula = True

    def _end_cell(self) -> None:
        self._in_cell, self._reading = False, ""
        row, column, page = self._row, self._column, self._page
        value = "".join(self._value) if self._value is not None else ""
        if self._formula:
            page.formula(row, column, computed=self._value is not None or self._kind == "e")
        if self._kind == "e":
            page.error(row, column, value)
        elif self._kind == "inlineStr":
            page.put(row, column, self._written.take())
        elif value:
            page.put(row, column, self._said(value))

    def _said(self, value: str) -> str:
        if self._kind == "s":
            number = int(value)
            if not 0 <= number < len(self._texts):
                raise Damaged(f"a text in {cell_name(self._row, self._column)} that it has not")
            return self._texts[number]
        if self._kind == "n":
            known = 0 <= self._style < len(self._shown)
            shown = self._shown[self._style] if known else Shown.NUMBER
            return number_text(value, shown, from_1904=self._from_1904)
        if self._kind == "b":
            return _TRUTHS.get(value, value)
        if self._kind in _WORDS:
            return decoded(value)
        place = cell_name(self._row, self._column)
        raise Damaged(f'{place} of the kind "{self._kind[:20]}", which Excel has not')

"""Excel workbooks of both forms: .xlsx, and .xls as they were saved until 2007."""

import io
import posixpath
import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from medassay.errors import InvalidInput, Problem
from medassay.tables.workbooks.archive import Archive
from medassay.tables.workbooks.page import (
    Budget,
    Damaged,
    NumberShownAs,
    Page,
    PageInMaking,
    cell_name,
    cell_place,
    is_inside,
    number_text,
    shown_by_code,
    shown_by_id,
)

if TYPE_CHECKING:
    from xlrd import Book
    from xlrd.sheet import Sheet

__all__ = ["Cells", "SharedTexts", "TextInMaking", "read_excel", "read_old_excel"]

_TRUE: Final = {"1", "true"}
_BINARY: Final = ".bin"
_TRUTHS: Final = {"1": "TRUE", "0": "FALSE", "true": "TRUE", "false": "FALSE"}
_WORDS: Final = {"str", "d"}
"""Kinds of a cell whose value is text as it stands: what a formula gave, and a day."""
_CODE: Final = re.compile(r"_x([0-9A-Fa-f]{4})_")
_BLANKS: Final = " \t\r\n"
_SURROGATES: Final = range(0xD800, 0xE000)
_PASSWORD: Final = "EncryptedPackage".encode("utf-16-le")
_STREAMS: Final = ("Workbook", "Book")
# Kinds of records, of which such a workbook is a row.
_BEGIN: Final = {0x0009, 0x0209, 0x0409, 0x0809}
_END: Final = 0x000A
_SHEET: Final = 0x0085
_FORMULA: Final = {0x0006, 0x0206, 0x0406}


def read_excel(archive: Archive, file: str) -> list[Page]:
    """Read every sheet.

    Raises:
        InvalidInput: There are too many cells, or it is a binary workbook.
        Damaged: A part is missing, or contradicts another.
    """
    main = _Links.of(archive, "").first("officeDocument") or "xl/workbook.xml"
    if main.endswith(_BINARY):
        must, got = "be a table", "a binary workbook (.xlsb), in which errors cannot be seen"
        raise InvalidInput(Problem(file, must, got, "Save it as .xlsx."))
    book = _Book()
    archive.read(main, book)
    links = _Links.of(archive, main)
    texts, styles = SharedTexts(), _Styles()
    for kind, handler in (("sharedStrings", texts), ("styles", styles)):
        part = links.first(kind)
        if part:
            archive.read(part, handler)
    budget = Budget(file)
    pages = []
    for title, identity in book.sheets:
        link = links.by_identity.get(identity)
        if link is None:
            raise Damaged(f'a sheet "{title}" that stands nowhere')
        kind, part = link
        if kind == "worksheet":
            page = PageInMaking(title, budget)
            archive.read(part, Cells(page, texts.found, styles.shown, from_1904=book.from_1904))
            pages.append(page.page())
    return pages


@dataclass
class _Links:
    """What a part refers to: the kind and the name of each other part, by identity."""

    folder: str
    by_identity: dict[str, tuple[str, str]] = field(default_factory=dict)

    @classmethod
    def of(cls, archive: Archive, part: str) -> "_Links":
        folder, name = posixpath.split(part)
        links = cls(folder)
        archive.read(posixpath.join(folder, "_rels", f"{name}.rels"), links)
        return links

    def first(self, kind: str) -> str:
        """Give the first part of a kind, or nothing."""
        return next((part for identity, part in self.by_identity.values() if identity == kind), "")

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "Relationship" and attributes.get("TargetMode") != "External":
            kind = attributes.get("Type", "").rpartition("/")[2]
            target = attributes.get("Target", "").replace("\\", "/")
            part = posixpath.normpath(posixpath.join("/", self.folder, target)).lstrip("/")
            self.by_identity[attributes.get("Id", "")] = (kind, part)

    def end(self, name: str) -> None:
        """Take a tag that closes."""

    def text(self, data: str) -> None:
        """Take a piece of text."""


class _Book:
    """The names of the sheets, in their order, and from which year days are counted."""

    def __init__(self) -> None:
        self.sheets: list[tuple[str, str]] = []
        self.from_1904 = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "sheet":
            # The identity is that of a link, whatever prefix its maker gave to links.
            linked = (value for key, value in attributes.items() if key.endswith(":id"))
            self.sheets.append((attributes.get("name", ""), next(linked, "")))
        elif name == "workbookPr":
            self.from_1904 = attributes.get("date1904", "0").lower() in _TRUE

    def end(self, name: str) -> None:
        """Take a tag that closes."""

    def text(self, data: str) -> None:
        """Take a piece of text."""


class _Styles:
    """How a cell shows its number, by the number of the cell's style."""

    def __init__(self) -> None:
        self.shown: list[NumberShownAs] = []
        self._own: dict[int, NumberShownAs] = {}
        self._inside = ""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name in {"numFmts", "cellXfs"}:
            self._inside = name
        elif name == "numFmt" and self._inside == "numFmts":
            own = int(attributes.get("numFmtId", "0"))
            self._own[own] = shown_by_code(attributes.get("formatCode", ""))
        elif name == "xf" and self._inside == "cellXfs":
            identity = int(attributes.get("numFmtId", "0"))
            self.shown.append(self._own.get(identity) or shown_by_id(identity))

    def end(self, name: str) -> None:
        if name == self._inside:
            self._inside = ""

    def text(self, data: str) -> None:
        """Take a piece of text."""


class Cells:
    """Takes the tags of a sheet, and fills a page with its cells.

    Args:
        page: What is filled.
        texts: The texts that cells refer to by number.
        shown: How a cell shows its number, by the number of its style.
        from_1904: Whether days count from 1904.
    """

    def __init__(
        self,
        page: PageInMaking,
        texts: Sequence[str],
        shown: Sequence[NumberShownAs],
        *,
        from_1904: bool,
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
            shown = self._shown[self._style] if known else NumberShownAs.NUMBER
            return number_text(value, shown, from_1904=self._from_1904)
        if self._kind == "b":
            return _TRUTHS.get(value, value)
        if self._kind in _WORDS:
            return _decoded(value)
        place = cell_name(self._row, self._column)
        raise Damaged(f'{place} of the kind "{self._kind[:20]}", which Excel has not')


def _decoded(text: str) -> str:
    r"""Bring back signs that XML cannot hold and Excel writes as codes.

    Half of a surrogate pair is no sign: its code stays as it stands.

    Example:
        >>> _decoded("one_x000D_\ntwo _x005F_x000D_ _xD83D_")
        'one\r\ntwo _x000D_ _xD83D_'
    """
    return _CODE.sub(_sign, text) if "_x" in text else text


def _sign(code: re.Match[str]) -> str:
    number = int(code[1], 16)
    return code[0] if number in _SURROGATES else chr(number)


class TextInMaking:
    """Joins the runs of a text; how East Asian signs are pronounced is left out."""

    def __init__(self) -> None:
        self._runs: list[str] = []
        self._pieces: list[str] = []
        self._open = self._kept = False
        self._spoken = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Take a tag that opens inside of the text."""
        if name == "rPh":
            self._spoken += 1
        elif name == "t" and not self._spoken:
            self._open, self._kept = True, attributes.get("xml:space") == "preserve"

    def end(self, name: str) -> None:
        """Take a tag that closes inside of the text."""
        if name == "rPh":
            self._spoken -= 1
        elif name == "t" and self._open:
            run = "".join(self._pieces)
            self._runs.append(run if self._kept else run.strip(_BLANKS))
            self._pieces.clear()
            self._open = False

    def text(self, data: str) -> None:
        """Take a piece of text."""
        if self._open:
            self._pieces.append(data)

    def take(self) -> str:
        """Give the text, and begin anew."""
        whole = _decoded("".join(self._runs))
        self._runs.clear()
        return whole


class SharedTexts:
    """The texts that cells refer to by number."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._making = TextInMaking()

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Take a tag that opens."""
        self._making.start(name, attributes)

    def end(self, name: str) -> None:
        """Take a tag that closes."""
        self._making.end(name)
        if name == "si":
            self.found.append(self._making.take())

    def text(self, data: str) -> None:
        """Take a piece of text."""
        self._making.text(data)


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

    shown: dict[int, NumberShownAs] = {}
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

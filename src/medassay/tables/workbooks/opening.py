"""Open a workbook of any kind, or say why it cannot be read.

Excel workbooks of both forms: .xlsx, and .xls as they were saved until 2007.

Workbooks in the OpenDocument form (.ods), as LibreOffice saves them.
"""

import io
import posixpath
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from medassay.errors import InvalidInput, Problem
from medassay.tables.workbooks.page import (
    MARKUP_ERRORS,
    Archive,
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


MARK: Final = b"application/vnd.oasis.opendocument.spreadsheet"
_ERROR: Final = re.compile(r"#[A-Z0-9/]+[!?]?|Err:[0-9]+")
_CELLS: Final = {"table-cell", "covered-table-cell"}
_TEXT: Final = {"p", "span", "a", "ruby", "ruby-base"}
_TIME: Final = re.compile(r"PT([0-9]{2})H([0-9]{2})M([0-9]{2})(?:[.,]0+)?S")
_BLANK_RUNS: Final = re.compile(r"[ \t\r\n]+")
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
            line = _BLANK_RUNS.sub(" ", "".join(self._pieces)).strip(" ")
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


_ARCHIVE: Final = b"PK\x03\x04"
_OLD: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_DAMAGED: Final = (
    Damaged, zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError,
    OverflowError, *MARKUP_ERRORS,
)  # fmt: skip


def is_workbook(content: bytes) -> bool:
    """Say whether bytes begin as workbooks do."""
    return content.startswith((_ARCHIVE, _OLD))


def open_workbook(content: bytes, file: str) -> list[Page]:
    """Read every sheet: its cells as text, its errors, formulas and merges.

    Raises:
        InvalidInput: The file is no workbook, damaged, or holds more than any table.
    """
    try:
        if content.startswith(_OLD):
            return read_old_excel(content, file)
        with Archive(content, file) as archive:
            read = read_open_document if archive.start_of("mimetype", 99) == MARK else read_excel
            return read(archive, file)
    except _DAMAGED as error:
        got = f"a workbook or archive that cannot be read ({error})"
        raise InvalidInput(Problem(file, "be a table", got, "Save it as CSV UTF-8.")) from error

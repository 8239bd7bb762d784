"""One sheet of a workbook, filled cell by cell within bounds, numbers as they are shown."""

import io
import posixpath
import re
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum
from itertools import count
from typing import IO, Final, Protocol, Self
from xml.parsers import expat

from medassay.errors import InvalidInput, Problem

MOST_CELLS: Final = 2_000_000
_LETTERS: Final = 26
_MOST_ROWS: Final = 1_048_576
_MOST_COLUMNS: Final = 16_384
_NAME: Final = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_BUILT_IN_DATES: Final = {*range(14, 23), *range(27, 37), 45, 47, *range(50, 59)}
_BUILT_IN_SPAN: Final = 46
_LITERAL: Final = re.compile(r'"[^"]*"|\\.|_.|\*.')
_SPAN: Final = re.compile(r"\[(?:h+|m+|s+)\]", re.IGNORECASE)
_BRACKETS: Final = re.compile(r"\[[^\]]*\]")
_DATE_LETTERS: Final = re.compile(r"[dmyhs]", re.IGNORECASE)
_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,300}")
_DAY: Final = 86_400_000
"""Milliseconds."""
_LATEST: Final = 2_958_466
"""The first day of the year 10000, counted from 1900."""
_LONGEST: Final = 1e8
_FROM_1904: Final = 1462
_LEAP_DAY_THAT_NEVER_WAS: Final = 60


class Damaged(Exception):
    """A workbook that contradicts itself."""


@dataclass(frozen=True)
class Page:
    """One sheet of a workbook, or a CSV file.

    Attributes:
        title: The sheet's name; empty for CSV.
        cells: Rows of cells from A1 on, as text; what is empty is "".
        merged: Each cell that a merge hides, to the cell whose value it shows.
        errors: Cells that hold an error, such as #NAME?, to that error.
        formulas: Cells that hold a formula; `cells` has what it showed when the file was saved.
        uncomputed: Cells that hold a formula of which the file does not say what it showed.
        from_text: Whether the cells were written as text, as in CSV.
    """

    title: str
    cells: list[list[str]]
    merged: Mapping[str, str] = field(default_factory=dict)
    errors: Mapping[str, str] = field(default_factory=dict)
    formulas: frozenset[str] = frozenset()
    uncomputed: frozenset[str] = frozenset()
    from_text: bool = False


def column_name(column: int) -> str:
    """Name a column as spreadsheets do; columns count from 0.

    Example:
        >>> column_name(3), column_name(26)
        ('D', 'AA')
    """
    letters, rest = "", column + 1
    while rest:
        rest, letter = divmod(rest - 1, _LETTERS)
        letters = chr(ord("A") + letter) + letters
    return letters


def cell_name(row: int, column: int) -> str:
    """Name a cell as spreadsheets do; row and column count from 0.

    Example:
        >>> cell_name(16, 3), cell_name(0, 26)
        ('D17', 'AA1')
    """
    return f"{column_name(column)}{row + 1}"


def cell_place(name: str) -> tuple[int, int]:
    """Give row and column of a cell's name, both from 0.

    Raises:
        Damaged: No spreadsheet has such a cell.

    Example:
        >>> cell_place("D17"), cell_place("AA1")
        ((16, 3), (0, 26))
    """
    match = _NAME.fullmatch(name)
    column = -1
    for letter in match[1] if match else "":
        column = (column + 1) * _LETTERS + ord(letter) - ord("A")
    row = int(match[2]) - 1 if match else -1
    if not is_inside(row, column):
        raise Damaged(f'a cell named "{name[:20]}"')
    return row, column


def is_inside(row: int, column: int) -> bool:
    """Tell whether spreadsheets have such a cell."""
    return 0 <= row < _MOST_ROWS and 0 <= column < _MOST_COLUMNS


@dataclass(slots=True)
class Budget:
    """How many cells of a workbook were read, so that a small file cannot take all memory.

    Attributes:
        file: What messages call the workbook.
        spent: Cells so far, of all its sheets.
    """

    file: str
    spent: int = 0

    def spend(self, cells: int, title: str, place: tuple[int, int]) -> None:
        """Count cells.

        Raises:
            InvalidInput: They are too many; the cell reached is named.
        """
        self.spent += cells
        if self.spent > MOST_CELLS:
            raise InvalidInput(self.exceeded(title, place))

    def exceeded(self, title: str, place: tuple[int, int]) -> Problem:
        """Say that there are too many cells, and up to which one."""
        must = f"have at most {MOST_CELLS:,} cells, empty ones before a filled one among them"
        got = f'more, up to {cell_name(*place)} of sheet "{title}"'
        hint = "Delete what stands far from the table, or save the table as CSV UTF-8."
        return Problem(self.file, must, got, hint)


class PageInMaking:
    """Takes the cells of a sheet one by one, in any order; row and column count from 0."""

    def __init__(self, title: str, budget: Budget) -> None:
        self.title, self.budget = title, budget
        self._rows: dict[int, list[str]] = {}
        self._height = self._width = 0
        self._errors: dict[str, str] = {}
        self._formulas: set[str] = set()
        self._uncomputed: set[str] = set()
        self._merges: list[tuple[int, int, int, int]] = []

    def put(self, row: int, column: int, text: str) -> None:
        """Fill a cell.

        Raises:
            Damaged: The cell was filled before.
            InvalidInput: It stands so far out that the cells before it are too many.
        """
        if not text:
            return
        if row >= self._height or column >= self._width:
            self._height = max(self._height, row + 1)
            self._width = max(self._width, column + 1)
            if self._height * self._width > MOST_CELLS:
                raise InvalidInput(self.budget.exceeded(self.title, (row, column)))
        cells = self._rows.setdefault(row, [])
        if column >= len(cells):
            cells += [""] * (column - len(cells))
            cells.append(text)
        elif cells[column]:
            raise Damaged(f"cell {cell_name(row, column)} of sheet {self.title} twice")
        else:
            cells[column] = text

    def error(self, row: int, column: int, word: str) -> None:
        """Note that a cell holds an error instead of a value."""
        self._errors[cell_name(row, column)] = word

    def formula(self, row: int, column: int, *, computed: bool) -> None:
        """Note that a cell holds a formula, and whether the file says what it showed."""
        name = cell_name(row, column)
        self._formulas.add(name)
        if not computed:
            self._uncomputed.add(name)

    def merge(self, top: int, left: int, bottom: int, right: int) -> None:
        """Note that the cells from one corner to the other show the first one's value."""
        self._merges.append((top, left, bottom, right))

    def page(self) -> Page:
        """Give the sheet as it was filled.

        Raises:
            InvalidInput: Merges hide more cells than a sheet may have.
        """
        blank = [""] * self._width
        cells = []
        for row in range(self._height):
            filled = self._rows.get(row, blank)
            filled += [""] * (self._width - len(filled))
            cells.append(filled)
        return Page(
            self.title,
            cells,
            self._hidden(),
            self._errors,
            frozenset(self._formulas),
            frozenset(self._uncomputed),
        )

    def _hidden(self) -> dict[str, str]:
        """Name the cells that merges hide."""
        hidden = {}
        for top, left, bottom, right in self._merges:
            inside = max(0, bottom + 1 - top) * max(0, right + 1 - left)
            self.budget.spend(inside, self.title, (bottom, right))
            first = cell_name(top, left)
            for row in range(top, bottom + 1):
                for column in range(left, right + 1):
                    if (row, column) != (top, left):
                        hidden[cell_name(row, column)] = first
        return hidden


class NumberShownAs(Enum):
    """As what a number is shown."""

    NUMBER = "number"
    MOMENT = "moment"
    SPAN = "span"


def shown_by_id(identity: int) -> NumberShownAs:
    """Say what a built-in number format shows; those of East Asia are dates too."""
    if identity == _BUILT_IN_SPAN:
        return NumberShownAs.SPAN
    return NumberShownAs.MOMENT if identity in _BUILT_IN_DATES else NumberShownAs.NUMBER


def shown_by_code(code: str) -> NumberShownAs:
    r"""Say what a format of the workbook's own shows.

    Example:
        >>> [shown_by_code(c).value for c in ("yyyy-mm-dd", "[h]:mm", '0.0" days"', "[Red]0")]
        ['moment', 'span', 'number', 'number']
    """
    plain = _LITERAL.sub("", code).partition(";")[0]
    if _SPAN.search(plain):
        return NumberShownAs.SPAN
    dated = _DATE_LETTERS.search(_BRACKETS.sub("", plain))
    return NumberShownAs.MOMENT if dated else NumberShownAs.NUMBER


def number_text(
    number: str, shown: NumberShownAs = NumberShownAs.NUMBER, *, from_1904: bool = False
) -> str:
    """Write a number as the text that stands for it: a date in ISO 8601, 4.0 as 4.

    Args:
        number: The number as the workbook has it.
        shown: As what the cell shows it.
        from_1904: Whether the workbook counts days from 1904.

    Example:
        >>> number_text("4.0"), number_text("1E-7"), number_text("45000", NumberShownAs.MOMENT)
        ('4', '1e-07', '2023-03-15')
    """
    if shown is NumberShownAs.NUMBER and _WHOLE.fullmatch(number):
        return str(int(number))
    if not _NUMBER.fullmatch(number):
        return number
    value = float(number)
    if shown is NumberShownAs.SPAN and abs(value) < _LONGEST:
        return str(timedelta(milliseconds=round(value * _DAY)))
    if shown is NumberShownAs.MOMENT and 0 <= value < _LATEST - _FROM_1904 * from_1904:
        return _moment(value, from_1904=from_1904)
    return str(int(value)) if value.is_integer() else str(value)


def _moment(days: float, *, from_1904: bool) -> str:
    since = timedelta(milliseconds=round(days * _DAY))
    if days < 1:
        return (datetime.min + since).time().isoformat()  # noqa: DTZ901 - a spreadsheet has no zone
    if from_1904:
        days += _FROM_1904
        since += timedelta(days=_FROM_1904)
    elif days < _LEAP_DAY_THAT_NEVER_WAS:
        since += timedelta(days=1)
    moment = datetime(1899, 12, 30) + since  # noqa: DTZ001 - as above
    whole = since % timedelta(days=1) == timedelta()
    return moment.date().isoformat() if whole else moment.isoformat()


_LARGEST: Final = 512 * 1024 * 1024
MARKUP_ERRORS: Final = (expat.ExpatError,)
_CHUNK: Final = 1 << 16
_MOST_CHUNKS: Final = 8
_MOST_TAGS: Final = 10_000_000


class Handler(Protocol):
    """What is told of each tag, its name without prefix, and of the text between tags."""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Take a tag that opens."""

    def end(self, name: str) -> None:
        """Take a tag that closes."""

    def text(self, data: str) -> None:
        """Take a piece of text."""


class Archive:
    """Gives the parts of an archive by name, large and small letters alike."""

    def __init__(self, content: bytes, file: str) -> None:
        """Open an archive.

        Raises:
            InvalidInput: It unpacks to more than any table.
            BadZipFile: It is no archive.
        """
        self._archive = zipfile.ZipFile(io.BytesIO(content))
        parts = self._archive.infolist()
        # Of a part no more is ever unpacked than the archive says that it holds.
        if sum(part.file_size for part in parts) > _LARGEST:
            must, hint = f"unpack to at most {_LARGEST:,} bytes", "Save it as CSV UTF-8."
            raise InvalidInput(Problem(file, must, "more", hint))
        self._parts = {_plain(part.filename): part for part in parts}

    def __enter__(self) -> Self:
        """Open the archive."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the archive."""
        self._archive.close()

    def __contains__(self, name: str) -> bool:
        """Tell whether there is such a part."""
        return _plain(name) in self._parts

    def start_of(self, name: str, length: int) -> bytes:
        """Give the first bytes of a part, or nothing where there is none."""
        if name not in self:
            return b""
        with self._archive.open(self._parts[_plain(name)]) as part:
            return part.read(length)

    def read(self, name: str, handler: Handler) -> None:
        """Tell a handler all that a part holds.

        Raises:
            Damaged: There is no such part.
            BadZipFile: What is unpacked is not what was packed.
        """
        if name not in self:
            raise Damaged(f"no {name} in it")
        part = self._parts[_plain(name)]
        with self._archive.open(part) as source:
            _read_markup(source, part.file_size, handler)


def _plain(name: str) -> str:
    return posixpath.normpath(name.replace("\\", "/")).lstrip("/").lower()


def _read_markup(source: IO[bytes], size: int, handler: Handler) -> None:
    """Tell a handler all that a document holds.

    Args:
        source: The document.
        size: About how many bytes it has.
        handler: What is told.

    Raises:
        Damaged: The document declares its own type (entities could fill the memory, or hide text),
            or has more tags than any sheet that is read.
        ExpatError: It is no XML.
    """
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _refuse
    parser.StartElementHandler = _without_prefix(handler.start)
    parser.EndElementHandler = _end(handler.end)
    parser.CharacterDataHandler = handler.text
    # A tag that never ends is scanned anew with every piece: few pieces keep that short.
    step = max(_CHUNK, size // _MOST_CHUNKS)
    while piece := source.read(step):
        parser.Parse(piece, False)  # noqa: FBT003 - expat takes it by place
    parser.Parse(b"", True)  # noqa: FBT003 - as above


def _refuse(*_: object) -> None:
    raise Damaged("a declaration of the document's type, which workbooks have not")


def _without_prefix(
    start: Callable[[str, dict[str, str]], None],
) -> Callable[[str, dict[str, str]], None]:
    tags = count(1)

    def counted(name: str, attributes: dict[str, str]) -> None:
        if next(tags) > _MOST_TAGS:
            raise Damaged(f"more than {_MOST_TAGS:,} tags")
        start(name.rpartition(":")[2], attributes)

    return counted


def _end(end: Callable[[str], None]) -> Callable[[str], None]:
    return lambda name: end(name.rpartition(":")[2])

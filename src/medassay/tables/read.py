"""Read a table of any form into one shape: lines, Parquet, workbooks, CSV."""

import codecs
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from medassay.errors import InvalidInput, Problem
from medassay.tables.decode import Refused, decode, file_bytes, json_fault, parse_strictly
from medassay.tables.grid import (
    delimited_cells,
    read_delimited,
    refuse_many_columns,
    sheet_of_grid,
)
from medassay.tables.record import with_shared_names, without_nulls
from medassay.tables.sheet import Sheet
from medassay.tables.workbooks import Page, cell_place, column_name, is_workbook, open_workbook

if TYPE_CHECKING:
    from pydantic import BaseModel

_STRANGERS: Final = {
    b"PAR1": ("a Parquet file", "Name it .parquet."),
    b"\x1f\x8b": ("a gzip archive", "Unpack it first."),
    b"%PDF": ("a PDF", "Give the table that it was made from."),
}
LONGEST_TEXT: Final = 10_000_000
"""A text longer than a hundred novels' chapters is a quote that never closes, or a wrong file."""
_WORKBOOKS: Final = frozenset({".xls", ".xlsm", ".xlsb", ".ods", ".numbers"})
_MUST: Final = "be one JSON object a line"
_KINDS: Final = {list: "a list", str: "a text", int: "a number", float: "a number", bool: "a truth"}
_FILLED: Final = re.compile(r"\S.*")
_STRANGE: Final = object()
_BLANKS: Final = b" \t\r\n"  # those of JSON: any other is a doubt
WORKBOOK: Final = "an Excel workbook"


def read_lines(content: bytes, file: str) -> Sheet:
    """Read one object a line; blank lines are left out.

    Raises:
        InvalidInput: The bytes are no text, or a line is no JSON object; every line is named.
    """
    text, notes = decode(content, file)
    records: list[tuple[int, dict[str, object]]] = []
    problems: list[Problem] = []
    last = text.count("\n") + 1
    cut = bool(text[text.rfind("\n") + 1 :].strip())
    for number, line in _lines(text):
        try:
            value = parse_strictly(line)
        except (ValueError, RecursionError) as error:
            hint = "The file may be cut off there." if cut and number == last else ""
            column = _column(line) if isinstance(error, Refused) else None
            hint = hint or _hint(line)
            problems.append(
                Problem(file, _MUST, json_fault(error), hint, row=number, column=column)
            )
            continue
        if not isinstance(value, dict):
            got = _KINDS.get(type(value), "nothing")
            hint = "Write each item of the list on its own line." if got == "a list" else ""
            problems.append(Problem(file, _MUST, got, hint, row=number))
            continue
        records.append((number, value))
    if problems:
        raise InvalidInput(problems)
    names = list(dict.fromkeys(name for _, record in records for name in record))
    columns = {name: [record.get(name) for _, record in records] for name in names}
    return Sheet(file, [n for n, _ in records], columns, notes=notes)


def _read_parquet(content: bytes, file: str) -> Sheet:
    """Read a Parquet file; its rows count from 1.

    Raises:
        InvalidInput: It is none.
    """
    import polars as pl

    try:
        frame = pl.read_parquet(io.BytesIO(content))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        got = str(error).split("\n")[0] if content else "an empty file"
        raise InvalidInput(Problem(file, "be a Parquet file", got)) from error
    columns: dict[str, list[object]] = {c.name: c.to_list() for c in frame}
    return Sheet(file, list(range(1, frame.height + 1)), columns)


def _read_workbook(content: bytes, file: str) -> Sheet:
    """Read the first sheet that has cells; a note says which, and which others were not read.

    Cells become the text that a spreadsheet would save as CSV: a whole number without its
    fraction, a date in ISO 8601.

    Raises:
        InvalidInput: The file is no workbook, a cell of the sheet holds an error such as #N/A or a
            formula that nobody has computed, or its cells do not make a table.
    """
    pages = open_workbook(content, file)
    filled = [page for page in pages if page.cells or page.errors or page.uncomputed]
    if not filled:
        raise InvalidInput(Problem(file, "have a header row", "a workbook without cells"))
    hint = f'Its sheet "{filled[0].title}" was read.'
    if filled[1:]:
        others = ", ".join(f'"{page.title}"' for page in filled[1:])
        hint = f'Its sheet "{filled[0].title}" was read; {others} not.'
    note = Problem(file, "be CSV, JSONL or Parquet", WORKBOOK, hint)
    return sheet_of_page(filled[0], file, [note])


_READERS: Final[dict[str, Callable[[bytes, str], Sheet]]] = {
    ".jsonl": read_lines,
    ".csv": read_delimited,
    ".tsv": lambda content, file: read_delimited(content, file, "\t"),
    ".parquet": _read_parquet,
    ".xlsx": _read_workbook,
}


FORMS: Final = tuple(_READERS)
"""The endings of files that hold a table, the one that loses nothing first."""


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
            reader = _read_workbook
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


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Cut a text at line feeds, one at a time: a list of them would hold it all again.

    U+2028 and its like, at which splitlines cuts, are ordinary characters inside a JSON string.

    Yields:
        Each line that is not blank, with its number; blank ones are passed over all at once.
    """
    number, counted = 1, 0
    for filled in _FILLED.finditer(text):
        start = text.rfind("\n", counted, filled.start()) + 1 or counted
        number += text.count("\n", counted, start)
        counted = start
        yield number, text[start : filled.end()]


def _column(line: str) -> str | None:
    """Find the first key whose value holds a constant that is no JSON number."""
    try:
        value = json.loads(line, parse_constant=lambda _: _STRANGE)
        entries = value.items() if isinstance(value, dict) else ()
        return next((name for name, entry in entries if _holds_constant(entry)), None)
    except (ValueError, RecursionError):
        return None  # the rest of the line is no JSON either


def _holds_constant(value: object) -> bool:
    if isinstance(value, dict):
        return any(_holds_constant(entry) for entry in value.values())
    if isinstance(value, list):
        return any(_holds_constant(entry) for entry in value)
    return value is _STRANGE


def _hint(line: str) -> str:
    if line.lstrip().startswith(("{'", "{ '")):
        return "JSON has double quotes around names and texts."
    if line.strip() in {"[", "{"}:
        return "The file is one JSON document over many lines: write each object on one line."
    return ""


if TYPE_CHECKING:
    Record = TypeVar("Record", bound=BaseModel)


class Doubt(ValueError):
    """Something is wrong with a file, or may be."""


def good_lines(
    path: Path,
    model: "type[Record]",
    defaults: Mapping[str, str] | None = None,
    prepare: Callable[[dict[str, object]], dict[str, object]] = dict,
) -> "Iterator[tuple[int, Record]]":
    """Read the records of a JSONL file about which nothing needs to be said, one after the other.

    Rows that are parsed and not yet records take several times the memory of records; here one row
    at a time is parsed. To name every problem of a file, all its rows and columns must be known:
    at the first doubt nothing that came counts, and `read_sheet` is the way.

    Args:
        path: The file.
        model: The records' class, which forbids unknown keys.
        defaults: Cells for every row of a file that lacks these columns.
        prepare: What is done to the cells of a row before they are checked.

    Yields:
        Each record with the number of its line.

    Raises:
        Doubt: The file is no JSONL, or something is wrong with it, or may be.
    """
    if path.suffix.lower() != ".jsonl" or not path.is_file():
        message = "another form"
        raise Doubt(message)
    coming = _records(path, model, defaults or {}, prepare)
    while True:
        try:
            record = next(coming, None)
        except (OSError, ValueError, RecursionError) as error:
            raise Doubt(str(error)) from error
        if record is None:
            return
        yield record


def _records(
    path: Path,
    model: "type[Record]",
    defaults: Mapping[str, str],
    prepare: Callable[[dict[str, object]], dict[str, object]],
) -> "Iterator[tuple[int, Record]]":
    known = model.model_fields.keys()
    lacked: set[bool] = set()
    row = 0
    with path.open("rb") as lines:
        for whole in lines:
            row += 1
            line = (whole.removeprefix(codecs.BOM_UTF8) if row == 1 else whole).strip(_BLANKS)
            if not line:
                ahead = lines.peek()  # blank lines that follow are passed over all at once
                row += lines.read(len(ahead) - len(ahead.lstrip(_BLANKS))).count(b"\n")
                continue
            cells = _cells(line)
            if defaults:
                lacked.update(name not in cells for name in defaults)
                cells = {**defaults, **cells}
            if b"null" in line:
                if not cells.keys() <= known:
                    message = "a column of another name, though nothing stands in it"
                    raise Doubt(message)
                cells = {
                    key: without_nulls(cell) for key, cell in cells.items() if cell is not None
                }
            yield row, with_shared_names(model.model_validate(prepare(cells)))
    if len(lacked) > 1:
        message = "a column that stands in some rows only"
        raise Doubt(message)


def _cells(line: bytes) -> dict[str, object]:
    from pydantic_core import from_json

    if len(line) > LONGEST_TEXT:
        message = "perhaps a text that is too long"
        raise Doubt(message)
    cells: object = from_json(line, allow_inf_nan=False)
    if isinstance(cells, dict) and not _keys_stand_once(line, cells):
        cells = parse_strictly(line.decode())
    if not isinstance(cells, dict):
        message = "no object"
        raise Doubt(message)
    return cells


def _keys_stand_once(line: bytes, cells: dict[str, object]) -> bool:
    """Say whether no key stands twice in an object; False may also mean that nobody can tell.

    Of a key that stands twice the parser keeps one: then there are fewer keys than colons. Before
    the colon of a key is the quote that ends it, or a blank; text may hold either as well.
    """
    if b"\t" in line or b"\r" in line:
        return False
    keys = len(cells)
    for cell in cells.values():
        if isinstance(cell, dict):
            keys += len(cell)
        elif isinstance(cell, list) and set(map(type, cell)) == {dict}:
            keys += sum(map(len, cell))
    return keys == line.count(b'":') + line.count(b" :")


def read_pages(content: bytes, file: str) -> tuple[list[Page], tuple[Problem, ...]]:
    """Read a workbook's every sheet, or a CSV file, whatever its ending, encoding and separator.

    No formula is ever computed: of a cell with one, the value is read that it showed when saved.

    Returns:
        The pages, and what was odd and read all the same.

    Raises:
        InvalidInput: The file is no workbook, and no well-formed CSV.
    """
    if not is_workbook(content):
        cells, _, notes = delimited_cells(content, file)
        return [Page("", cells, from_text=True)], notes
    return open_workbook(content, file), ()


def sheet_of_page(page: Page, file: str, notes: Sequence[Problem]) -> Sheet:
    """Take a page as a table whose first row names its columns.

    Args:
        page: The page.
        file: What messages call the file.
        notes: What was said about the file already.

    Raises:
        InvalidInput: A cell has no value that can be told, or the cells do not make a table.
    """
    unknown = {name: f"the error {word}".rstrip() for name, word in page.errors.items()}
    unknown |= dict.fromkeys(page.uncomputed - unknown.keys(), "a formula that was never computed")
    problems = []
    for name in sorted(unknown, key=cell_place):
        row, column = cell_place(name)
        hint = "Repair it, or empty the cell."
        if name in page.uncomputed:
            hint = "Open the workbook in a spreadsheet, save it there, and give that."
        must, got = "have a value in every cell", unknown[name]
        problems.append(Problem(file, must, got, hint, row + 1, column_name(column)))
    problems += _merged(page, file)
    if problems:
        raise InvalidInput(problems)
    return sheet_of_grid(page.cells, file, [*notes, *_empty_formulas(page, file)])


def _merged(page: Page, file: str) -> list[Problem]:
    """Say once which cells of the table merges hide: each would be empty, and looks filled."""
    hidden = [
        (cell_place(name), first)
        for name, first in page.merged.items()
        if _text(page, name) is not None and _text(page, first)
    ]
    if not hidden:
        return []
    ((row, column), into), count = min(hidden), len(hidden) - 1
    got = f"a cell merged into {into}" + (f", and {count} more cells like it" if count else "")
    hint = "Unmerge the cells, and fill each one or empty it."
    must = "have one cell for each value"
    return [Problem(file, must, got, hint, row + 1, column_name(column))]


def _empty_formulas(page: Page, file: str) -> list[Problem]:
    """Note formulas that show nothing: an old workbook keeps the same for one never computed."""
    blank = sorted((name for name in page.formulas if _text(page, name) == ""), key=cell_place)
    if not blank:
        return []
    got = f"a formula that shows nothing in {blank[0]}"
    more = f", and {len(blank) - 1} more" if blank[1:] else ""
    hint = "It was read as an empty cell; if a spreadsheet shows something there, save it there."
    return [Problem(file, "have values in its cells", f"{got}{more}", hint)]


def _text(page: Page, name: str) -> str | None:
    """Give what stands in a cell; None beyond the table."""
    row, column = cell_place(name)
    inside = row < len(page.cells) and column < len(page.cells[row])
    return page.cells[row][column] if inside else None

"""Read CSV, JSONL and Parquet into one shape."""

import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem

# A cell of text may be long (a whole guideline); the csv module's own limit is 128 KiB.
_LARGEST_CELL: Final = 64 * 1024 * 1024
_OTHER_SEPARATORS: Final = (";", "\t", "|")
_LONE_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Sheet:
    """Columns of cells with the place each row came from.

    Attributes:
        file: The name to show in messages.
        rows: For each row its number: the spreadsheet's row (the header is 1) or the JSONL line.
        columns: Column name to its cells, all as long as `rows`. Cells of CSV are text, and an
            empty cell is None; JSONL and Parquet keep their values, and a key that a JSONL line
            lacks is None.
        empty_is_none: Whether a cell that is None may have been empty text, as in CSV.
    """

    file: str
    rows: list[int]
    columns: dict[str, list[object]] = field(default_factory=dict)
    empty_is_none: bool = False

    def __len__(self) -> int:
        """Count the rows."""
        return len(self.rows)

    def records(self) -> Iterator[tuple[int, dict[str, object]]]:
        """Give each row as (row number, its cells that are not empty)."""
        names = list(self.columns)
        cells = zip(*self.columns.values(), strict=True)
        for row, values in zip(self.rows, cells, strict=True):
            yield row, {n: v for n, v in zip(names, values, strict=True) if v is not None}


def read_sheet(path: Path, shown_as: str | None = None) -> Sheet:
    """Read a table by its ending: .csv, .jsonl or .parquet.

    Args:
        path: The file.
        shown_as: What messages call it; the file's name if not given.

    Raises:
        InvalidInput: The file is not there, cannot be decoded or parsed; every bad row is named.
    """
    file = shown_as or path.name
    readers = {".csv": _read_csv, ".jsonl": _read_jsonl, ".parquet": _read_parquet}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise InvalidInput(Problem(file, f"end in one of {', '.join(readers)}", f'"{path.suffix}"'))
    if not path.is_file():
        raise InvalidInput(Problem(file, "be a file that exists", "nothing there"))
    return reader(path, file)


def _decode(path: Path, file: str) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise InvalidInput(
            Problem(
                file,
                "be text in UTF-8",
                f"byte 0x{error.object[error.start]:02x} at position {error.start}",
                "Save the file as UTF-8 (in a spreadsheet: 'CSV UTF-8').",
                row=line,
            )
        ) from error
    except PermissionError as error:
        raise InvalidInput(Problem(file, "be readable", "no permission to read it")) from error


def _read_csv(path: Path, file: str) -> Sheet:
    csv.field_size_limit(_LARGEST_CELL)
    reader = csv.reader(io.StringIO(_decode(path, file), newline=""), strict=True)
    table: list[list[str]] = []
    try:
        table.extend(reader)
    except csv.Error as error:
        hint = "A quote that opens a cell must close it; write a quote inside a cell twice."
        raise InvalidInput(
            Problem(file, "be well-formed CSV", str(error), hint, row=len(table) + 1)
        ) from error
    while table and not any(table[-1]):
        table.pop()
    if not table:
        raise InvalidInput(Problem(file, "have a header row", "an empty file"))
    header = [name.strip() for name in table[0]]
    problems = _header_problems(header, file)
    kept = [(n, cells) for n, cells in enumerate(table[1:], start=2) if any(cells)]
    for number, cells in kept:
        if len(cells) != len(header):
            problems.append(
                Problem(
                    file,
                    f"have {len(header)} cells like the header",
                    str(len(cells)),
                    "Put quotes around text that contains a comma.",
                    row=number,
                )
            )
    if problems:
        raise InvalidInput(problems)
    cells_by_column: list[list[object]] = [
        [cells[i] or None for _, cells in kept] for i in range(len(header))
    ]
    columns = dict(zip(header, cells_by_column, strict=True))
    return Sheet(file, [n for n, _ in kept], columns, empty_is_none=True)


def _header_problems(header: list[str], file: str) -> list[Problem]:
    if len(header) == 1 and any(sign in header[0] for sign in _OTHER_SEPARATORS):
        hint = "Save it with commas between the cells."
        return [Problem(file, "have a comma between cells", f'"{header[0]}"', hint, row=1)]
    problems = []
    for position, name in enumerate(header, start=1):
        if not name:
            problems.append(
                Problem(file, "name every column", f"no name for column {position}", row=1)
            )
        elif header.index(name) != position - 1:
            problems.append(
                Problem(file, "name each column once", f'"{name}" twice', row=1, column=name)
            )
    return problems


def _read_jsonl(path: Path, file: str) -> Sheet:
    records: list[tuple[int, dict[str, object]]] = []
    problems: list[Problem] = []
    # Not splitlines: U+2028 and its like are ordinary characters inside a JSON string.
    for number, line in enumerate(_decode(path, file).split("\n"), start=1):
        if not line.strip():
            continue
        value, got = _json_object(line)
        if got:
            problems.append(Problem(file, "be one JSON object a line", got, row=number))
        else:
            records.append((number, value))
    if problems:
        raise InvalidInput(problems)
    names = list(dict.fromkeys(name for _, record in records for name in record))
    columns = {name: [record.get(name) for _, record in records] for name in names}
    return Sheet(file, [n for n, _ in records], columns)


def _json_object(line: str) -> tuple[dict[str, object], str]:
    """Read a line; what is wrong with it comes second."""
    try:
        value = json.loads(line, object_pairs_hook=_each_key_once, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        return {}, f"{error.msg} at character {error.pos + 1}"
    except RecursionError:
        return {}, "lists or objects nested too deep"
    except ValueError as error:
        return {}, str(error)
    if not isinstance(value, dict):
        return {}, f"a {type(value).__name__}"
    if "\\u" in line and _LONE_SURROGATE.search(json.dumps(value, ensure_ascii=False)):
        return {}, "half of a surrogate pair, which is no character"
    return value, ""


def _each_key_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f'the key "{twice}" twice')
    return found


def _no_number(word: str) -> object:
    raise ValueError(f"{word}, which is no JSON number")


def _read_parquet(path: Path, file: str) -> Sheet:
    import polars as pl

    try:
        frame = pl.read_parquet(path)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InvalidInput(Problem(file, "be a Parquet file", str(error).split("\n")[0])) from error
    columns: dict[str, list[object]] = {c.name: c.to_list() for c in frame}
    return Sheet(file, list(range(1, frame.height + 1)), columns)

"""Read JSONL in which nothing is wrong: from text to record, one line after the other."""

import codecs
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from medassay.tables.given_names import with_shared_names
from medassay.tables.read import LONGEST_TEXT
from medassay.tables.record import without_nulls
from medassay.tables.strict_json import parse_strictly

if TYPE_CHECKING:
    from pydantic import BaseModel

    Record = TypeVar("Record", bound=BaseModel)

__all__ = ["Doubt", "good_lines"]


_BLANKS: Final = b" \t\r\n"  # those of JSON: any other is a doubt


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

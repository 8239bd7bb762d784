"""Records of a tool's file: a list in JSON, a record a line, columns as pandas writes, a table."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from medassay.errors import InvalidInput, Problem
from medassay.exchange.declaration import Glimpse, json_at, sheet_at
from medassay.tables import file_bytes, parse_strictly, read_sheet

_LINES: Final = (".jsonl", ".ndjson")
_FEW: Final = 200_000
"""Bytes of a file of lines in which its first line ends."""


def json_of(file: Path) -> Any:  # noqa: ANN401 - whatever stands there
    """Give what a file of JSON holds; of one record a line, whatever it is called, a list."""
    if file.suffix.lower() in _LINES:
        return [record for _, record in _of_lines(file)]
    try:
        return json_at(file)
    except InvalidInput:
        lines = [*_lines(file)]
        if len(lines) > 1 and _parsed(lines[0][1]) is not None:
            return [record for _, record in _of_lines(file)]
        raise


def records_of(
    file: Path, beside: Callable[..., None], *lists: str
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Give the records of a file, each with its row: of a table, a list, or lines of JSON.

    Args:
        file: The file.
        beside: Told the file's name, an object and its parts that hold the records, where other
            parts of it are no records.
        lists: Keys under which a JSON object may hold the list.

    Raises:
        InvalidInput: It holds no records.
    """
    suffix = file.suffix.lower()
    if suffix in _LINES:
        yield from _of_lines(file)
        return
    if suffix not in {".json", ""}:
        yield from _of_table(file)
        return
    yield from enumerate(_listed(file, json_of(file), beside, lists), 1)


def _of_table(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Give the rows of a table; its header again is where a second file begins."""
    sheet = sheet_at(file) if file.is_file() else read_sheet(file)
    names = {name: name for name in sheet.columns}
    problems = []
    for row, record in sheet.records():
        if record == names:
            must, got = "hold records under its header", "the header again"
            hint = "Are two files in it? Part them there, and import both."
            problems.append(Problem(file.name, must, got, hint, row))
        yield row, record
    if problems:
        raise InvalidInput(problems)


def _listed(
    file: Path, held: Any, beside: Callable[..., None], lists: Sequence[str]  # noqa: ANN401 - whatever stands there
) -> list[dict[str, Any]]:  # fmt: skip
    """Give the records that a file of JSON holds, in whichever of its shapes."""
    for key in lists:
        if isinstance(held, dict) and key in held:
            beside(file.name, held, key)
            held = held[key]
    if names := split_names(held):
        beside(file.name, held, "columns", "data")
        held = [_joined(file.name, row, names, cells) for row, cells in enumerate(held["data"], 1)]
    elif columns := _columns(held):
        beside(file.name, held, *columns)
        held = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    if isinstance(held, dict):
        held = [held]
    if not isinstance(held, list) or not all(isinstance(record, dict) for record in held):
        raise InvalidInput(Problem(file.name, "hold a list of records", type(held).__name__))
    return held


def split_names(held: Any) -> list[str]:  # noqa: ANN401 - whatever stands there
    """Give the columns of a table that pandas split into columns and data; none of another object.

    Example:
        >>> split_names({"columns": ["question", "f1"], "data": [["Why?", 0.5]]})
        ['question', 'f1']
    """
    names = held.get("columns") if isinstance(held, dict) else None
    cells = held.get("data") if isinstance(names, list) else None
    split = isinstance(cells, list) and all(isinstance(row, list) for row in cells)
    return [*map(str, names)] if names and split else []


def _joined(file: str, row: int, names: list[str], cells: list[Any]) -> dict[str, Any]:
    if len(cells) != len(names):
        must = f"have {len(names)} cells, one a column"
        raise InvalidInput(Problem(file, must, str(len(cells)), "", row))
    return dict(zip(names, cells, strict=True))


def _columns(held: Any) -> dict[str, list[Any]]:  # noqa: ANN401 - whatever stands there
    """Give the columns of an object that holds some, as pandas writes them; none of a record.

    Example:
        >>> cells = {"0": "Why?", "1": "How?"}
        >>> _columns({"question": cells, "answer": cells, "overall": {"f1": 0.5}})
        {'question': ['Why?', 'How?'], 'answer': ['Why?', 'How?']}
        >>> _columns({"question": ["Why?", "How?"], "f1": [0.5, 1.0]})
        {'question': ['Why?', 'How?'], 'f1': [0.5, 1.0]}
        >>> _columns({"question": "Why?", "contexts": ["a", "b"]})
        {}
    """
    if not isinstance(held, dict) or not all(isinstance(v, Mapping | list) for v in held.values()):
        return {}
    places = Counter(
        tuple(cells) if isinstance(cells, dict) else len(cells) for cells in held.values()
    )
    rows = max(places, key=lambda own: (places[own], own if isinstance(own, int) else len(own)),
               default=0)  # fmt: skip
    if not rows or (places[rows] == 1 and len(held) > 1):
        return {}
    return {
        name: list(cells.values()) if isinstance(cells, dict) else cells
        for name, cells in held.items()
        if (tuple(cells) if isinstance(cells, dict) else len(cells)) == rows
    }


def first_record(seen: Glimpse) -> dict[str, Any]:
    """Give the first record of a file of JSON or of lines; nothing of anything else."""
    if seen.path.is_dir():
        return {}
    if seen.path.suffix.lower() in _LINES:
        try:
            with seen.path.open("rb") as opened:
                line = opened.readline(_FEW * 100)
        except OSError:
            return {}
        held = _parsed(line.decode("utf-8-sig", "replace"))
        return held if isinstance(held, dict) else {}
    return seen.first


def _lines(file: Path) -> Iterator[tuple[int, str]]:
    text = file_bytes(file, file.name).decode("utf-8-sig", "replace")
    yield from ((row, line) for row, line in enumerate(text.split("\n"), 1) if line.strip())


def _of_lines(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    problems: list[Problem] = []
    for row, line in _lines(file):
        held = _parsed(line)
        if isinstance(held, dict):
            yield row, held
        else:
            got = f'"{line.strip()[:40]}"'
            problems.append(Problem(file.name, "be an object in JSON", got, "", row))
    if problems and problems[-1].row == row:
        problems[-1] = replace(problems[-1], try_="The file may be cut off there.")
    if problems:
        raise InvalidInput(problems)


def _parsed(line: str) -> Any:  # noqa: ANN401 - whatever stands there
    try:
        return parse_strictly(line)
    except (ValueError, RecursionError):
        try:
            return json.loads(line)  # NaN, as Python writes a score that is none
        except (ValueError, RecursionError):
            return None

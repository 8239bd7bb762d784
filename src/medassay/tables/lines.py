"""Read JSONL: one JSON object a line."""

import json
import re
from collections.abc import Iterator
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.tables.decode import decode
from medassay.tables.sheet import Sheet
from medassay.tables.strict_json import Refused, json_fault, parse_strictly

__all__ = ["read_lines"]

_MUST: Final = "be one JSON object a line"
_KINDS: Final = {list: "a list", str: "a text", int: "a number", float: "a number", bool: "a truth"}
_FILLED: Final = re.compile(r"\S.*")
_STRANGE: Final = object()


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
            hint = "Write each item of the list on a line of its own." if got == "a list" else ""
            problems.append(Problem(file, _MUST, got, hint, row=number))
            continue
        records.append((number, value))
    if problems:
        raise InvalidInput(problems)
    names = list(dict.fromkeys(name for _, record in records for name in record))
    columns = {name: [record.get(name) for _, record in records] for name in names}
    return Sheet(file, [n for n, _ in records], columns, notes=notes)


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

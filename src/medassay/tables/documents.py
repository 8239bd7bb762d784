"""Read a file that is one document: JSON as it stands, TOML into a checked record."""

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from medassay.errors import InvalidInput, Problem
from medassay.tables.decode import (
    LARGEST_TOML,
    TOO_DEEP,
    file_bytes,
    json_fault,
    parse_toml,
    parse_widely,
)
from medassay.tables.record import read_record

if TYPE_CHECKING:
    from pydantic import BaseModel

_LARGEST: Final = 2**63
_PLACE: Final = re.compile(r" \(at line (\d+), column (\d+)\)$")


def read_json(path: Path, shown_as: str | None = None) -> object:
    """Read a JSON file in UTF-8; a byte-order mark is skipped.

    Raises:
        InvalidInput: The file is not there, is no text in UTF-8, or no JSON.
    """
    file = shown_as or path.name
    return parse_json(file_bytes(path, file), file)


def parse_json(content: bytes, file: str) -> object:
    """Read the bytes of a JSON document.

    Args:
        content: The bytes.
        file: What messages call the file.

    Raises:
        InvalidInput: They are no text in UTF-8, or no JSON; the line is named.

    Example:
        >>> parse_json(b'{"a": [1]}', "a.json")
        {'a': [1]}
    """
    try:
        return parse_widely(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        got = f"byte 0x{content[error.start]:02x}"
        problem = Problem(file, "be JSON in UTF-8", got, "Save the file as UTF-8.", row=line)
        raise InvalidInput(problem) from error
    except json.JSONDecodeError as error:
        got = f"{error.msg.removesuffix(' at')} at character {error.colno}"
        # What is cut off within a text is said of the place where the text begins.
        cut = error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated")
        hint = "The file may be cut off there." if cut else ""
        raise InvalidInput(Problem(file, "be JSON", got, hint, row=error.lineno)) from error
    except (ValueError, RecursionError) as error:
        raise InvalidInput(Problem(file, "be JSON", json_fault(error))) from error


if TYPE_CHECKING:
    Record = TypeVar("Record", bound=BaseModel)


def read_toml(model: "type[Record]", content: bytes, file: str) -> "Record":
    """Read the content of a TOML file as one record; a byte-order mark is skipped.

    Args:
        model: The record's class; it forbids unknown keys.
        content: The file's bytes.
        file: The file, for messages.

    Raises:
        InvalidInput: It is too large or no TOML in UTF-8, or has keys or values that cannot be;
            each named.
    """
    if len(content) > LARGEST_TOML:
        must = f"hold at most {LARGEST_TOML:,} bytes"
        hint = "Leave out what is no setting, such as blank lines."
        raise InvalidInput(Problem(file, must, f"{len(content):,}", hint))
    try:
        values = parse_toml(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        got = f"byte 0x{content[error.start]:02x}"
        hint = "Save the file as UTF-8."
        raise InvalidInput(Problem(file, "be TOML in UTF-8", got, hint, row=line)) from error
    except (ValueError, RecursionError) as error:
        text = _fault(error)
        place = _PLACE.search(text)
        got = text[: place.start()] + f" at character {place[2]}" if place else text
        row = int(place[1]) if place else None
        raise InvalidInput(Problem(file, "be TOML in UTF-8", got, row=row)) from error
    problems = [
        Problem(file, "hold numbers of at most 64 bits", "a longer one", column=place)
        for place in _too_long(values, "")
    ]
    if problems:
        raise InvalidInput(problems)
    record = read_record(model, values, file=file, row=None, problems=problems)
    if record is None:
        raise InvalidInput(problems)
    return record


def _fault(error: ValueError | RecursionError) -> str:
    if isinstance(error, RecursionError):
        return TOO_DEEP
    # Of what else is wrong Python speaks of its own settings: a number of thousands of digits.
    known = isinstance(error, tomllib.TOMLDecodeError)
    return str(error) if known else "a number too long to read"


def _too_long(value: object, place: str) -> Iterator[str]:
    """Give the place of each whole number that TOML cannot hold: none of its readers must."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _too_long(inner, f"{place}.{key}".removeprefix("."))
    elif isinstance(value, list):
        for number, inner in enumerate(value, start=1):
            yield from _too_long(inner, f"{place}[{number}]")
    elif isinstance(value, int) and not -_LARGEST <= value < _LARGEST:
        yield place

"""Read a TOML file into a checked record."""

import re
import tomllib
from typing import TYPE_CHECKING, Final, TypeVar

from medassay.errors import InvalidInput, Problem
from medassay.tables.record import read_record

if TYPE_CHECKING:
    from pydantic import BaseModel

    Record = TypeVar("Record", bound=BaseModel)

__all__ = ["read_toml"]

_PLACE: Final = re.compile(r" \(at line (\d+), column (\d+)\)$")


def read_toml(model: "type[Record]", content: bytes, file: str) -> "Record":
    """Read the content of a TOML file as one record; a byte-order mark is skipped.

    Args:
        model: The record's class; it forbids unknown keys.
        content: The file's bytes.
        file: The file, for messages.

    Raises:
        InvalidInput: It is no TOML in UTF-8, or has keys or values that cannot be; each named.
    """
    try:
        values = tomllib.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        got = f"byte 0x{content[error.start]:02x}"
        hint = "Save the file as UTF-8."
        raise InvalidInput(Problem(file, "be TOML in UTF-8", got, hint, row=line)) from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        said = str(error)
        place = _PLACE.search(said)
        got = said[: place.start()] + f" at character {place[2]}" if place else said
        row = int(place[1]) if place else None
        raise InvalidInput(Problem(file, "be TOML in UTF-8", got, row=row)) from error
    problems: list[Problem] = []
    record = read_record(model, values, file=file, row=None, problems=problems)
    if record is None:
        raise InvalidInput(problems)
    return record

"""Read a JSON file of the shared task: a list of objects, one a case."""

import json
from pathlib import Path

from medassay.errors import InvalidInput, Problem

__all__ = ["read_json_list"]


def read_json_list(path: Path) -> list[object]:
    """Read a JSON file that holds a list.

    Raises:
        InvalidInput: The file is not there, is no text in UTF-8, no JSON, or no list.
    """
    file = path.name
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        got = f"byte 0x{error.object[error.start]:02x} at position {error.start}"
        raise InvalidInput(Problem(file, "be text in UTF-8", got)) from error
    except OSError as error:
        raise InvalidInput(
            Problem(file, "be a file that can be read", error.strerror or str(error))
        ) from error
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        got = f"{error.msg} at character {error.colno}"
        raise InvalidInput(Problem(file, "be JSON", got, row=error.lineno)) from error
    except RecursionError as error:
        raise InvalidInput(Problem(file, "be JSON", "lists within lists without end")) from error
    if not isinstance(value, list):
        hint = 'The file begins with [ and holds {"case_id": ...} for each case.'
        got = "one object" if isinstance(value, dict) else type(value).__name__
        raise InvalidInput(Problem(file, "be a list of cases", got, hint))
    return value

"""Read a file that is one JSON document."""

import json
from pathlib import Path

from medassay.errors import InvalidInput, Problem
from medassay.tables.contents import file_bytes
from medassay.tables.strict_json import json_fault, parse_widely

__all__ = ["parse_json", "read_json"]


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

"""Read a JSON file of the shared task: a list of objects, one a case."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.tables import file_bytes

__all__ = ["JsonItem", "in_words", "read_json_list", "shortened"]

_LONGEST: Final = 60
_NOT_UTF8: Final = 'In Python: open(file, "w", encoding="utf-8"). In an editor: save as UTF-8.'
_HALF_SIGN: Final = "\N{REPLACEMENT CHARACTER}"


@dataclass(frozen=True, slots=True)
class JsonItem:
    """One item of the list.

    Attributes:
        value: What it holds; half a surrogate pair, which is no character, is replaced by a mark.
        twice: Keys that one of its objects has twice; the last value is taken, as the official
            scorers do.
        halves: Whether half a surrogate pair was in it.
    """

    value: object
    twice: tuple[str, ...] = ()
    halves: bool = False


def read_json_list(path: Path) -> list[JsonItem]:
    """Read a JSON file that holds a list.

    Raises:
        InvalidInput: The file is not there, is no text in UTF-8, no JSON, or no list.
    """
    file = path.name
    content = file_bytes(path, file)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        got = f"byte 0x{error.object[error.start]:02x} at position {error.start}"
        if content.startswith((b"\xff\xfe", b"\xfe\xff")):
            got = "UTF-16"
        raise InvalidInput(Problem(file, "be text in UTF-8", got, _NOT_UTF8)) from error
    try:
        value = json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        got = f"{error.msg.removesuffix(' at')} at character {error.colno}"
        hint = "The file may be cut off there." if error.pos >= len(text.rstrip()) else ""
        raise InvalidInput(Problem(file, "be JSON", got, hint, row=error.lineno)) from error
    except ValueError as error:
        # Python reads no number of so many digits, and neither do the official scorers.
        hint = "Ids are text: put quotes around them."
        raise InvalidInput(Problem(file, "be JSON", "a number too long to read", hint)) from error
    except RecursionError as error:
        raise InvalidInput(Problem(file, "be JSON", "lists within lists without end")) from error
    if not isinstance(value, list):
        hint = 'The file begins with [ and holds {"case_id": ...} for each case.'
        raise InvalidInput(Problem(file, "be a list of cases", in_words(value), hint))
    escaped = "\\u" in text
    return [_item(item, escaped=escaped) for item in value]


def in_words(value: object) -> str:
    """Say what a JSON value is, in words that need no programming language.

    Example:
        >>> [in_words(one) for one in (None, True, 3, "x", [], {})]
        ['nothing (null)', 'true', 'the number 3', 'the text "x"', 'a list', 'one object']
    """
    if value is None:
        return "nothing (null)"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"the number {shortened(str(value))}"
    if isinstance(value, str):
        return f'the text "{shortened(value)}"'
    return "a list" if isinstance(value, list) else "one object"


def shortened(text: str) -> str:
    """Cut what a message quotes."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


class _Twice(dict[str, object]):
    """An object that has a key twice."""

    keys_twice: tuple[str, ...] = ()


def _object(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    read = dict(pairs)
    if len(read) == len(pairs):
        return read
    marked = _Twice(read)
    times = Counter(name for name, _ in pairs)
    marked.keys_twice = tuple(name for name, count in times.items() if count > 1)
    return marked


def _item(value: object, *, escaped: bool) -> JsonItem:
    twice: list[str] = []
    _collect(value, twice)
    if escaped:
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            return JsonItem(_whole(value), tuple(map(_whole_text, twice)), halves=True)
    return JsonItem(value, tuple(dict.fromkeys(twice)))


def _collect(value: object, twice: list[str]) -> None:
    """List the keys that an object has twice, however deep it lies."""
    if isinstance(value, dict):
        twice += value.keys_twice if isinstance(value, _Twice) else ()
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for entry in inner:
        if isinstance(entry, dict | list):
            _collect(entry, twice)


def _whole(value: object) -> object:
    if isinstance(value, str):
        return _whole_text(value)
    if isinstance(value, list):
        return [_whole(entry) for entry in value]
    if isinstance(value, dict):
        return {_whole_text(name): _whole(entry) for name, entry in value.items()}
    return value


def _whole_text(text: str) -> str:
    return "".join(_HALF_SIGN if "\ud800" <= sign <= "\udfff" else sign for sign in text)

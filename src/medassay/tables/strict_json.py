"""JSON that says one thing, wherever it stands: in a line, a cell or a file."""

import json
from collections.abc import Sequence
from typing import NoReturn

from medassay.tables.nesting import DEEPEST, TOO_DEEP, is_too_deep

__all__ = ["Refused", "json_fault", "parse_strictly", "parse_widely"]


class Refused(ValueError):
    """JSON that Python takes and that does not say one thing."""


def parse_strictly(text: str, *, halves: bool = False) -> object:
    """Parse JSON that says one thing: no key twice, no NaN, no half of a character.

    Args:
        text: The JSON.
        halves: Half of a character is let through, for who shows it as its code.

    Raises:
        ValueError: It is no such JSON.
        RecursionError: Lists or objects are nested too deep.
    """
    value: object = json.loads(text, object_pairs_hook=_once, parse_constant=_constant)
    return _as_python_can_use_it(value, text, halves=halves)


def parse_widely(text: str) -> object:
    """Parse JSON as other tools write it: NaN is one of their numbers, and the last key holds.

    Raises:
        ValueError: It is no JSON, or holds half of a character.
        RecursionError: Lists or objects are nested too deep.
    """
    return _as_python_can_use_it(json.loads(text), text)


def json_fault(error: ValueError | RecursionError) -> str:
    """Say why something is no JSON, in words that need no programming language."""
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg.removesuffix(' at')} at character {error.pos + 1}"
    if isinstance(error, UnicodeDecodeError):
        return f"no text in UTF-8: byte 0x{error.object[error.start]:02x}"
    if isinstance(error, UnicodeEncodeError):
        return "half of a surrogate pair, which is no character"
    if isinstance(error, RecursionError):
        return TOO_DEEP
    # Of what else is wrong Python speaks of its own settings: a number of thousands of digits.
    return str(error) if isinstance(error, Refused) else "a number too long to read"


def _as_python_can_use_it(value: object, text: str, *, halves: bool = False) -> object:
    if text.count("[") + text.count("{") > DEEPEST and is_too_deep(value):
        raise RecursionError(TOO_DEEP)
    if "\\u" in text and not halves:
        json.dumps(value, ensure_ascii=False).encode()
    return value


def _once(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        message = f'the key "{twice}" twice'
        raise Refused(message)
    return mapping


def _constant(word: str) -> NoReturn:
    message = f"{word}, which is no JSON number"
    raise Refused(message)

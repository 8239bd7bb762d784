"""JSON that says one thing and TOML that can be used without harm, whoever wrote them."""

import json
import re
import tomllib
from collections.abc import Iterable, Sequence
from typing import Final, NoReturn

__all__ = [
    "LARGEST_TOML",
    "TOO_DEEP",
    "Refused",
    "json_fault",
    "parse_strictly",
    "parse_toml",
    "parse_widely",
]

LARGEST_TOML: Final = 10_000_000
"""What people write by hand is far smaller; Python reads about a million characters a second."""
_PART: Final = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_PARTS: Final = re.compile(rf"({_PART}(?:[ \t]*+\.[ \t]*+{_PART})*+)([ \t]*+[=\]])?+")
_DEEPEST: Final = 100
"""Python reads some hundred levels and fails at fewer where it writes, compares or names them."""
TOO_DEEP: Final = "lists or objects nested too deep"


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
    if text.count("[") + text.count("{") > _DEEPEST and _is_too_deep(value):
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


def parse_toml(text: str) -> dict[str, object]:
    """Parse TOML.

    Raises:
        ValueError: It is none, or larger than any that somebody wrote.
        RecursionError: Tables or lists are nested too deep.
    """
    if len(text) > LARGEST_TOML:
        message = f"more than {LARGEST_TOML:,} characters"
        raise ValueError(message)
    if _has_long_key(text):
        raise RecursionError(TOO_DEEP)
    values = tomllib.loads(text)
    if _is_too_deep(values):
        raise RecursionError(TOO_DEEP)
    return values


def _has_long_key(text: str) -> bool:
    """Look for a key of many parts: Python takes the square of their number to read it.

    Ten thousand are read in a second; a million would take hours.
    """
    return any(
        line.count(".") >= _DEEPEST
        and any(
            end and len(re.findall(_PART, parts)) > _DEEPEST for parts, end in _PARTS.findall(line)
        )
        for line in text.splitlines()
    )


def _is_too_deep(value: object) -> bool:
    """Tell whether lists and objects stand within each other deeper than anyone means.

    Example:
        >>> deep = []
        >>> for _ in range(_DEEPEST):
        ...     deep = [deep]
        >>> _is_too_deep(deep), _is_too_deep(deep[0])
        (True, False)
    """
    level = _containers([value])
    for _ in range(_DEEPEST):
        if not level:
            return False
        level = [
            inner
            for container in level
            for inner in _containers(
                container.values() if isinstance(container, dict) else container
            )
        ]
    return bool(level)


def _containers(values: Iterable[object]) -> list[dict[str, object] | list[object]]:
    return [value for value in values if isinstance(value, dict | list)]

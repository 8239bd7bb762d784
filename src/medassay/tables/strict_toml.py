"""TOML that can be used without harm, of whoever wrote it."""

import re
import tomllib
from typing import Final

from medassay.tables.nesting import DEEPEST, TOO_DEEP, is_too_deep

__all__ = ["LARGEST_TOML", "parse_toml"]

LARGEST_TOML: Final = 10_000_000
"""What people write by hand is far smaller; Python reads about a million characters a second."""

_PART: Final = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_PARTS: Final = re.compile(rf"({_PART}(?:[ \t]*+\.[ \t]*+{_PART})*+)([ \t]*+[=\]])?+")


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
    if is_too_deep(values):
        raise RecursionError(TOO_DEEP)
    return values


def _has_long_key(text: str) -> bool:
    """Look for a key of many parts: Python takes the square of their number to read it.

    Ten thousand are read in a second; a million would take hours.
    """
    return any(
        line.count(".") >= DEEPEST
        and any(
            end and len(re.findall(_PART, parts)) > DEEPEST for parts, end in _PARTS.findall(line)
        )
        for line in text.splitlines()
    )

"""From a name as a vocabulary prints it to the forms in which a text may use it."""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from medassay.models.concepts.words import BREAK, key_of

__all__ = ["everyday_words", "is_too_general", "keys_of", "list_files"]

_LONGEST: Final = 8
"""Words of a name; longer ones are sentences of a classification that nobody repeats."""
_BRACKETS: Final = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\])")
_LETTERS: Final = re.compile(r"[^\W\d_]{2}")
_SHORTEST: Final = 3
_EVERYDAY: Final = "everyday.txt"
_TOO_GENERAL: Final = "too_general.txt"


def keys_of(name: str) -> Iterator[str]:
    """Give the key under which a name is found; inverted names are turned.

    Example:
        >>> list(keys_of("Fevers, Hemorrhagic")), list(keys_of("Zinc (Zn)")), list(keys_of("B6"))
        (['hemorrhagic fever'], ['zinc'], [])
    """
    key = key_of(_turned(_BRACKETS.sub("", name).strip()))
    # 2', B6 and the like: what holds no two letters names nothing on its own.
    long_enough = len(key) >= _SHORTEST and _LETTERS.search(key) is not None
    if long_enough and key.count(" ") < _LONGEST and key[0] != BREAK and not is_too_general(key):
        yield key


def _turned(name: str) -> str:
    what, comma, kind = name.partition(", ")
    return f"{kind} {what}" if comma and ", " not in kind else name


def is_too_general(key: str) -> bool:
    """Say whether a name is too general to compare answers by: disease, drug, therapy."""
    return key in _listed(_TOO_GENERAL)


def everyday_words() -> frozenset[str]:
    """Give names that are also words of every day: they count only where written in capitals."""
    return _listed(_EVERYDAY)


def list_files() -> list[Path]:
    """Give the files of these lists: a vocabulary is another one when they change."""
    return [_path(_EVERYDAY), _path(_TOO_GENERAL)]


def _path(file: str) -> Path:
    return Path(str(files("medassay") / "data" / "concepts" / file))


@cache
def _listed(file: str) -> frozenset[str]:
    lines = _path(file).read_text(encoding="utf-8").splitlines()
    names = (name for line in lines if not line.startswith("#") for name in line.split(";"))
    return frozenset(key_of(name) for name in names if name.strip())

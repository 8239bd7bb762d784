"""A quick look for names in a text: where it finds none, no pattern does."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

__all__ = ["folded", "folded_name", "folds_in"]

# The letters that Python's patterns take for one of a to z, capitals aside.
_ALIKE: Final = (("\u0130", "i"), ("\u0131", "i"), ("\u017f", "s"), ("\u212a", "k"))


@lru_cache(maxsize=1024)
def folded(text: str) -> str:
    """Fold capitals at least as far as patterns do; each name, and each text, once for all rules.

    Example:
        >>> folded("Warfar\u0130n")
        'warfarin'
    """
    for odd, plain in _ALIKE:
        text = text.replace(odd, plain)
    return text.lower()


def folded_name(name: str) -> str:
    """Fold a name; one with letters that patterns may take for others may stand anywhere."""
    return folded(name) if name.isascii() else ""


def folds_in(names: Sequence[str], text: str) -> bool:
    """Say whether any name may stand in a folded text: if not, no pattern finds them there."""
    return any(map(text.__contains__, _folded_names(tuple(names))))


@lru_cache(maxsize=512)
def _folded_names(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(folded_name, names))

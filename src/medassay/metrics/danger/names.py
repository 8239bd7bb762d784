"""A quick look for names in a text: where it finds none, no pattern does."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

__all__ = ["any_in", "folded", "folded_name", "names_in", "places_of"]

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


def places_of(names: tuple[str, ...], text: str) -> Sequence[int]:
    """Give every place of a text where any of the names may begin: no pattern finds one elsewhere.

    Example:
        >>> places_of(("MI", "nitrate"), "A mild MI, no NITRATES")
        [2, 7, 14]
    """
    sentence = folded(text)  # letter by letter: the places stay
    places: set[int] = set()
    for name in _folded_names(names):
        if not name:
            return range(len(text))
        place = sentence.find(name)
        while place >= 0:
            places.add(place)
            place = sentence.find(name, place + 1)
    return sorted(places)


@lru_cache(maxsize=512)
def _folded_names(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(folded_name, names))


def names_in(names: Iterable[str], text: str) -> set[str]:
    """Give those of some folded names that may stand in a text.

    Example:
        >>> sorted(names_in(["mi", "nitrate", "jaw"], "A mild pain, no NITRATES"))
        ['mi', 'nitrate']
    """
    return set(filter(folded(text).__contains__, names))


def any_in(names: Iterable[str], text: str) -> bool:
    """Say whether any of some folded names may stand in a text; read up to the first that may.

    Example:
        >>> any_in(["mi", "nitrate"], "A mild pain"), any_in(["jaw"], "A mild pain")
        (True, False)
    """
    return any(map(folded(text).__contains__, names))

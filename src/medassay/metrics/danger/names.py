"""A quick look for names in a text: where it finds none, no pattern does."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final

__all__ = ["QuickNames", "folded", "folded_name", "names_in", "places_of"]

# The letters that Python's patterns take for one of a to z, capitals aside.
_ALIKE: Final = (("\u0130", "i"), ("\u0131", "i"), ("\u017f", "s"), ("\u212a", "k"))

_WORD: Final = re.compile(r"\w+")
_OPENING: Final = 3


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


class QuickNames:
    """Folded names, laid out by how their first word begins: where none does, none need be sought.

    Example:
        >>> sorted(QuickNames(["nitrate", "mi"]))
        ['mi', 'nitrate']
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.anywhere: list[str] = []
        """Those whose first word is too short to be told by its opening, or that begin with none."""
        self.by_opening: dict[str, list[str]] = {}
        for name in dict.fromkeys(names):
            first = _WORD.match(name)
            if first is None or len(first[0]) < _OPENING:
                self.anywhere.append(name)
            else:
                self.by_opening.setdefault(name[:_OPENING], []).append(name)

    def __iter__(self) -> Iterator[str]:
        """Go through the names."""
        return chain(self.anywhere, *self.by_opening.values())


def names_in(names: QuickNames, text: str) -> set[str]:
    """Give those of some folded names that may stand in a text.

    Every pattern wants a name at the beginning of a word, so names that begin otherwise than each
    word of the text are passed over unread.

    Example:
        >>> sorted(names_in(QuickNames(["mi", "nitrate", "jaw"]), "A mild pain, no NITRATES"))
        ['mi', 'nitrate']
    """
    by_opening = names.by_opening
    likely = map(by_opening.__getitem__, by_opening.keys() & _openings(text))
    return set(filter(folded(text).__contains__, chain(names.anywhere, *likely)))


@lru_cache(maxsize=1024)
def _openings(text: str) -> frozenset[str]:
    return frozenset(word[:_OPENING] for word in _WORD.findall(folded(text)))

"""Sentences that stand together, read once: a document is held against many statements."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from medassay.models.nli.quantities import Quantity
from medassay.models.nli.reading import Reading, read_sentence

__all__ = ["Passage", "read_passage"]


@dataclass(frozen=True, slots=True)
class Passage:
    """What the sentences of a passage say, and which of them say it.

    Attributes:
        readings: What each sentence says.
        words: Every content word.
        units: Each content word, with the places of the sentences that have it.
        kinds: Each kind of quantity, with the places of the sentences that have one.
        groups: Each group of words that exclude each other, with the places that have one.
        drugs: The places that name a drug.
        quantities: Every quantity, by kind.
    """

    readings: tuple[Reading, ...]
    words: frozenset[str]
    units: Mapping[str, tuple[int, ...]]
    kinds: Mapping[str, tuple[int, ...]]
    groups: Mapping[str, tuple[int, ...]]
    drugs: tuple[int, ...]
    quantities: Mapping[str, tuple[Quantity, ...]]


@lru_cache(maxsize=4096)
def read_passage(sentences: tuple[str, ...]) -> Passage:
    """Read the sentences of a passage.

    Example:
        >>> passage = read_passage(("Take 5 mg.", "Take it with food."))
        >>> sorted(passage.units.items()), dict(passage.kinds)
        ([('food', (1,)), ('tak', (0, 1))], {'mass': (0,)})
    """
    readings = tuple(map(read_sentence, sentences))
    quantities: dict[str, tuple[Quantity, ...]] = {}
    for one in readings:
        for quantity in one.quantities:
            quantities[quantity.kind] = (*quantities.get(quantity.kind, ()), quantity)
    return Passage(
        readings=readings,
        words=frozenset().union(*(one.units for one in readings)),
        units=_places(one.units for one in readings),
        kinds=_places({quantity.kind for quantity in one.quantities} for one in readings),
        groups=_places(one.choices for one in readings),
        drugs=tuple(place for place, one in enumerate(readings) if one.drugs),
        quantities=quantities,
    )


def _places(named: Iterable[Iterable[str]]) -> dict[str, tuple[int, ...]]:
    found: dict[str, list[int]] = {}
    for place, names in enumerate(named):
        for name in names:
            found.setdefault(name, []).append(place)
    return {name: tuple(places) for name, places in found.items()}

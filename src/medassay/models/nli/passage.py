"""Sentences that stand together, read once: a document is held against many statements."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from medassay.models.nli.conflicts import opposites_of
from medassay.models.nli.quantities import Quantity
from medassay.models.nli.reading import Reading, read_sentence

__all__ = ["DRUG", "Passage", "choice_mark", "opposite_mark", "quantity_mark", "read_passage"]

# Content words begin with a letter: no other mark is one.
DRUG: Final = "℞"
"""The mark of a sentence that names a drug."""


def opposite_mark(unit: str) -> str:
    """Name the mark of a sentence that has an opposite of a content word."""
    return f"≠{unit}"


def quantity_mark(kind: str) -> str:
    """Name the mark of a sentence that has a quantity of a kind."""
    return f"#{kind}"


def choice_mark(group: str) -> str:
    """Name the mark of a sentence that chooses from a group of words that exclude each other."""
    return f"|{group}"


@dataclass(frozen=True, slots=True)
class Passage:
    """What the sentences of a passage say, and which of them say it.

    Attributes:
        readings: What each sentence says.
        places: What marks sentences, each with the places of those that have it: content words,
            opposites of words, kinds of quantities, choices and drugs.
        marks: The marks alone.
        quantities: Every quantity, by kind.
    """

    readings: tuple[Reading, ...]
    places: Mapping[str, tuple[int, ...]]
    marks: frozenset[str]
    quantities: Mapping[str, tuple[Quantity, ...]]


@lru_cache(maxsize=4096)
def read_passage(sentences: tuple[str, ...]) -> Passage:
    """Read the sentences of a passage.

    Example:
        >>> passage = read_passage(("Take 5 mg.", "Take it with food."))
        >>> passage.places["tak"], passage.places["#mass"]
        ((0, 1), (0,))
    """
    readings = tuple(map(read_sentence, sentences))
    quantities: dict[str, tuple[Quantity, ...]] = {}
    for one in readings:
        for quantity in one.quantities:
            quantities[quantity.kind] = (*quantities.get(quantity.kind, ()), quantity)
    places: dict[str, list[int]] = {}
    for place, one in enumerate(readings):
        for mark in _marks(one):
            places.setdefault(mark, []).append(place)
    return Passage(
        readings=readings,
        places={mark: tuple(all_) for mark, all_ in places.items()},
        marks=frozenset(places),
        quantities=quantities,
    )


def _marks(sentence: Reading) -> set[str]:
    marks = set(sentence.units)
    marks.update(opposite_mark(other) for unit in sentence.units for other in opposites_of(unit))
    marks.update(quantity_mark(one.kind) for one in sentence.quantities)
    marks.update(map(choice_mark, sentence.choices))
    return marks | {DRUG} if sentence.drugs else marks

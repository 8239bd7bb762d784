"""All that the rules read of one sentence."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from medassay.models.nli.lexicon import lexicon
from medassay.models.nli.negation import cue_places, scopes
from medassay.models.nli.opposites import opposites_of
from medassay.models.nli.quantities import Quantity, find_quantities
from medassay.models.nli.tokens import tokens

__all__ = ["Reading", "read_sentence"]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a sentence says, as far as the rules can see.

    Attributes:
        units: Its content words, each once: stems, phrases of one meaning as one.
        denied: Those that an odd number of negations reaches, wherever they stand.
        scopes: The content words that each negation reaches.
        quantities: Its quantities.
        choices: For each group of words that exclude each other, the alternatives it has, each
            with the content words that express it.
        drugs: Those of its content words that name drugs.
        opposites: The words that mean the opposite of one of its own.
    """

    units: frozenset[str]
    denied: frozenset[str]
    scopes: tuple[frozenset[str], ...]
    quantities: tuple[Quantity, ...]
    choices: Mapping[str, Mapping[int, frozenset[str]]]
    drugs: frozenset[str]
    opposites: frozenset[str]

    @property
    def size(self) -> int:
        """Count what can be looked up: words and quantities."""
        return len(self.units) + len(self.quantities)


@lru_cache(maxsize=4096)
def read_sentence(text: str) -> Reading:
    """Read a sentence.

    Example:
        >>> reading = read_sentence("Avoid aspirin; the left knee was swollen for 3 days.")
        >>> sorted(reading.units), sorted(reading.denied), sorted(reading.drugs)
        (['aspirin', 'kne', 'left', 'swell'], ['aspirin'], ['aspirin'])
    """
    words = tokens(text)
    quantities, used = find_quantities(words)
    cues = cue_places(words)
    in_cues = {place for start, (end, _) in cues.items() for place in range(start, end)}
    content = _content(words, used | in_cues)
    reached = scopes(words, content, cues)
    odd = {p for p in chain.from_iterable(reached) if sum(p in own for own in reached) % 2}
    affirmed = {unit for p, unit in content.items() if p not in odd}
    units = frozenset(content.values())
    return Reading(
        units=units,
        denied=frozenset(content[p] for p in odd) - affirmed,
        scopes=tuple(frozenset(content[p] for p in scope) for scope in reached),
        quantities=quantities,
        choices=_choices(words, content),
        drugs=frozenset(content[p] for p in content if _read_word(words[p]).is_drug),
        opposites=frozenset().union(*map(opposites_of, units)),
    )


class _Word(NamedTuple):
    stem: str
    unit: str
    is_drug: bool


@lru_cache(maxsize=65536)  # sentences share most of their words
def _read_word(word: str) -> _Word:
    known = lexicon()
    return _Word(known.stem(word), known.unit(word), known.is_drug(word))


def _content(words: tuple[str, ...], taken: AbstractSet[int]) -> dict[int, str]:
    """Give the content words by place; a phrase of one meaning stands at its first word."""
    synonyms = lexicon().synonyms
    known = [*map(_read_word, words)]
    stems = [word.stem for word in known]
    by_place: dict[int, str] = {}
    begin = 0
    for place, word in enumerate(known):
        if place < begin:
            continue
        phrase = synonyms.at(stems, place) if word.stem in synonyms.first else None
        if phrase is not None and taken.isdisjoint(range(place, place + phrase[0])):
            by_place[place] = phrase[1]
            begin = place + phrase[0]
        elif word.unit and place not in taken:
            by_place[place] = word.unit
    return by_place


def _choices(
    words: tuple[str, ...], content: Mapping[int, str]
) -> dict[str, dict[int, frozenset[str]]]:
    known = lexicon().choices
    groups: dict[str, dict[int, frozenset[str]]] = {}
    if known.first.isdisjoint(words):
        return groups
    place = 0
    while place < len(words):
        choice = known.at(words, place) if words[place] in known.first else None
        if choice is None:
            place += 1
            continue
        length, (group, alternative) = choice
        units = frozenset(content[p] for p in range(place, place + length) if p in content)
        known_units = groups.setdefault(group, {}).get(alternative, frozenset())
        groups[group][alternative] = known_units | units
        place += length
    return groups

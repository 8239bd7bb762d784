"""Put together what several sources mean by the same concept."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from medassay.models.concepts.entry import Entry
from medassay.models.concepts.names import keys_of

__all__ = ["Merged", "merge"]

_LONG_ENOUGH: Final = 5
"""Letters of a name that may unite concepts: shorter ones are mostly abbreviations, and those
mean different things in different sources."""


@dataclass(frozen=True, slots=True)
class Merged:
    """Every name once, and the concept that it stands for.

    Attributes:
        keys: Names in their one form, sorted.
        places: For each key, its concept's place in `concepts`.
        concepts: Identifier and preferred name.
    """

    keys: tuple[str, ...]
    places: tuple[int, ...]
    concepts: tuple[tuple[str, str], ...]


class _Groups:
    """Concepts that were found to be one; the one from the earliest source speaks for all.

    A source that lists two concepts means two: no group holds two of one source. Without this rule
    a chain of loose synonyms makes one concept of whole classes of drugs.
    """

    def __init__(self) -> None:
        self._parent: list[int] = []
        self._sources: list[int] = []

    def add(self, source: int) -> int:
        self._parent.append(len(self._parent))
        self._sources.append(1 << source)
        return len(self._parent) - 1

    def find(self, member: int) -> int:
        while self._parent[member] != member:
            self._parent[member] = member = self._parent[self._parent[member]]
        return member

    def unite(self, member: int, other: int) -> None:
        low, high = sorted((self.find(member), self.find(other)))
        if not self._sources[low] & self._sources[high]:
            self._parent[high] = low
            self._sources[low] |= self._sources[high]


_Names = Mapping[str, Mapping[int, bool]]
"""For each key who holds it, and whether it is that concept's preferred name."""


def merge(sources: Sequence[Iterable[Entry]]) -> Merged:
    """Unite entries by reference and by name, and give each name one concept.

    Entries of different sources are the same concept if one refers to the other, one to one; if
    both prefer the same name; or if the preferred name of one, five letters or more, is a name of
    the other: in this order, and never so that two entries of one source become one. A name that
    still stands for several concepts goes to the one that prefers it, then to the one from the
    earliest source.

    Args:
        sources: The entries of each source, the one that knows best first.
    """
    groups = _Groups()
    place: dict[str, int] = {}
    title: dict[int, str] = {}
    names: dict[str, dict[int, bool]] = defaultdict(dict)
    references: list[tuple[int, str]] = []
    for number, entries in enumerate(sources):
        for entry in entries:
            if entry.concept not in place:
                place[entry.concept] = groups.add(number)
            member = place[entry.concept]
            title.setdefault(member, entry.names[0])
            references += [(member, other) for other in entry.same_as]
            for rank, name in enumerate(entry.names):
                for key in keys_of(name):
                    names[key][member] = names[key].get(member, False) or rank == 0
    for member, other in [*_one_to_one(place, references), *_by_name(names)]:
        groups.unite(member, other)
    keys = tuple(sorted(names))
    chosen = [groups.find(_holder(names[key])) for key in keys]
    used = {member: i for i, member in enumerate(sorted(set(chosen)))}
    ids = {number: concept for concept, number in place.items()}
    concepts = tuple((ids[member], title[member]) for member in used)
    return Merged(keys, tuple(used[member] for member in chosen), concepts)


def _one_to_one(
    place: Mapping[str, int], references: Iterable[tuple[int, str]]
) -> Iterator[tuple[int, int]]:
    """Give the references that are one to one.

    A finding that refers to two headings means neither exactly, and a heading that two findings
    refer to is wider than both.
    """
    links = sorted(set(references))
    going = Counter((own, other.partition(":")[0]) for own, other in links)
    coming = Counter(other for _, other in links)
    for own, other in links:
        if going[own, other.partition(":")[0]] == 1 and coming[other] == 1 and other in place:
            yield own, place[other]


def _by_name(names: _Names) -> Iterator[tuple[int, int]]:
    """Give pairs that share a name: first those that both prefer it, then the others."""
    for holders in names.values():
        first, *others = [holder for holder, prefers in holders.items() if prefers] or [-1]
        yield from ((first, other) for other in others)
    for key, holders in names.items():
        best = _holder(holders)
        if holders[best] and len(key) >= _LONG_ENOUGH:
            yield from ((best, other) for other in holders if other != best)


def _holder(holders: Mapping[int, bool]) -> int:
    return min(holders, key=lambda holder: (not holders[holder], holder))

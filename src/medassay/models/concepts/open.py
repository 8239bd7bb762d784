"""Open the vocabulary that was merged of all sources, kept from one run to the next."""

import hashlib
import json
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.models.concepts.sources import (
    FoundSource,
    VocabularyEntry,
    found_sources,
    missing_sources,
)
from medassay.models.concepts.vocabulary import Vocabulary, everyday_words, keys_of, list_files
from medassay.models.files import file_digest, unusable
from medassay.models.install import ModelSetup, model_setup
from medassay.tables import write_atomically

_GIVEN: Final = "concepts"
"""Under this name a `Vocabulary` can be handed in: `ModelSetup(given={"concepts": ...})`."""
_OPEN: Final[dict[str, Vocabulary]] = {}
_RULES: Final = 1
"""Raised whenever the same sources give another vocabulary, or a text other concepts."""
_Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is."""
_LONG_ENOUGH: Final = 5
"""Letters of a name that may unite concepts: shorter ones are mostly abbreviations, and those
mean different things in different sources."""
_Names = Mapping[str, Mapping[int, bool]]
"""For each key who holds it, and whether it is that concept's preferred name."""
_FORM: Final = "medassay vocabulary 1"


def vocabulary_facts() -> Mapping[str, str]:
    """Say what the open vocabulary of this machine is made of, without building it.

    Returns:
        Its hash over sources and rules, the sources with their versions, and those that are not
        installed: with them a text would show other concepts.

    Raises:
        MissingBackend: A source that is needed is not installed.
    """
    if isinstance(model_setup().given.get(_GIVEN), Vocabulary):
        return {"vocabulary": "given"}
    sources = found_sources()
    without = [source.name for source in missing_sources()]
    return {
        "vocabulary": _digest(sources)[:16],
        "sources": ", ".join(
            f"{found_source.source.name} {found_source.version}".strip() for found_source in sources
        ),
        **({"without": ", ".join(without)} if without else {}),
    }


def open_vocabulary() -> Vocabulary:
    """Open the open vocabulary; the first time a study needs it, it is built, in seconds.

    It is kept where the setup in force keeps what models computed, under its hash. A kept file that
    is damaged is named in `ModelSetup.damaged` and built again.

    Raises:
        MissingBackend: A source that is needed is not installed.
        UnusableModel: A source is not what it should be.
    """
    setup = model_setup()
    handed_in = setup.given.get(_GIVEN)
    if isinstance(handed_in, Vocabulary):
        return handed_in
    sources = found_sources()
    digest = _digest(sources)
    if digest not in _OPEN or (setup.fresh and digest not in setup.caches):
        _OPEN.clear()  # one is large; two are seldom needed
        _OPEN[digest] = setup.caches[digest] = _load(setup, sources, digest)
    return _OPEN[digest]


def _load(setup: ModelSetup, sources: list[FoundSource], digest: str) -> Vocabulary:
    path = setup.keep_in / f"vocabulary-{digest[:16]}" if setup.keep_in is not None else None
    merged = read_kept(path) if path is not None and not setup.fresh else None
    if merged is None:
        if path is not None and path.exists() and not setup.fresh:
            must, again = "hold the vocabulary that was kept in it", "It was built again."
            setup.damaged.append(Problem(str(path), must, "something else", again))
        merged = build(sources, setup.progress)
        if path is not None:
            _write_kept(path, merged)
    return Vocabulary(merged.keys, merged.places, merged.concepts, everyday_words())


def _digest(sources: list[FoundSource]) -> str:
    lists = {path.name: file_digest(path) for path in list_files()}
    facts = [
        _RULES,
        [(found_source.source.name, found_source.digest) for found_source in sources],
        sorted(lists.items()),
    ]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class MergedVocabulary:
    """Every name once, and the concept that it stands for.

    Attributes:
        keys: Names in their one form, sorted.
        places: For each key, its concept's place in `concepts`.
        concepts: Identifier and preferred name.
    """

    keys: tuple[str, ...]
    places: tuple[int, ...]
    concepts: tuple[tuple[str, str], ...]


def build(sources: Sequence[FoundSource], progress: _Progress | None = None) -> MergedVocabulary:
    """Read every source and put them together; seconds.

    Raises:
        UnusableModel: A source is not what it should be.
    """
    steps = len(sources) + 1

    def read(step: int, found_source: FoundSource) -> Iterator[VocabularyEntry]:
        if progress is not None:
            progress(f"reading {found_source.source.title}", step, steps)
        try:
            yield from found_source.source.read(found_source.path)
        except InvalidInput as error:
            wrong = error.problems[0]
            raise unusable(found_source.path, wrong.must, wrong.got, wrong.try_) from error

    streams: list[Iterable[VocabularyEntry]] = [read(i, source) for i, source in enumerate(sources)]
    merged = merge(streams)
    if progress is not None:
        progress("concepts put together", steps, steps)
    return merged


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


def merge(sources: Sequence[Iterable[VocabularyEntry]]) -> MergedVocabulary:
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
    return MergedVocabulary(keys, tuple(used[member] for member in chosen), concepts)


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


def _write_kept(path: Path, merged: MergedVocabulary) -> None:
    """Write a vocabulary beside the file, then rename over it."""
    tables = [
        "\n".join(merged.keys).encode(),
        ",".join(map(str, merged.places)).encode(),
        "\n".join(f"{concept}\t{name}" for concept, name in merged.concepts).encode(),
    ]
    body = zlib.compress(b"".join(tables), 6)
    header = {
        "form": _FORM,
        "sha256": hashlib.sha256(body).hexdigest(),
        "lengths": [len(table) for table in tables],
    }
    write_atomically(path, json.dumps(header, sort_keys=True).encode() + b"\n" + body)


def read_kept(path: Path) -> MergedVocabulary | None:
    """Read a vocabulary; None if the file is damaged, cut off or of another form."""
    try:
        first, _, body = path.read_bytes().partition(b"\n")
        header = json.loads(first)
        if header["form"] != _FORM or header["sha256"] != hashlib.sha256(body).hexdigest():
            return None
        whole = zlib.decompress(body)
        end_of_keys, length_of_places, _ = map(int, header["lengths"])
        end_of_places = end_of_keys + length_of_places
        keys = tuple(whole[:end_of_keys].decode().split("\n"))
        places = tuple(map(int, whole[end_of_keys:end_of_places].split(b",")))
        lines = whole[end_of_places:].decode().split("\n")
    except (OSError, ValueError, KeyError, TypeError, RecursionError, zlib.error):
        return None
    if len(keys) != len(places) or not 0 <= min(places) <= max(places) < len(lines):
        return None
    concepts = ((concept, name) for concept, _, name in (line.partition("\t") for line in lines))
    return MergedVocabulary(keys, places, tuple(concepts))

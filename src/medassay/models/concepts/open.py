"""Open the open vocabulary: from memory, from its file, or built out of its sources."""

import hashlib
import json
from collections.abc import Mapping
from typing import Final

from medassay.errors import Problem
from medassay.models.concepts.build import RULES, build
from medassay.models.concepts.cache import read_kept, write_kept
from medassay.models.concepts.names import everyday_words, list_files
from medassay.models.concepts.sources import FoundSource, found_sources, missing_sources
from medassay.models.concepts.vocabulary import Vocabulary
from medassay.models.digest import file_digest
from medassay.models.setup import ModelSetup, model_setup

__all__ = ["GIVEN", "open_vocabulary", "vocabulary_facts"]

GIVEN: Final = "concepts"
"""Under this name a `Vocabulary` can be handed in: `ModelSetup(given={"concepts": ...})`."""


def vocabulary_facts() -> Mapping[str, str]:
    """Say what the open vocabulary of this machine is made of, without building it.

    Returns:
        Its hash over sources and rules, the sources with their versions, and those that are not
        installed: with them a text would show other concepts.

    Raises:
        MissingBackend: A source that is needed is not installed.
    """
    if isinstance(model_setup().given.get(GIVEN), Vocabulary):
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
    handed_in = setup.given.get(GIVEN)
    if isinstance(handed_in, Vocabulary):
        return handed_in
    sources = found_sources()
    digest = _digest(sources)
    if digest not in _OPEN or (setup.fresh and digest not in setup.caches):
        _OPEN.clear()  # one is large; two are seldom needed
        _OPEN[digest] = setup.caches[digest] = _load(setup, sources, digest)
    return _OPEN[digest]


_OPEN: Final[dict[str, Vocabulary]] = {}


def _load(setup: ModelSetup, sources: list[FoundSource], digest: str) -> Vocabulary:
    path = setup.keep_in / f"vocabulary-{digest[:16]}" if setup.keep_in is not None else None
    merged = read_kept(path) if path is not None and not setup.fresh else None
    if merged is None:
        if path is not None and path.exists() and not setup.fresh:
            must, again = "hold the vocabulary that was kept in it", "It was built again."
            setup.damaged.append(Problem(str(path), must, "something else", again))
        merged = build(sources, setup.progress)
        if path is not None:
            write_kept(path, merged)
    return Vocabulary(merged.keys, merged.places, merged.concepts, everyday_words())


def _digest(sources: list[FoundSource]) -> str:
    lists = {path.name: file_digest(path) for path in list_files()}
    facts = [
        RULES,
        [(found_source.source.name, found_source.digest) for found_source in sources],
        sorted(lists.items()),
    ]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()

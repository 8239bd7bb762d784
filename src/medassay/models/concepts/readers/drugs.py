"""Drugs with brands and synonyms, from drug-named-entity-recognition."""

from collections.abc import Iterator
from pathlib import Path

from medassay.models.concepts.entry import Entry
from medassay.models.concepts.readers.named import read_named

__all__ = ["read_drugs"]


def read_drugs(path: Path) -> Iterator[Entry]:
    """Read each drug with its brands and synonyms.

    Its MeSH identifier is not used: in version 2.0.9 four in ten are those of a class or a related
    heading (amoxicillin has that of antibacterial agents).
    """
    for name, facts, others in read_named(path, "drug"):
        yield Entry(f"DRUG:{name}", (str(facts.get("name") or name), name, *others))

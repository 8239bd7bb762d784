"""medassay's own words: procedures, body parts, functions, microbes and common findings."""

from collections.abc import Iterator
from pathlib import Path

from medassay.models.concepts.entry import Entry

__all__ = ["read_own"]


def read_own(path: Path) -> Iterator[Entry]:
    """Read a concept a line, its names apart by semicolons; lines that start with # say things."""
    for line in path.read_text(encoding="utf-8").splitlines():
        names = tuple(name.strip() for name in line.split(";") if name.strip())
        if names and not line.startswith("#"):
            yield Entry(f"OWN:{names[0]}", names)

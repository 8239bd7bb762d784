"""A finding: what an analysis found, in a sentence or a few."""

from dataclasses import dataclass

__all__ = ["Finding"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was found.

    Attributes:
        id: What it is about.
        text: One to three sentences that can stand alone.
        basis: The tables that hold its numbers, by their id.
    """

    id: str
    text: str
    basis: tuple[str, ...]

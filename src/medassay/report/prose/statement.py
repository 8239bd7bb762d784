"""A sentence with the tables that hold its numbers."""

from dataclasses import dataclass

__all__ = ["Statement"]


@dataclass(frozen=True, slots=True)
class Statement:
    """One to three sentences of a paragraph.

    Attributes:
        text: The sentences.
        basis: Tables that hold every number of them, by their id.
    """

    text: str
    basis: tuple[str, ...] = ()

"""One concept as a source has it."""

from dataclasses import dataclass

__all__ = ["Entry"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A concept of one source.

    Attributes:
        concept: Its identifier, with the scheme in front: "MESH:D008288".
        names: What it is called; the preferred name first.
        same_as: Identifiers of other schemes that the source says mean the same.
    """

    concept: str
    names: tuple[str, ...]
    same_as: tuple[str, ...] = ()

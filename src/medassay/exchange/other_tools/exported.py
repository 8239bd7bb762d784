"""What an export to another tool wrote."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Given"]


@dataclass(frozen=True)
class Given:
    """What an export to another tool wrote.

    Attributes:
        counts: How many of each thing the files hold; keys are nouns in the singular.
        files: The files that were written.
        notes: What is not carried over, and what an organiser should know.
    """

    counts: Mapping[str, int]
    files: Sequence[str]
    notes: Sequence[str] = ()

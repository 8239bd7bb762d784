"""What an encoder is, whoever made it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

__all__ = ["Encoder", "Pieces"]


@dataclass(frozen=True, slots=True)
class Pieces:
    """A text as word pieces.

    Attributes:
        ids: The pieces, the model's marks at both ends included.
        marks: For each piece whether it is a mark of the model and no part of the text.
        unknown: How many pieces stand for text that the vocabulary does not have.
    """

    ids: tuple[int, ...]
    marks: tuple[bool, ...]
    unknown: int = 0

    @property
    def length(self) -> int:
        """Count the pieces of the text itself."""
        return len(self.marks) - sum(self.marks)


@runtime_checkable
class Encoder(Protocol):
    """Anything that turns texts into pieces, and pieces into states.

    A study's caller can hand in one of its own: `ModelSetup(given={"mine": encoder})`.
    """

    @property
    def facts(self) -> Mapping[str, str]:
        """Give what the states depend on: hash of the weights, layer, runtime."""

    @property
    def longest(self) -> int:
        """Give how many pieces it reads at once, marks included."""

    def pieces(self, text: str) -> Pieces:
        """Split a text into pieces, however long it is."""

    def states(self, rows: Sequence[tuple[int, ...]]) -> NDArray[np.float32]:
        """Give the states of windows of equally many pieces, shape (windows, pieces, width).

        What it gives for a window must not depend on the others: nothing is padded.
        """

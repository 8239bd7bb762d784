"""An encoder without weights, for tests: a word's state comes from its letters and neighbours."""

import hashlib
import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from medassay.models.encoders import Pieces

_OPENING, _CLOSING, _WIDTH = 0, 1, 16


class ToyEncoder:
    """Splits at blanks and between signs; the same text gives the same states everywhere.

    Attributes:
        longest: How many pieces it reads at once.
        calls: How many windows it has encoded.
    """

    def __init__(self, longest: int = 32) -> None:
        self.longest = longest
        self.calls = 0

    @property
    def facts(self) -> Mapping[str, str]:
        """Say that it is a toy."""
        return {"model": "toy", "longest": str(self.longest)}

    def pieces(self, text: str) -> Pieces:
        """Split a text into words and signs; control characters are none."""
        words = re.findall(r"\w+|[^\w\s\x00-\x1f\x7f]", text)
        ids = [2 + int(hashlib.sha256(w.encode()).hexdigest()[:6], 16) for w in words]
        marks = (True, *(False for _ in ids), True)
        return Pieces((_OPENING, *ids, _CLOSING), marks)

    def states(self, rows: Sequence[tuple[int, ...]]) -> NDArray[np.float32]:
        """Give each piece a vector of its own, mixed with those beside it."""
        self.calls += len(rows)
        return np.stack([self._mixed(ids) for ids in rows])

    @staticmethod
    def _mixed(ids: tuple[int, ...]) -> NDArray[np.float32]:
        own = np.stack([np.random.default_rng(i).uniform(0, 1, _WIDTH) for i in ids])
        before, after = np.roll(own, 1, axis=0), np.roll(own, -1, axis=0)
        return (own + 0.2 * before + 0.1 * after).astype(np.float32)

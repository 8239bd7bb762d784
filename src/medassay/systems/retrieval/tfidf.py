"""How well words fit: the cosine of TF-IDF."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from medassay.systems.passages import Passage
from medassay.systems.tfidf import TfidfIndex

__all__ = ["Tfidf"]


class Tfidf:
    """The cosine of TF-IDF over passages, as the environmental-health pipeline computes it."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._places = [str(place) for place in range(len(passages))]
        self._index = TfidfIndex(
            {place: p.searched for place, p in zip(self._places, passages, strict=True)}
        )

    def scores(self, query: str) -> NDArray[np.float64]:
        """Score every passage, 0 to 1."""
        cosines = dict(self._index.rank(query, len(self._places)))
        return np.asarray([cosines.get(place, 0.0) for place in self._places])

"""How well words fit: BM25 over passages."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.models.install import need_package
from medassay.systems.passages import Passage
from medassay.text import content_terms

__all__ = ["Bm25"]

_K1: Final = 1.2
_B: Final = 0.75


class Bm25:
    """BM25 with the idf that is never negative, ln(1 + (N - n + .5) / (n + .5)), k1 1.2, b .75.

    Words are those that carry meaning, lower case, plural folded. A word that no passage has weighs
    nothing; a query of such words alone scores every passage 0.

    Raises:
        MissingBackend: bm25s is not installed.

    Source:
        Robertson and Zaragoza (2009), doi:10.1561/1500000019; computed by bm25s, Lù (2024),
        arXiv:2407.03618.
    """

    def __init__(self, passages: Sequence[Passage]) -> None:
        bm25s = need_package("bm25s", "retrieval by BM25")
        numbers: defaultdict[str, int] = defaultdict()
        numbers.default_factory = numbers.__len__  # each new word is given the next number
        ids = [list(map(numbers.__getitem__, content_terms(p.searched))) for p in passages]
        self._vocabulary = vocabulary = dict(numbers)
        self._passages = len(passages)
        self._index = bm25s.BM25(k1=_K1, b=_B, method="lucene", dtype="float64")
        if vocabulary:
            self._index.index((ids, vocabulary), create_empty_token=False, show_progress=False)

    def scores(self, query: str) -> NDArray[np.float64]:
        """Score every passage, 0 to infinity: 0 where it shares no word with the query."""
        known = [term for term in content_terms(query) if term in self._vocabulary]
        if not known:
            return np.zeros(self._passages)
        return np.asarray(self._index.get_scores(known), dtype=np.float64)

"""What is named: medical concepts that query and passage share, the rarer the more."""

from collections import Counter
from collections.abc import Sequence
from math import fsum, log

import numpy as np
from numpy.typing import NDArray

from medassay.models.concepts import open_vocabulary
from medassay.systems.passages import Passage

__all__ = ["Concepts"]


class Concepts:
    """The share of a query's concepts that a passage names, each weighed by ln(1 + N / n).

    N is the number of passages, n that of those which name the concept. Concepts are those of the
    open vocabulary (docs/concepts.md); negation is not looked at.

    Raises:
        MissingBackend: The vocabulary's sources are not installed.
    """

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._vocabulary = open_vocabulary()
        self._named = [self._vocabulary.concepts(passage.searched) for passage in passages]
        naming = Counter(concept for named in self._named for concept in named)
        self._weights = {c: log(1 + len(passages) / n) for c, n in naming.items()}

    def scores(self, query: str) -> NDArray[np.float64]:
        """Score every passage, 0 to 1; all 0 where the query names no concept that is known."""
        asked = sorted(self._vocabulary.concepts(query) & self._weights.keys())
        whole = fsum(self._weights[concept] for concept in asked)
        if not asked:
            return np.zeros(len(self._named))
        return np.asarray(
            [fsum(self._weights[c] for c in asked if c in named) / whole for named in self._named]
        )

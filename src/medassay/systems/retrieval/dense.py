"""How near in meaning: the cosine of sentence vectors."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.errors import InvalidInput, Problem
from medassay.models.cache import ResultCache, result_cache
from medassay.models.encoders import encoder_facts, sentence_vectors
from medassay.systems.passages import Passage

__all__ = ["Dense"]

_MOST: Final = 100_000
"""Passages that an exact search serves: one product of a matrix, some 40 ms a query at this."""
_PURPOSE: Final = "retrieval by meaning"


class Dense:
    """The cosine of a query's vector with that of every passage, exact: nothing is approximated.

    The matrix is kept as one piece under the hash of the weights and of all passages, so that a
    corpus is encoded once.

    Args:
        passages: The passages, 100,000 at most.
        model: The sentence encoder, by the name that metrics know it by.

    Raises:
        MissingBackend: The encoder is not installed.
        InvalidInput: There are more passages than an exact search serves.

    Source:
        Reimers and Gurevych (2019), doi:10.18653/v1/D19-1410, for the vectors.
    """

    def __init__(self, passages: Sequence[Passage], model: str = "minilm") -> None:
        if len(passages) > _MOST:
            must = f"be at most {_MOST:,} for an exact search"
            hint = "Cut documents into longer passages, or search by words."
            raise InvalidInput(Problem("passages", must, f"{len(passages):,}", hint))
        self._model = model
        self._matrix = _kept_matrix(model, [passage.searched for passage in passages])

    def scores(self, query: str) -> NDArray[np.float64]:
        """Score every passage from -1 to 1; all 0 where the model sees nothing of the query."""
        [vector] = sentence_vectors(self._model, [query], purpose=_PURPOSE)
        if vector is None:
            return np.zeros(len(self._matrix))
        return np.asarray(self._matrix @ vector.astype(np.float32), dtype=np.float64)


def _kept_matrix(model: str, texts: Sequence[str]) -> NDArray[np.float32]:
    facts = encoder_facts(model, purpose=_PURPOSE)
    cache = result_cache("passage-vectors", facts, reveals_text=True)
    key = ResultCache.key(*texts)
    rows = len(texts)
    contents = cache.get([key], lambda _, content: len(content) % (4 * rows) == 0)
    if key not in contents:
        vectors = sentence_vectors(model, texts, purpose=_PURPOSE)
        width = next((len(vector) for vector in vectors if vector is not None), 1)
        # A passage of which the model sees nothing is like no query.
        filled = [np.zeros(width) if vector is None else vector for vector in vectors]
        contents = {key: np.asarray(filled, dtype=np.float32).tobytes()}
        cache.keep(contents)
    return np.frombuffer(contents[key], dtype=np.float32).reshape(rows, -1)

"""Cosines of sentence embeddings by the default encoder."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from medassay.models.encoders import EMBEDDED, sentence_vectors

__all__ = ["embedding_cosine"]


def embedding_cosine(pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
    """Give the cosine of each pair of texts.

    Raises:
        MissingBackend: The encoder is not installed.
    """
    texts = sorted({text for pair in pairs for text in pair})
    vectors = sentence_vectors(EMBEDDED, texts, purpose="cosines of embeddings")
    place = {text: i for i, text in enumerate(texts)}
    size = next((one.size for one in vectors if one is not None), 1)
    rows = np.asarray([np.zeros(size) if one is None else one for one in vectors])
    first, second = ([place[pair[side]] for pair in pairs] for side in (0, 1))
    cosines: NDArray[np.float64] = (rows[first] * rows[second]).sum(axis=1)
    return cosines

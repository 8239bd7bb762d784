"""Cosines of two texts: of their words, and of embeddings by the default encoder."""

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from medassay.models.encoders import EMBEDDED, sentence_vectors
from medassay.text import content_terms


def word_cosine(one: str, other: str) -> float:
    """Give the cosine of two texts as bags of their words of content."""
    first, second = Counter(content_terms(one)), Counter(content_terms(other))
    shared = sum(first[word] * second[word] for word in first)
    sizes = math.sqrt(sum(n * n for n in first.values()) * sum(n * n for n in second.values()))
    return shared / sizes if sizes else 0.0


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

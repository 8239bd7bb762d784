"""Words alone, weighed by how rare they are and how long the passage is."""

import numpy as np
from numpy.typing import NDArray

from medassay.systems.retrieval.strategy import SignalScores, strategy


@strategy("bm25", "bm25", says="Passages that share the query's rarer words, by BM25.")
def bm25(scores: SignalScores) -> NDArray[np.float64]:
    """Order by BM25."""
    return scores["bm25"]

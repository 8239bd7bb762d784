"""Words alone, weighed by how rare they are."""

import numpy as np
from numpy.typing import NDArray

from medassay.systems.retrieval.strategy import SignalScores, strategy


@strategy("tfidf", "tfidf", says="Passages that share the query's rarer words, by TF-IDF.")
def tfidf(scores: SignalScores) -> NDArray[np.float64]:
    """Order by the cosine of TF-IDF."""
    return scores["tfidf"]

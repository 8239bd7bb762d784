"""Meaning alone."""

import numpy as np
from numpy.typing import NDArray

from medassay.systems.retrieval.strategy import SignalScores, strategy


@strategy("dense", "dense", says="Passages nearest in meaning, by a sentence encoder.")
def dense(scores: SignalScores) -> NDArray[np.float64]:
    """Order by the cosine of sentence vectors."""
    return scores["dense"]

"""Meaning and words added up."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.systems.retrieval.hits import least_to_most
from medassay.systems.retrieval.strategy import SignalScores, strategy

_MEANING: Final = 0.65
_WORDS: Final = 0.35


@strategy(
    "hybrid", "dense", "bm25", says="Meaning (.65) and words (.35), each brought to 0 to 1, added."
)
def hybrid(scores: SignalScores) -> NDArray[np.float64]:
    """Order by the weighed sum of both, each from its least to its most over all passages."""
    return _MEANING * least_to_most(scores["dense"]) + _WORDS * least_to_most(scores["bm25"])

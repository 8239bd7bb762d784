"""Meaning decides which passages are looked at; what they name orders these."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.systems.retrieval.hits import least_to_most
from medassay.systems.retrieval.strategy import SignalScores, strategy

_LOOKED_AT: Final = 30


@strategy(
    "semantic-first",
    "dense",
    "concepts",
    says="The 30 passages nearest in meaning, then ordered by the concepts that they name as well.",
)
def semantic_first(scores: SignalScores) -> NDArray[np.float64]:
    """Order the nearest by meaning and concepts in equal parts; the others are not looked at."""
    dense = scores["dense"]
    nearest = np.argsort(-dense, kind="stable")[:_LOOKED_AT]
    order = np.full(len(dense), -np.inf)
    order[nearest] = least_to_most(dense[nearest]) + least_to_most(scores["concepts"][nearest])
    return order

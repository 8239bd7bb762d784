"""What is named decides; meaning settles what names as much."""

import numpy as np
from numpy.typing import NDArray

from medassay.systems.retrieval.hits import least_to_most
from medassay.systems.retrieval.strategy import SignalScores, strategy


@strategy(
    "concept-first",
    "concepts",
    "dense",
    says="Passages that name the query's medical concepts; meaning orders those that name as much.",
)
def concept_first(scores: SignalScores) -> NDArray[np.float64]:
    """Order by concepts in steps of a tenth, within a step by meaning."""
    steps = np.floor(10 * scores["concepts"] + 1e-9)
    # Below one step, so that meaning never lifts a passage over one that names more.
    return steps + 0.999 * least_to_most(scores["dense"])

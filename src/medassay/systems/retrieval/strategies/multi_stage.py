"""Broad, focused, then ranked again: each stage looks at fewer passages with more signals."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.systems.retrieval.hits import least_to_most
from medassay.systems.retrieval.strategy import SignalScores, strategy

_BROAD: Final = 60
_FOCUSED: Final = 20


@strategy(
    "multi-stage",
    "bm25",
    "dense",
    "concepts",
    says="Broad by words (60 passages), focused by meaning (20), then ordered by all signals.",
)
def multi_stage(scores: SignalScores) -> NDArray[np.float64]:
    """Keep 60 by BM25, of these 20 by meaning, and order them by words, meaning and concepts."""
    broad = np.argsort(-scores["bm25"], kind="stable")[:_BROAD]
    by_meaning = np.argsort(-scores["dense"][broad], kind="stable")
    focused = broad[by_meaning[:_FOCUSED]]
    order = np.full(len(scores["bm25"]), -np.inf)
    order[focused] = sum(
        (least_to_most(scores[signal][focused]) for signal in ("bm25", "dense", "concepts")),
        start=np.zeros(len(focused)),
    )
    return order

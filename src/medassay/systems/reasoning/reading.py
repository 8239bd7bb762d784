"""What a method reads: documents by rank, and the passages that are weighed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from medassay.cases import Case
from medassay.systems.passages import Passage
from medassay.systems.retrieval import Hit, Retriever

__all__ = ["Read", "query_of", "read_for"]


@dataclass(frozen=True, slots=True)
class Read:
    """What was found for a query.

    Attributes:
        hits: Documents by rank.
        passages: The passages that are weighed: the best ones, or all of the first document.
    """

    hits: Sequence[Hit]
    passages: Sequence[Passage]


def query_of(case: Case, letters: Sequence[str] | None = None) -> str:
    """Give what a question is searched by: its words and its options', or some options'."""
    options = case.options if letters is None else {key: case.options[key] for key in letters}
    return " ".join([case.question or "", *options.values()])


def read_for(query: str, retriever: Retriever, reads: int | None, k: int = 10) -> Read:
    """Search, and take what is read: so many passages, or the whole first document."""
    hits = retriever.rank(query, k)
    if reads is None:
        first = hits[0].document if hits else None
        return Read(hits, [p for p in retriever.passages if p.document == first])
    scores = retriever.scores(query)
    best = [
        place for place in np.argsort(-scores, kind="stable")[:reads] if scores[place] > -np.inf
    ]
    return Read(hits, [retriever.passages[place] for place in best])

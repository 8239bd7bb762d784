"""Documents for a query, by a strategy over passages."""

from collections.abc import Mapping, Sequence
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from medassay.systems.passages import Passage
from medassay.systems.retrieval.bm25 import Bm25
from medassay.systems.retrieval.concepts import Concepts
from medassay.systems.retrieval.dense import Dense
from medassay.systems.retrieval.hits import Hit, documents_by_rank
from medassay.systems.retrieval.strategy import Signal, find_strategy
from medassay.systems.retrieval.tfidf import Tfidf

__all__ = ["Retriever"]


class _Scorer(Protocol):
    def scores(self, query: str) -> NDArray[np.float64]: ...


class _Makes(Protocol):
    def __call__(self, passages: Sequence[Passage], /) -> _Scorer: ...


_MAKES: Final[Mapping[Signal, _Makes]] = {
    "bm25": Bm25,
    "tfidf": Tfidf,
    "dense": Dense,
    "concepts": Concepts,
}


class Retriever:
    """Passages that can be searched by one strategy; only what it reads is indexed.

    Args:
        passages: What is searched.
        strategy: The name of a strategy.

    Raises:
        UnknownName: There is no such strategy.
        MissingBackend: What it reads is not installed.

    Example:
        >>> from medassay.cases import Document
        >>> from medassay.systems import cut_passages
        >>> ozone = Document(id="g1", title="Ozone", text="Ozone inflames the airways.")
        >>> lead = Document(id="g2", title="Lead", text="Lead harms the brain of children.")
        >>> found = Retriever(cut_passages([ozone, lead]), "tfidf").rank("Does lead harm?", k=1)
        >>> [hit.document for hit in found]
        ['g2']
    """

    def __init__(self, passages: Sequence[Passage], strategy: str = "bm25") -> None:
        self.passages = passages
        self.strategy = find_strategy(strategy)
        self._scorers = {signal: _MAKES[signal](passages) for signal in self.strategy.signals}

    def scores(self, query: str) -> NDArray[np.float64]:
        """Score every passage; minus infinity for one that the strategy does not look at."""
        return self.strategy.order(
            {signal: scorer.scores(query) for signal, scorer in self._scorers.items()}
        )

    def rank(self, query: str, k: int = 10) -> list[Hit]:
        """Give the k best documents, the best first, equal ones in the order of the passages.

        A document that shares nothing with the query is found all the same where fewer are better:
        every strategy orders all that it looks at.
        """
        return documents_by_rank(self.passages, self.scores(query), k)

"""Retrieval: which passages, and so which documents, stand behind an answer.

What enters: passages, the name of a strategy, a query. What leaves: documents by rank with their
scores, each with the passage that brought it there. A signal (BM25, TF-IDF, meaning, concepts) is a
score of every passage; a strategy, one file each, says how signals become one order.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, log
from typing import Final, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from medassay.errors import InvalidInput, Problem, UnknownName
from medassay.models.cache import ResultCache, result_cache
from medassay.models.concepts import open_vocabulary
from medassay.models.encoders import encoder_facts, sentence_vectors
from medassay.models.install import need_package
from medassay.systems.corpus import Passage
from medassay.systems.extract import TfidfIndex
from medassay.text import content_terms

_Signal = Literal["bm25", "tfidf", "dense", "concepts"]
"""A way of scoring every passage by a query."""
_SignalScores = Mapping[_Signal, NDArray[np.float64]]
"""The scores of every passage by one query, signal by signal."""
_LOOKED_AT: Final = 30
_MEANING: Final = 0.65
_WORDS: Final = 0.35
_BROAD: Final = 60
_FOCUSED: Final = 20
_DIGITS: Final = 9
"""Scores are compared to so many: the last digits of a sum must not decide a rank."""
_K1: Final = 1.2
_B: Final = 0.75
_MOST: Final = 100_000
"""Passages that an exact search serves: one product of a matrix, some 40 ms a query at this."""
_PURPOSE: Final = "retrieval by meaning"


@dataclass(frozen=True, slots=True)
class Strategy:
    """How signals become one order of passages.

    Attributes:
        name: What a study calls it by.
        says: What it does, in a sentence.
        signals: The signals that it reads.
        order: From the signals' scores to a score of every passage; minus infinity for one that is
            not looked at.
    """

    name: str
    says: str
    signals: tuple[_Signal, ...]
    order: Callable[[_SignalScores], NDArray[np.float64]]


_KNOWN: Final[dict[str, Strategy]] = {}


def _strategy(
    name: str, *signals: _Signal, says: str
) -> Callable[[Callable[[_SignalScores], NDArray[np.float64]]], Strategy]:
    """Declare a strategy: its name, the signals that it reads, and what it does with them."""

    def declare(order: Callable[[_SignalScores], NDArray[np.float64]]) -> Strategy:
        declared = Strategy(name, says, signals, order)
        _KNOWN[name] = declared
        return declared

    return declare


def strategies() -> tuple[Strategy, ...]:
    """List the strategies by name.

    Example:
        >>> [one.name for one in strategies()]
        ['bm25', 'concept-first', 'dense', 'hybrid', 'multi-stage', 'semantic-first', 'tfidf']
    """
    return tuple(_KNOWN[name] for name in sorted(_KNOWN))


def find_strategy(name: str) -> Strategy:
    """Find a strategy by its name.

    Raises:
        UnknownName: There is none.
    """
    known = {declared.name: declared for declared in strategies()}
    if name not in known:
        raise UnknownName("retrieval strategy", name, list(known))
    return known[name]


@_strategy("bm25", "bm25", says="Passages that share the query's rarer words, by BM25.")
def bm25(scores: _SignalScores) -> NDArray[np.float64]:
    """Order by BM25."""
    return scores["bm25"]


@_strategy("tfidf", "tfidf", says="Passages that share the query's rarer words, by TF-IDF.")
def tfidf(scores: _SignalScores) -> NDArray[np.float64]:
    """Order by the cosine of TF-IDF."""
    return scores["tfidf"]


@_strategy("dense", "dense", says="Passages nearest in meaning, by a sentence encoder.")
def dense(scores: _SignalScores) -> NDArray[np.float64]:
    """Order by the cosine of sentence vectors."""
    return scores["dense"]


@_strategy(
    "concept-first",
    "concepts",
    "dense",
    says="Passages that name the query's medical concepts; meaning orders those that name as much.",
)
def concept_first(scores: _SignalScores) -> NDArray[np.float64]:
    """Order by concepts in steps of a tenth, within a step by meaning."""
    steps = np.floor(10 * scores["concepts"] + 1e-9)
    # Below one step, so that meaning never lifts a passage over one that names more.
    return steps + 0.999 * _least_to_most(scores["dense"])


@_strategy(
    "semantic-first",
    "dense",
    "concepts",
    says="The 30 passages nearest in meaning, then ordered by the concepts that they name as well.",
)
def semantic_first(scores: _SignalScores) -> NDArray[np.float64]:
    """Order the nearest by meaning and concepts in equal parts; the others are not looked at."""
    dense = scores["dense"]
    nearest = np.argsort(-dense, kind="stable")[:_LOOKED_AT]
    order = np.full(len(dense), -np.inf)
    order[nearest] = _least_to_most(dense[nearest]) + _least_to_most(scores["concepts"][nearest])
    return order


@_strategy(
    "hybrid",
    "dense",
    "bm25",
    says="Meaning (0.65) and words (0.35), each brought to 0 to 1, added.",
)
def hybrid(scores: _SignalScores) -> NDArray[np.float64]:
    """Order by the weighed sum of both, each from its least to its most over all passages."""
    return _MEANING * _least_to_most(scores["dense"]) + _WORDS * _least_to_most(scores["bm25"])


@_strategy(
    "multi-stage",
    "bm25",
    "dense",
    "concepts",
    says="Broad by words (60 passages), focused by meaning (20), then ordered by all signals.",
)
def multi_stage(scores: _SignalScores) -> NDArray[np.float64]:
    """Keep 60 by BM25, of these 20 by meaning, and order them by words, meaning and concepts."""
    broad = np.argsort(-scores["bm25"], kind="stable")[:_BROAD]
    by_meaning = np.argsort(-scores["dense"][broad], kind="stable")
    focused = broad[by_meaning[:_FOCUSED]]
    order = np.full(len(scores["bm25"]), -np.inf)
    order[focused] = sum(
        (_least_to_most(scores[signal][focused]) for signal in ("bm25", "dense", "concepts")),
        start=np.zeros(len(focused)),
    )
    return order


class _Scorer(Protocol):
    def scores(self, query: str) -> NDArray[np.float64]: ...


class _Makes(Protocol):
    def __call__(self, passages: Sequence[Passage], /) -> _Scorer: ...


class Bm25:
    """BM25 with the idf that is never negative, ln(1 + (N - n + 0.5) / (n + 0.5)), k1 1.2, b 0.75.

    Words are those that carry meaning, lower case, plural folded. A word that no passage has weighs
    nothing; a query of such words alone scores every passage 0.

    Raises:
        MissingBackend: bm25s is not installed.

    Source:
        Robertson and Zaragoza (2009), doi:10.1561/1500000019; computed by bm25s, Lù (2024),
        arXiv:2407.03618.
    """

    def __init__(self, passages: Sequence[Passage]) -> None:
        bm25s = need_package("bm25s", "retrieval by BM25")
        numbers: defaultdict[str, int] = defaultdict()
        numbers.default_factory = numbers.__len__  # each new word is given the next number
        ids = [list(map(numbers.__getitem__, content_terms(p.searched))) for p in passages]
        self._vocabulary = vocabulary = dict(numbers)
        self._passages = len(passages)
        self._index = bm25s.BM25(k1=_K1, b=_B, method="lucene", dtype="float64")
        if vocabulary:
            self._index.index((ids, vocabulary), create_empty_token=False, show_progress=False)

    def scores(self, query: str) -> NDArray[np.float64]:
        """Score every passage, 0 to infinity: 0 where it shares no word with the query."""
        known = [term for term in content_terms(query) if term in self._vocabulary]
        if not known:
            return np.zeros(self._passages)
        return np.asarray(self._index.get_scores(known), dtype=np.float64)


class Tfidf:
    """The cosine of TF-IDF over passages, as the environmental-health pipeline computes it."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._places = [str(place) for place in range(len(passages))]
        self._index = TfidfIndex(
            {place: p.searched for place, p in zip(self._places, passages, strict=True)}
        )

    def scores(self, query: str) -> NDArray[np.float64]:
        """Score every passage, 0 to 1."""
        cosines = dict(self._index.rank(query, len(self._places)))
        return np.asarray([cosines.get(place, 0.0) for place in self._places])


class Dense:
    """The cosine of a query's vector with that of every passage, exact: nothing is approximated.

    The matrix is kept as one piece under the hash of the weights and of all passages, so that a
    corpus is encoded once.

    Args:
        passages: The passages, 100,000 at most.
        model: The sentence encoder, by the name that metrics know it by.

    Raises:
        MissingBackend: The encoder is not installed.
        InvalidInput: There are more passages than an exact search serves.

    Source:
        Reimers and Gurevych (2019), doi:10.18653/v1/D19-1410, for the vectors.
    """

    def __init__(self, passages: Sequence[Passage], model: str = "minilm") -> None:
        if len(passages) > _MOST:
            must = f"be at most {_MOST:,} for an exact search"
            hint = "Cut documents into longer passages, or search by words."
            raise InvalidInput(Problem("passages", must, f"{len(passages):,}", hint))
        self._model = model
        self._matrix = _kept_matrix(model, [passage.searched for passage in passages])

    def scores(self, query: str) -> NDArray[np.float64]:
        """Score every passage from -1 to 1; all 0 where the model sees nothing of the query."""
        [vector] = sentence_vectors(self._model, [query], purpose=_PURPOSE)
        if vector is None:
            return np.zeros(len(self._matrix))
        return np.asarray(self._matrix @ vector.astype(np.float32), dtype=np.float64)


class Concepts:
    """The share of a query's concepts that a passage names, each weighed by ln(1 + N / n).

    N is the number of passages, n that of those which name the concept. Concepts are those of the
    open vocabulary (docs/concepts.md); negation is not looked at.

    Raises:
        MissingBackend: The vocabulary's sources are not installed.
    """

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._vocabulary = open_vocabulary()
        self._named = [self._vocabulary.concepts(passage.searched) for passage in passages]
        naming = Counter(concept for named in self._named for concept in named)
        self._weights = {c: log(1 + len(passages) / n) for c, n in naming.items()}

    def scores(self, query: str) -> NDArray[np.float64]:
        """Score every passage, 0 to 1; all 0 where the query names no concept that is known."""
        asked = sorted(self._vocabulary.concepts(query) & self._weights.keys())
        whole = fsum(self._weights[concept] for concept in asked)
        if not asked:
            return np.zeros(len(self._named))
        return np.asarray(
            [fsum(self._weights[c] for c in asked if c in named) / whole for named in self._named]
        )


_MAKES: Final[Mapping[_Signal, _Makes]] = {
    "bm25": Bm25,
    "tfidf": Tfidf,
    "dense": Dense,
    "concepts": Concepts,
}


@dataclass(frozen=True, slots=True)
class Hit:
    """A document that was found.

    Attributes:
        document: Its id.
        score: The score of its best passage.
        passage: That passage.
    """

    document: str
    score: float
    passage: Passage


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


def documents_by_rank(
    passages: Sequence[Passage], scores: NDArray[np.float64], k: int
) -> list[Hit]:
    """Rank documents by their best passage; equal ones in the order of the passages.

    A passage whose score is minus infinity was not looked at, and brings nothing.
    """
    rounded = np.round(scores, _DIGITS)
    hits: dict[str, Hit] = {}
    for place in np.argsort(-rounded, kind="stable"):
        if len(hits) == k or rounded[place] == -np.inf:
            break
        passage = passages[place]
        hits.setdefault(passage.document, Hit(passage.document, float(rounded[place]), passage))
    return list(hits.values())


def _least_to_most(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Bring the scores of one query to 0 to 1, so that two signals can be added; all 0 if equal.

    Example:
        >>> _least_to_most(np.array([2.0, 4.0, 3.0])).tolist()
        [0.0, 1.0, 0.5]
    """
    spread = float(scores.max() - scores.min())
    return (scores - scores.min()) / spread if spread else np.zeros_like(scores)


def _kept_matrix(model: str, texts: Sequence[str]) -> NDArray[np.float32]:
    facts = encoder_facts(model, purpose=_PURPOSE)
    cache = result_cache("passage-vectors", facts, reveals_text=True)
    key = ResultCache.key(*texts)
    rows = len(texts)
    contents = cache.get([key], lambda _, content: len(content) % (4 * rows) == 0)
    if key not in contents:
        vectors = sentence_vectors(model, texts, purpose=_PURPOSE)
        width = next((len(vector) for vector in vectors if vector is not None), 1)
        # A passage of which the model sees nothing is like no query.
        filled = [np.zeros(width) if vector is None else vector for vector in vectors]
        contents = {key: np.asarray(filled, dtype=np.float32).tobytes()}
        cache.keep(contents)
    return np.frombuffer(contents[key], dtype=np.float32).reshape(rows, -1)

"""Which texts are like a query: the cosine of words weighed by how rare they are."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import fsum, log, sqrt

from medassay.text import content_terms

__all__ = ["TfidfIndex"]


class TfidfIndex:
    """Texts as vectors of tf x idf, tf the count of a word, idf = ln((1 + N) / (1 + n)) + 1.

    N is the number of texts, n that of the texts with the word. Words are those that carry meaning,
    lower case, plural folded; a word that no text has weighs nothing.

    Args:
        texts: Id to text.

    Source:
        Salton and Buckley (1988), doi:10.1016/0306-4573(88)90021-0; the smoothed idf is the usual
        one of today's libraries.

    Example:
        >>> index = TfidfIndex({"a": "ozone and asthma", "b": "lead in water", "c": "ozone"})
        >>> [(name, round(cosine, 2)) for name, cosine in index.rank("Does ozone harm?", 3)]
        [('c', 1.0), ('a', 0.61)]
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        counts = {name: Counter(content_terms(text)) for name, text in texts.items()}
        with_word = Counter(word for words in counts.values() for word in words)
        self._idf = {w: log((1 + len(counts)) / (1 + n)) + 1 for w, n in with_word.items()}
        self._vectors = {name: self._weigh(words) for name, words in counts.items()}

    def rank(self, query: str, k: int) -> Sequence[tuple[str, float]]:
        """Give the k texts most like a query, best first, with their cosine.

        Texts that share no word with it are left out: so there may be fewer. Equal cosines stand
        in the order of their ids.
        """
        cosines = [(name, self._cosine(query, vector)) for name, vector in self._vectors.items()]
        some = [scored for scored in cosines if scored[1] > 0]
        return sorted(some, key=lambda scored: (-scored[1], scored[0]))[:k]

    def likeness(self, query: str, text: str) -> float:
        """Give the cosine of a query and a text that need not be of the index."""
        return self._cosine(query, self._weigh(Counter(content_terms(text))))

    def _weigh(self, counts: Mapping[str, int]) -> Mapping[str, float]:
        weighed = {word: n * self._idf[word] for word, n in counts.items() if word in self._idf}
        length = sqrt(fsum(weight**2 for weight in weighed.values()))
        return {word: weight / length for word, weight in weighed.items()}

    def _cosine(self, query: str, vector: Mapping[str, float]) -> float:
        asked = self._weigh(Counter(content_terms(query)))
        # Rounded: the last digits of a sum must not decide a rank.
        return round(fsum(weight * vector.get(word, 0.0) for word, weight in asked.items()), 12)

"""The environmental-health protocol's pipeline: find, quote, and say how strong the support is."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, log, sqrt
from typing import Final, Literal

from medassay.answers import Answer, Retrieved, Statement
from medassay.cases import Case
from medassay.errors import InvalidInput, Problem
from medassay.stats import ConfidenceLevels, mean_min_max
from medassay.systems.corpus import CorpusText
from medassay.text import content_terms

_AT: Final = "#"
"""Between a document and the number of its sentence, in a citation."""
_DIGITS: Final = 9
"""Of the number of a sentence: no document has more."""


@dataclass(frozen=True)
class ExtractionRule:
    """How the pipeline is set.

    Attributes:
        k: How many documents are returned.
        thresholds: Where Medium and High begin.
        normalised: Similarities are normalised within each query, which is the published rule, or
            over the whole run, by which queries can be told apart.
    """

    k: int = 3
    thresholds: tuple[float, float] = (0.33, 0.67)
    normalised: Literal["query", "run"] = "query"


def answer_with_tfidf(
    cases: Iterable[Case],
    corpus: Sequence[CorpusText],
    system: str = "tfidf",
    rule: ExtractionRule | None = None,
) -> list[Answer]:
    """Answer each case's question by one quoted sentence from each of the k documents most like it.

    Title, abstract and findings are searched by the cosine of TF-IDF. Of each document the sentence
    most like the question is quoted word for word; the first of equals. It is cited as
    `document#number`, and `sentence_of` finds it again. Confidence is the mean of the min-max
    normalised similarities, cut by two thresholds. Nothing is drawn at random and no model is used.

    Args:
        cases: What is asked.
        corpus: The documents.
        system: What the system is called.
        rule: How it is set; the protocol's values if not given.

    Returns:
        An answer for each case; an empty one where no document shares a word with the question.

    Raises:
        InvalidInput: A case has no question.

    Source:
        The environmental-health question-answering framework's evaluation protocol, sections
        "Citation Precision@k" and "System Confidence Assignment".
    """
    rule = rule or ExtractionRule()
    asked = list(cases)
    silent = [case.case for case in asked if not case.prompt]
    if silent:
        must, hint = "have a question to search with", "Its words are what is searched for."
        raise InvalidInput([Problem(name, must, "none", hint) for name in silent])
    index = TfidfIndex({corpus_text.id: corpus_text.searched for corpus_text in corpus})
    texts = {corpus_text.id: corpus_text for corpus_text in corpus}
    ranked = {case.case: index.rank(case.prompt or "", rule.k) for case in asked}
    every = [cosine for ranking in ranked.values() for _, cosine in ranking]
    ends = (min(every), max(every)) if every and rule.normalised == "run" else (None, None)
    levels = ConfidenceLevels(*rule.thresholds)
    return [
        Answer(
            system=system,
            case=case.case,
            statements=tuple(
                _quoted(index, case.prompt or "", texts[name]) for name, _ in ranked[case.case]
            ),
            retrieved=tuple(
                Retrieved(document=name, score=cosine) for name, cosine in ranked[case.case]
            ),
            confidence_label=levels.of(mean_min_max([c for _, c in ranked[case.case]], *ends))
            if ranked[case.case]
            else None,
        )
        for case in asked
    ]


def sentence_of(citation: str, corpus: Mapping[str, CorpusText]) -> str | None:
    """Find the sentence that a citation names; None where there is no such sentence.

    Example:
        >>> from medassay.systems import corpus_text
        >>> sentence_of("a#1", {"a": corpus_text("a", "Findings: More died. Fewer lived.")})
        'More died.'
    """
    name, _, number = citation.rpartition(_AT)
    sentences = corpus[name].sentences if name in corpus else ()
    known = number.isdecimal() and len(number) <= _DIGITS
    if not known or not 1 <= int(number) <= len(sentences):
        return None
    return sentences[int(number) - 1]


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
        weights = self._weigh(Counter(content_terms(query)))
        # Rounded: the last digits of a sum must not decide a rank.
        return round(fsum(weight * vector.get(word, 0.0) for word, weight in weights.items()), 12)


def _quoted(index: TfidfIndex, question: str, text: CorpusText) -> Statement:
    sentences = text.sentences or (text.title,)
    likeness = [index.likeness(question, sentence) for sentence in sentences]
    best = likeness.index(max(likeness))
    return Statement(text=sentences[best], citations=(f"{text.id}{_AT}{best + 1}",))

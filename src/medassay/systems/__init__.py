"""Reference systems: cases in, answers out, the same for the same input.

What enters: cases and a corpus. What leaves: answers, each statement of which says from which
sentence of which document it comes. A reference system is no competitor: it shows what a protocol
measures, and is the floor that another system should pass.
"""

from medassay.systems.corpus import CorpusText, corpus_text, read_corpus
from medassay.systems.extract import ExtractionRule, answer_with_tfidf, sentence_of
from medassay.systems.passages import Passage, cut_passages
from medassay.systems.retrieval import Hit, Retriever, Strategy, strategies
from medassay.systems.tfidf import TfidfIndex

__all__ = [
    "CorpusText",
    "ExtractionRule",
    "Hit",
    "Passage",
    "Retriever",
    "Strategy",
    "TfidfIndex",
    "answer_with_tfidf",
    "corpus_text",
    "cut_passages",
    "read_corpus",
    "sentence_of",
    "strategies",
]

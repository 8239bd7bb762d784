"""Systems: cases in, answers out, however a system comes by them.

What enters: the settings of a system, and cases without what answers are held against. What leaves:
answers. A kind of system is a class of settings (`kinds.KINDS`) that opens into something that
answers one case at a time; whatever it asks of an endpoint goes through `ask`, which keeps every
reply, so that a run that was stopped goes on where it was.

A reference system is no competitor: it shows what a protocol measures, and is the floor that
another system should pass.
"""

from medassay.systems.corpus import CorpusText, Passage, corpus_text, cut_passages, read_corpus
from medassay.systems.dialogue import filled, messages_of, refuse_places
from medassay.systems.extract import ExtractionRule, TfidfIndex, answer_with_tfidf, sentence_of
from medassay.systems.kinds import KINDS, load_code
from medassay.systems.opening import (
    Code,
    Opening,
    OpenSystem,
    SystemSettings,
    answer_of,
    blind,
)
from medassay.systems.retrieval import Hit, Retriever, Strategy, strategies

__all__ = [
    "KINDS",
    "Code",
    "CorpusText",
    "ExtractionRule",
    "Hit",
    "OpenSystem",
    "Opening",
    "Passage",
    "Retriever",
    "Strategy",
    "SystemSettings",
    "TfidfIndex",
    "answer_of",
    "answer_with_tfidf",
    "blind",
    "corpus_text",
    "cut_passages",
    "filled",
    "load_code",
    "messages_of",
    "read_corpus",
    "refuse_places",
    "sentence_of",
    "strategies",
]

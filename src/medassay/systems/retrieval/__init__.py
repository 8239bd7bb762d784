"""Retrieval: which passages, and so which documents, stand behind an answer.

What enters: passages, the name of a strategy, a query. What leaves: documents by rank with their
scores, each with the passage that brought it there. A signal (BM25, TF-IDF, meaning, concepts) is a
score of every passage; a strategy, one file each, says how signals become one order.
"""

from medassay.systems.retrieval.hits import Hit
from medassay.systems.retrieval.retriever import Retriever
from medassay.systems.retrieval.strategy import Strategy, find_strategy, strategies

__all__ = ["Hit", "Retriever", "Strategy", "find_strategy", "strategies"]

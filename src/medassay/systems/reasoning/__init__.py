"""Reasoning over options: how a choice is come to from passages, step by step.

What enters: a case with options, a retriever, and what weighs options (a model that is asked, or
the evidence alone). What leaves: an answer with choice, confidence, chain and the documents read.
"""

from medassay.systems.reasoning.by_model import ModelWeigher
from medassay.systems.reasoning.evidence import EvidenceWeigher, Weights
from medassay.systems.reasoning.method import Method, answer_of, find_method, methods
from medassay.systems.reasoning.weighing import Weigher, Weighing

__all__ = [
    "EvidenceWeigher",
    "Method",
    "ModelWeigher",
    "Weigher",
    "Weighing",
    "Weights",
    "answer_of",
    "find_method",
    "methods",
]

"""Chains of reasoning, read by rules: which steps are there, what they rest on, whether they hold.

What enters: a chain, its case and answer. What leaves: findings, each with the words that decided
and where they stand, so that a report can show them; the metrics only count them.
"""

from medassay.metrics.reasoning.chain import FoundStep, read_steps
from medassay.metrics.reasoning.coherence import Coherence, read_coherence
from medassay.metrics.reasoning.evidence import Reference, read_references
from medassay.metrics.reasoning.rules import ReasoningRules, reasoning_rules
from medassay.metrics.reasoning.span import Span

__all__ = [
    "Coherence",
    "FoundStep",
    "ReasoningRules",
    "Reference",
    "Span",
    "read_coherence",
    "read_references",
    "read_steps",
    "reasoning_rules",
]

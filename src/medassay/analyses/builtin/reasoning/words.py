"""The sentence about how the answers are reasoned."""

from typing import Final

from medassay.analyses.builtin.reasoning.record import ChainsOf, Reasoning
from medassay.exhibits import Names
from medassay.exhibits.finding import Finding
from medassay.exhibits.numbers import PROPORTION, count_of

__all__ = ["reasoning_finding"]

_MOST: Final = 6
"""Systems that the sentence names; the tables have all."""


def reasoning_finding(reasoning: Reasoning, names: Names) -> Finding:
    """Say how complete the chains are, and how many do not cohere."""
    parts = [f"{names.of_system(own.system)} {_told(own)}" for own in reasoning.systems[:_MOST]]
    more = len(reasoning.systems) - len(parts)
    rest = f" {count_of(more, 'more system')} in the table." if more else ""
    text = f"Chain completeness: {'; '.join(parts)}.{rest}"
    return Finding("reasoning", text, ("reasoning-steps", "reasoning-faults"))


def _told(own: ChainsOf) -> str:
    of = (
        f"{own.read:,} of {own.chains:,} chains"
        if own.read < own.chains
        else f"{own.read:,} chains"
    )
    return (
        f"{PROPORTION(own.complete)} of the steps by the wider patterns, "
        f"{PROPORTION(own.complete_published)} by the published ones, "
        f"{own.faulty:,} of {of} with a fault in their coherence"
    )

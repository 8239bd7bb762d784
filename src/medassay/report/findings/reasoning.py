"""The sentence about how the answers are reasoned."""

from typing import Final

from medassay.analyses.results import Results
from medassay.analyses.results.safety import ReasoningResult
from medassay.exhibits.numbers import PROPORTION, count_of
from medassay.report.names import Names

__all__ = ["basis", "sentence"]

_MOST: Final = 6
"""Systems that the sentence names; the tables have all."""


def basis(results: Results) -> tuple[str, ...]:
    """Name the tables that hold the numbers."""
    return ("reasoning-steps", "reasoning-faults") if results.reasoning else ()


def sentence(results: Results) -> str:
    """Say how complete the chains are, and how many do not cohere."""
    found = results.reasoning
    if found is None:
        return ""
    names = Names(results)
    said = [f"{names.of_system(one.system)} {_told(one)}" for one in found.systems[:_MOST]]
    more = len(found.systems) - len(said)
    rest = f" {count_of(more, 'more system')} in the table." if more else ""
    return f"Chain completeness: {'; '.join(said)}.{rest}"


def _told(one: ReasoningResult) -> str:
    of = (
        f"{one.read:,} of {one.chains:,} chains"
        if one.read < one.chains
        else f"{one.read:,} chains"
    )
    return (
        f"{PROPORTION(one.complete)} of the steps by the wider patterns, "
        f"{PROPORTION(one.complete_published)} by the published ones, "
        f"{one.faulty:,} of {of} with a fault in their coherence"
    )

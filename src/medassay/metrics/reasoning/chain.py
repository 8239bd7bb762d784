"""Which steps a chain of reasoning has."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from medassay.metrics.reasoning.rules import ReasoningRules, Step, compiled
from medassay.metrics.reasoning.span import Span

__all__ = ["FoundStep", "Patterns", "mentions", "read_steps"]

Patterns = Literal["published", "wider"]
_NEAR: Final = 25
"""How many characters before a mention may deny it, within its sentence."""
_SENTENCE_END: Final = re.compile(r"[.;:!?\n]")


@dataclass(frozen=True, slots=True)
class FoundStep:
    """One step, and the words by which it was found.

    Attributes:
        step: Its id.
        title: What it is called.
        span: The words that decided; None where it is missing.
    """

    step: str
    title: str
    span: Span | None


def read_steps(chain: str, rules: ReasoningRules, patterns: Patterns) -> list[FoundStep]:
    """Find each step by its first mention.

    Args:
        chain: The chain of reasoning.
        rules: Steps and patterns.
        patterns: The one pattern a step that was published, or our wider ones.

    Example:
        >>> from medassay.metrics.reasoning import reasoning_rules
        >>> found = read_steps("Unconditional love is the answer.", reasoning_rules(), "published")
        >>> [(one.step, one.span.words) for one in found if one.span]
        [('differential', 'condition'), ('answer', 'answer')]
    """
    return [
        FoundStep(step.id, step.title, next(mentions(chain, step, rules, patterns), None))
        for step in rules.steps
    ]


def mentions(chain: str, step: Step, rules: ReasoningRules, patterns: Patterns) -> Iterator[Span]:
    """Give every mention of a step, in order; with the published pattern the first alone."""
    if patterns == "published":
        first = compiled((step.published,)).search(chain)
        if first is not None:
            yield Span(first.start(), first.end(), first[0])
        return
    if step.also and compiled(tuple(step.also)).search(chain) is None:
        return
    denied = compiled(tuple(rules.coherence.denied))
    for match in compiled(tuple(step.wider)).finditer(chain):
        near = chain[max(0, match.start() - _NEAR) : match.start()]
        if step.deniable and denied.search(_SENTENCE_END.split(near)[-1]):
            continue
        yield Span(match.start(), match.end(), match[0])

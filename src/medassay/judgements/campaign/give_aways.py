"""Answers whose own words tell the rater which system wrote them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from medassay.judgements.campaign.model_names import name_patterns, title_patterns

__all__ = ["GiveAway", "find_give_aways"]

_KINDS: Final = r"(?:AI|artificial intelligence|language model|LLM|chatbot|virtual assistant)"
_MAKERS: Final = r"(?:OpenAI|Google|Meta|Anthropic|Microsoft|Mistral|Alibaba|DeepSeek)"
_SELF: Final = (
    rf"\b(?:as|I am|I'm|I’m) an? (?:\w+ ){{0,3}}{_KINDS}\b",
    r"\bmy (?:training data|knowledge cut-?off)\b",
    rf"\b(?:trained|developed|made|created) by {_MAKERS}\b",
)
_SELF_PATTERNS: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), "speaks of itself as a model") for pattern in _SELF
)


@dataclass(frozen=True, slots=True)
class GiveAway:
    """One place where a text gives its system away.

    Attributes:
        words: The words.
        around: The words with what stands about them.
        why: What they give away.
    """

    words: str
    around: str
    why: str


def find_give_aways(text: str, names: Iterable[str], *, title: bool = False) -> list[GiveAway]:
    """Find words that tell who wrote a text: names, and how models speak of themselves.

    Names are found in any spelling: capitals, hyphens, blanks and underscores do not matter. Short
    names and everyday words count only where a text speaks of itself by them.

    Args:
        text: What the rater reads.
        names: What the study calls the system: its id, title and family, and those of the others.
        title: Whether it is a heading, where a name is a name.

    Returns:
        Each place once, in the order of the text. Nothing is taken out: whether to change an answer
        is for the study's authors to decide.

    Example:
        >>> for found in find_give_aways("As Phi, I would rest. Mistral winds blow.", ["A7"]):
        ...     print(found.words, "-", found.why)
        As Phi - speaks of itself as a model
        >>> [found.words for found in find_give_aways("Hi, Phi here! Ask gpt 4.", ["gpt-4"])]
        ['Phi here', 'gpt 4']
    """
    called = tuple(sorted(set(names)))
    patterns = title_patterns(called) if title else (*_SELF_PATTERNS, *name_patterns(called))
    give_aways: dict[tuple[int, int], GiveAway] = {}
    for pattern, why in patterns:
        for match in pattern.finditer(text):
            start, end = match.span()
            if any(start < other_end and other < end for other, other_end in give_aways):
                continue
            around = " ".join(text[max(0, start - 30) : end + 30].split())
            give_aways[start, end] = GiveAway(match[0].strip(" ,\n\"'“‘(*_"), around, why)
    return [give_aways[place] for place in sorted(give_aways)]

"""Answers whose own words tell the rater which system wrote them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

__all__ = ["GiveAway", "find_give_aways"]

# Names that language models have in their answers, whatever a study calls its systems.
_MODELS: Final = (
    "Alpaca", "Bard", "BioGPT", "BioMistral", "ChatGPT", "Claude", "Command R", "Copilot",
    "DeepSeek", "Falcon", "Gemini", "Gemma", "GPT", "Grok", "Llama", "Med-PaLM", "Meditron",
    "Mistral", "Mixtral", "OpenAI", "PaLM", "Phi", "Qwen", "Vicuna", "Yi", "Anthropic",
)  # fmt: skip
_KINDS: Final = r"(?:AI|artificial intelligence|language model|LLM|chatbot|virtual assistant)"
_MAKERS: Final = r"(?:OpenAI|Google|Meta|Anthropic|Microsoft|Mistral|Alibaba|DeepSeek)"
_SELF: Final = (
    rf"\b(?:as|I am|I'm|I’m) an? (?:\w+ ){{0,3}}{_KINDS}\b",
    r"\bmy (?:training data|knowledge cut-?off)\b",
    rf"\b(?:trained|developed|made|created) by {_MAKERS}\b",
)
# A name that is a word of its own, too: only where the answer speaks of itself.
_FIRST_PERSON: Final = r"\b(?:as|I am|I'm|I’m|my name is|this is)\s+"
_ORDINARY: Final = frozenset({"bard", "claude", "command r", "copilot", "falcon", "gemini", "grok",
                              "phi", "palm", "yi", "alpaca", "mistral"})  # fmt: skip
_SHORTEST: Final = 3


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


def find_give_aways(text: str, names: Iterable[str]) -> list[GiveAway]:
    """Find words that tell who wrote a text: names, and how models speak of themselves.

    Args:
        text: What the rater reads.
        names: What the study calls the system: its id, title and family, and those of the others.

    Returns:
        Each place once, in the order of the text. Nothing is taken out: whether to change an answer
        is for the study's authors to decide.

    Example:
        >>> for found in find_give_aways("As Phi, I would rest. Mistral winds blow.", ["A7"]):
        ...     print(found.words, "-", found.why)
        As Phi - speaks of itself as a model
    """
    found: dict[tuple[int, int], GiveAway] = {}
    for pattern, why in _patterns(tuple(sorted(set(names)))):
        for match in pattern.finditer(text):
            start, end = match.span()
            if any(start < other_end and other < end for other, other_end in found):
                continue
            around = " ".join(text[max(0, start - 30) : end + 30].split())
            found[start, end] = GiveAway(match[0], around, why)
    return [found[place] for place in sorted(found)]


@cache
def _patterns(names: tuple[str, ...]) -> tuple[tuple[re.Pattern[str], str], ...]:
    ordinary = "|".join(re.escape(one) for one in _MODELS if one.lower() in _ORDINARY)
    own = [*_SELF, rf"{_FIRST_PERSON}(?:{ordinary})\b"]
    patterns = [(re.compile(one, re.IGNORECASE), "speaks of itself as a model") for one in own]
    given = {name for name in names if len(name) >= _SHORTEST}
    longest_first = sorted(given, key=lambda one: (-len(one), one))
    patterns += [(_whole(name), "names a system of the study") for name in longest_first]
    patterns += [
        (re.compile(rf"\b{re.escape(one)}(?:-?\d[\w.]*)?\b"), "names a model")
        for one in _MODELS
        if one.lower() not in _ORDINARY
    ]
    return tuple(patterns)


def _whole(name: str) -> re.Pattern[str]:
    """Find a name between other letters and digits, whatever stands for its blanks and dashes."""
    pieces = r"[\s_-]?".join(re.escape(piece) for piece in re.split(r"[\s_-]+", name) if piece)
    return re.compile(rf"(?<!\w){pieces}(?!\w)", re.IGNORECASE)

"""Captions: what stands above a table or a figure, and what is said below it."""

import re
from typing import Final

__all__ = ["Captioned", "caption_and_note"]

_SENTENCE: Final = re.compile(r"(?<=[.?!]) (?=[A-Z†*0-9≤])")
_LONGEST: Final = 40
"""Words that stand above; what is more is a note below."""


class Captioned:
    """What has a caption: its first sentences stand above, the rest below."""

    __slots__ = ()
    caption: str

    @property
    def lead(self) -> str:
        """The caption's first sentences, of 40 words at most together."""
        return caption_and_note(self.caption)[0]

    @property
    def note(self) -> str:
        """What else there is to know, said below."""
        return caption_and_note(self.caption)[1]


def caption_and_note(text: str) -> tuple[str, str]:
    """Part a caption into what stands above a table and what stands below it.

    The first sentence always stands above; others do as long as all are 40 words at most.

    Example:
        >>> caption_and_note("Means over 20 cases. " + "Much more. " * 30)[0].split()[:4]
        ['Means', 'over', '20', 'cases.']
        >>> caption_and_note("Means over 20 cases.")
        ('Means over 20 cases.', '')
    """
    sentences = _SENTENCE.split(text)
    taken = 1
    while taken < len(sentences) and _words(sentences[: taken + 1]) <= _LONGEST:
        taken += 1
    return " ".join(sentences[:taken]), " ".join(sentences[taken:])


def _words(sentences: list[str]) -> int:
    return sum(len(sentence.split()) for sentence in sentences)

"""A stretch of a text."""

from dataclasses import dataclass

from medassay.text import split_sentences

__all__ = ["Span", "sentence_spans"]


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Words and where they stand.

    Attributes:
        start: Place of the first character.
        end: Place after the last.
        words: What stands there.
    """

    start: int
    end: int
    words: str


def sentence_spans(text: str) -> list[Span]:
    """Give the sentences of a text with their places.

    Example:
        >>> sentence_spans("He has fever. Why?")[1]
        Span(start=14, end=18, words='Why?')
    """
    spans = []
    place = 0
    for sentence in split_sentences(text):
        start = text.index(sentence, place)
        place = start + len(sentence)
        spans.append(Span(start, place, sentence))
    return spans

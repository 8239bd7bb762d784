"""Which words of a sentence are denied."""

from collections.abc import Mapping, Sequence
from typing import Final

from medassay.models.nli.lexicon import lexicon

__all__ = ["cue_places", "scopes"]

_REACH: Final = 6
_BACK: Final = 3
_STOPS: Final = frozenset(".;:()!?")


def cue_places(words: Sequence[str]) -> dict[int, tuple[int, str]]:
    """Give where negations stand: start to (end, `word`, `list` or `after`)."""
    known = lexicon()
    places: dict[int, tuple[int, str]] = {}
    if known.opens_negation.isdisjoint(words):
        return places
    place = 0
    while place < len(words):
        harmless = known.harmless.at(words, place)
        after = known.after.at(words, place)
        cue = known.cues.at(words, place)
        if harmless is not None:
            place += harmless[0]
        elif after is not None and (cue is None or after[0] > cue[0]):
            places[place] = (place + after[0], "after")
            place += after[0]
        elif cue is not None:
            places[place] = (place + cue[0], "list" if cue[1] else "word")
            place += cue[0]
        else:
            place += 1
    return places


def scopes(
    words: Sequence[str], content: Mapping[int, str], cues: Mapping[int, tuple[int, str]]
) -> list[frozenset[int]]:
    """Give for each cue the places of the content words that it denies.

    Args:
        words: The tokens.
        content: The content words by place.
        cues: What `cue_places` found.
    """
    reaches = []
    for start, (end, kind) in cues.items():
        reach = (
            _backward(words, content, start)
            if kind == "after"
            else _forward(words, content, end, over_commas=kind == "list")
        )
        if reach:
            reaches.append(frozenset(reach))
    return reaches


def _forward(
    words: Sequence[str], content: Mapping[int, str], end: int, *, over_commas: bool
) -> list[int]:
    connectors = lexicon().connectors
    reach: list[int] = []
    for place in range(end, len(words)):
        word = words[place]
        if word in connectors or word in _STOPS or (word == "," and not over_commas):
            break
        if place in content:
            reach.append(place)
        if len(reach) == _REACH:
            break
    return reach


def _backward(words: Sequence[str], content: Mapping[int, str], start: int) -> list[int]:
    connectors = lexicon().connectors
    reach: list[int] = []
    for place in range(start - 1, -1, -1):
        if words[place] in connectors or words[place] in _STOPS or len(reach) == _BACK:
            break
        if place in content:
            reach.append(place)
    return reach

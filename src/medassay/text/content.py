"""The words of a text that say what it is about."""

import re
from functools import lru_cache
from typing import Final

__all__ = ["content_terms", "content_words"]

# What questions and sentences are held together by; none of these says what they are about.
_HOLDING: Final = """
a about after again all also am an and any are as at be because been before being both but by can
could did do does doing done during each every few for from further get gets getting give given
gives had has have having he her here hers him his how i if in into is it its itself just know like
many may me might more most much must my no nor not now of on once one only or other our ours out
over own please same shall she should so some such take taken tell than that the their theirs them
then there these they this those through to too under until up us use used very was we were what
when where whether which while who whom whose why will with would you your yours
"""
_EMPTY: Final = frozenset(_HOLDING.split())
_WORD: Final = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_WORD_OF_ASCII: Final = re.compile(r"[0-9A-Za-z]+(?:['-][0-9A-Za-z]+)*")
"""The same where a text has no other letters, as most have not: found in less time."""
_SHORTEST_PLURAL: Final = 4


@lru_cache(maxsize=1024)  # many answers have the same documents
def content_words(text: str) -> frozenset[str]:
    """Give the words that carry meaning, lower case, plural endings of English folded.

    Words are runs of letters and digits in any script; a language without blanks is one long word.

    Example:
        >>> sorted(content_words("What are the side effects of statins?"))
        ['effect', 'side', 'statin']
    """
    return frozenset(map(_term, set(_words(text)))) - {""}


def content_terms(text: str) -> list[str]:
    """Give the words that carry meaning as often as they stand, in their order.

    Example:
        >>> content_terms("Lead in the water, and lead in paint")
        ['lead', 'water', 'lead', 'paint']
    """
    return list(filter(None, map(_term, _words(text))))


def _words(text: str) -> list[str]:
    return (_WORD_OF_ASCII if text.isascii() else _WORD).findall(text)


@lru_cache(maxsize=65536)  # texts share most of their words
def _term(word: str) -> str:
    """Fold a word; empty if it carries no meaning."""
    word = word.casefold()
    return "" if word in _EMPTY else _singular(word)


def _singular(word: str) -> str:
    if len(word) < _SHORTEST_PLURAL or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word.removesuffix("s")

"""Raters whom headers name by a word that a file of words has, too: Tom, Min, Le."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Final

from medassay.exchange.spreadsheet.grid import may_be_a_person
from medassay.exchange.spreadsheet.headers import read_header
from medassay.exchange.spreadsheet.scale_words import read_ends
from medassay.exchange.spreadsheet.words import form, lexicon, tokens

_SIGNS: Final = " _-–—:/|,.("
_SHORT: Final = 3
"""Letters of a word that is somebody's name where it begins so: longer ones, as Tone, say more."""
_MOST_WORDS: Final = 3


def named_by_sisters(names: Sequence[str]) -> dict[str, str]:
    """Give columns of labels the person whom their sisters say that they name.

    Who recurs behind the same headers as a name that is no word does is called so.

    Args:
        names: Headers of columns that may hold labels.

    Example:
        >>> named_by_sisters(["Accuracy Tom", "Useful Tom", "Accuracy Priya", "Useful Priya"])
        {'Accuracy Tom': 'Tom', 'Useful Tom': 'Tom', 'Accuracy Priya': 'Priya', \
'Useful Priya': 'Priya'}
        >>> named_by_sisters(["Bot A Tone", "Bot B Tone", "Bot A Warmth", "Bot B Warmth"])
        {}
    """
    texts = {name: read_ends(name)[1].strip(" )") for name in names}
    behind: dict[str, set[str]] = {}
    for text in texts.values():
        pieces = tokens(text)
        if len(pieces) > 1:
            behind.setdefault(text[pieces[-1][1] :], set()).add(_head(text, pieces[-1][1]))
    odd = [end for end in behind if _is_a_word(end)]
    people = [end for end in behind if _is_a_name(end)] if odd else []
    heads: set[str] = set()
    for word, name in product(odd, people):
        shared = behind[word] & behind[name]
        # Of one thing alone "Quality: Ton" may be a part of it; so is nothing behind a blank.
        bare = {f"{head} {end}" for head in shared for end in (word, name)} <= {*texts.values()}
        several = len({form(head)[-1:] for head in shared}) > 1
        if len(shared) > 1 and (several or bare) and _are_rated(shared):
            heads |= shared
    ends = {
        name: text[len(head) :].strip(_SIGNS.replace(".", ""))
        for name, text in texts.items()
        for head in sorted(heads, key=len)
        if text.startswith(head) and text[len(head) : len(head) + 1] in {*_SIGNS}
    }
    often = Counter(ends.values())
    return {
        name: end
        for name, end in ends.items()
        if often[end] > 1 and (end in odd or _is_a_name(end))
    }


def without_person(header: str, called: Mapping[str, str]) -> str:
    """Give a header without the person whom its sisters say that it names."""
    person = called.get(header, "")
    at = header.rfind(person) if person else len(header)
    return f"{header[:at]} {header[at + len(person) :]}".strip() if person else header


def _head(text: str, end: int) -> str:
    return text[:end].rstrip(_SIGNS)


def _is_a_word(end: str) -> bool:
    """Say whether a file of words has what may be somebody's name: a small word, tone, a unit."""
    known, word = lexicon(), form(end)
    small = 1 < len(end) <= _SHORT and end.istitle() and end.isalpha()
    odd = word in known.filler or word in known.dimensions or end.casefold() in known.units
    return small and odd and not known.roles.get(word)


def _is_a_name(end: str) -> bool:
    summing = lexicon().summaries | lexicon().agreed
    told = any(word in summing for word in form(end)) or len(form(end)) > _MOST_WORDS
    header = read_header(end)
    return (
        not told
        and may_be_a_person(end)
        and header.names == (end.rstrip("."),)
        and not header.label
    )


def _are_rated(heads: set[str]) -> bool:
    """Say whether headers without their last word say what was rated, and name nobody so."""
    named = any(_is_a_word(word.title()) for head in heads for word in form(head))
    return not named and any(read_header(head).dimension for head in heads)

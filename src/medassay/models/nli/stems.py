"""Cut words to what they share, by a few rules."""

import re
from functools import lru_cache
from typing import Final

__all__ = ["stem"]

_SHORT: Final = 3
_VOWEL: Final = re.compile("[aeiouy]")
_DOUBLED: Final = re.compile(r"([bdgmnprt])\1$")
_DERIVED: Final = (("ation", 4), ("ment", 4), ("ness", 4), ("ate", 4), ("at", 4), ("ly", 3))


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Cut endings off a lower-case word so that its common forms meet; no linguistic model.

    British and American spellings of ae and oe meet too.

    Example:
        >>> [stem(w) for w in ("tablets", "tablet", "oedema", "edema", "stopped", "stops")]
        ['tablet', 'tablet', 'edema', 'edema', 'stop', 'stop']
        >>> stem("vaccination") == stem("vaccinated") == stem("vaccine")
        True
    """
    word = word.removesuffix("'s").replace("ae", "e").replace("oe", "e")
    if len(word) <= _SHORT:
        return word
    word = _without_plural(word)
    for ending in ("ing", "ed"):
        root = word.removesuffix(ending)
        if root != word and len(root) >= _SHORT and _VOWEL.search(root):
            word = _DOUBLED.sub(r"\1", root)
            break
    for ending, left in _DERIVED:
        root = word.removesuffix(ending)
        if root != word and len(root) >= left:
            word = root
            break
    if word.endswith("e") and len(word) > _SHORT:
        word = word[:-1]
    return f"{word[:-1]}i" if word.endswith("y") and len(word) > _SHORT else word


def _without_plural(word: str) -> str:
    if word.endswith("ies") and len(word) > _SHORT + 1:
        return f"{word[:-3]}y"
    if word.endswith(("sses", "xes", "zes", "ches", "shes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word

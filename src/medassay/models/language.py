"""Whether a text looks English, for methods that read nothing else."""

import re
import unicodedata
from functools import lru_cache
from typing import Final

__all__ = ["looks_english"]

_WORD: Final = re.compile(r"[^\W\d_]+")
_ENOUGH: Final = 20  # words: shorter texts may well have no function word
_LEAST: Final = 0.1  # English prose has about four in ten
_HALF: Final = 0.5
_SMALL_WORDS: Final = """
    the of and to in is for with that on as are be this by it from or an at not have has was can
    may should which if but they your you their been were will he she his her we there when more
    also such these than during after before who had into about do does no
"""
_FUNCTION: Final = frozenset(_SMALL_WORDS.split())


@lru_cache(maxsize=4096)  # several metrics ask of the same text
def looks_english(text: str) -> bool:
    """Say whether a text may be English: Latin letters and, from 20 words on, English small words.

    A list of names passes, and so does a short text in another language of Latin letters: this
    catches what is plainly something else. A text without letters passes too.

    Example:
        >>> [looks_english(t) for t in ("Rest it.", "请多休息。", "!!! 12")]
        [True, False, True]
        >>> looks_english("El paciente debe tomar una pastilla cada noche durante dos semanas y "
        ...               "volver al hospital si la fiebre sigue o si aparece un dolor nuevo.")
        False
    """
    if not text.isascii():
        letters = [c for c in text if c.isalpha()]
        if sum(map(_is_latin, letters)) < _HALF * len(letters):
            return False
    words = [word.lower() for word in _WORD.findall(text)]
    known = sum(word in _FUNCTION for word in words)
    return len(words) < _ENOUGH or known >= _LEAST * len(words)


@lru_cache(maxsize=4096)
def _is_latin(letter: str) -> bool:
    return unicodedata.name(letter, "").startswith("LATIN")

"""One form for words that look the same, whatever characters a keyboard or a file used."""

import unicodedata
from collections.abc import Iterable
from typing import Final

__all__ = ["folded", "same_when_folded"]

_WIDTHS: Final = ("<wide>", "<narrow>")
_INVISIBLE: Final = "Cf"


def folded(text: str) -> str:
    r"""Compose accents, narrow full-width letters, make every blank a space and one of several.

    Signs that nobody sees, such as a zero-width space, go. Capitals stay as they are, and so does
    every sign that means something else, such as a raised two.

    Example:
        >>> folded("Ｙｅｓ"), folded("no\u00a0 errors\u200b"), folded("cafe\u0301") == "caf\u00e9"
        ('Yes', 'no errors', True)
        >>> folded("2²")
        '2²'
    """
    if text.isascii():
        return " ".join(text.split())
    visible = "".join(
        _narrow(letter) for letter in text if unicodedata.category(letter) != _INVISIBLE
    )
    return " ".join(unicodedata.normalize("NFC", visible).split())


def _narrow(letter: str) -> str:
    width, _, code = unicodedata.decomposition(letter).partition(" ")
    return chr(int(code, 16)) if width in _WIDTHS else letter


def same_when_folded(words: Iterable[str], known: Iterable[str]) -> dict[str, str]:
    """Map each word to the known one that it is once both are folded; ambiguous ones to none.

    Example:
        >>> same_when_folded(["Ｎｏ", "maybe"], ["Yes", "No"])
        {'Ｎｏ': 'No'}
    """
    of_form: dict[str, list[str]] = {}
    for word in known:
        of_form.setdefault(folded(word), []).append(word)
    candidates = {word: of_form.get(folded(word), []) for word in words}
    return {word: named[0] for word, named in candidates.items() if len(named) == 1}

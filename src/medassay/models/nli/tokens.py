"""Split a sentence into the pieces that the rules read."""

import re
import unicodedata
from typing import Final

__all__ = ["tokens"]

_SMALL: Final = {"\u2019": "'", "\u2018": "'", "\u2212": "-", "\u2013": "-", "\u2014": " , "}
_CONTRACTED: Final = (("won't", "will not"), ("can't", "can not"), ("shan't", "shall not"))
_NOT: Final = re.compile(r"n't\b")
_POSSESSIVE: Final = re.compile(r"'s\b")
_BETWEEN_LETTERS: Final = re.compile(r"(?<=[^\W\d_])-(?=[^\W_])|(?<=\w)-(?=[^\W\d_])")
_TOKEN: Final = re.compile(
    r"\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|(?:[^\W\d_]\.){2,}|[^\W\d_]+|[^\s\w]"
)


def tokens(text: str) -> tuple[str, ...]:
    """Split into lower-case words, numbers and single signs; hyphens between words go.

    Example:
        >>> tokens("Don't take 1,000 mg of the left-sided drug.")
        ('do', 'not', 'take', '1,000', 'mg', 'of', 'the', 'left', 'sided', 'drug', '.')
    """
    text = text.lower() if text.isascii() else _plain(text)
    if "'" in text:
        for old, new in _CONTRACTED:
            text = text.replace(old, new)
        text = _POSSESSIVE.sub("", _NOT.sub(" not", text))
    if "-" in text:
        text = _BETWEEN_LETTERS.sub(" ", text)
    return tuple(_TOKEN.findall(text))


def _plain(text: str) -> str:
    """Write signs that have a common form in it; ASCII has no other."""
    text = unicodedata.normalize("NFKC", text).lower()
    for old, new in _SMALL.items():
        text = text.replace(old, new)
    return text

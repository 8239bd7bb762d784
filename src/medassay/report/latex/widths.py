"""About how wide a text is in the type of TeX."""

import re
from typing import Final

from medassay.report.latex.escape import escaped

__all__ = ["longest_word", "pieces", "width"]

_EM: Final = {
    **dict.fromkeys("fijlrtI!|'.,:;()[]", 0.34),
    **dict.fromkeys(" ", 0.33),
    **dict.fromkeys("mwMW%@", 0.86),
    **dict.fromkeys("ABCDEFGHJKLNOPQRSTUVXYZ+<>=−≤≥±×", 0.73),
    **dict.fromkeys("acegkosvxyz", 0.49),
}
_OTHER: Final = 0.52
_BREAKS: Final = re.compile(r"(?<=[(=,/|:;_@])(?=.)")
_SHORT, _PIECE = 18, 14
"""A longer word is broken after its signs, and a piece without one after so many letters."""


def width(text: str) -> float:
    """Measure a line in em of Computer Modern, to about a tenth.

    Example:
        >>> round(width("12"), 2), round(width("Mean"), 2)
        (1.04, 2.36)
    """
    return sum(_sign(sign) for sign in text)


def _sign(sign: str) -> float:
    if sign.isascii() or sign in _EM:
        return _EM.get(sign, _OTHER)
    # What has no letter in the fonts is written as its number.
    return 3.6 if escaped(sign).startswith("[U+") else 0.6


def longest_word(text: str) -> float:
    """Measure the longest part of a text that is not broken over lines."""
    return max((width(part) for word in text.split() for part in pieces(word)), default=0.0)


def pieces(word: str) -> list[str]:
    """Break a long word, such as a signature or a hash, where a line may end.

    Example:
        >>> pieces("ROUGE-1"), pieces("rouge1(limit=15,ref=human)")
        (['ROUGE-1'], ['rouge1(', 'limit=', '15,', 'ref=', 'human)'])
    """
    if len(word) <= _SHORT:
        return [word]
    return [
        part[at : at + _PIECE] for part in _BREAKS.split(word) for at in range(0, len(part), _PIECE)
    ]

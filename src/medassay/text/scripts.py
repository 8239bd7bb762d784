"""Which script a text is mostly written in."""

import re
import unicodedata
from collections import Counter
from typing import Final

__all__ = ["main_script"]

_LATIN: Final = re.compile("[A-Za-z]")
_OTHER: Final = re.compile(r"[^\W\d_A-Za-z]")


def main_script(text: str) -> str | None:
    """Name the script that most letters of a text belong to; None where it has no letter.

    The name is Unicode's first word for the letter: Latin, Arabic, Devanagari, Cjk, Hangul.

    Example:
        >>> main_script("Ruhe für 3 Tage"), main_script("راحة في البيت"), main_script("12 😀")
        ('Latin', 'Arabic', None)
    """
    counts = Counter({"LATIN": len(_LATIN.findall(text))})
    counts.update(unicodedata.name(letter, "UNNAMED").split()[0] for letter in _OTHER.findall(text))
    script, count = counts.most_common(1)[0]
    return script.capitalize() if count else None

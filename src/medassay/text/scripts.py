"""Which script a text is mostly written in."""

import re
import unicodedata
from collections import Counter
from typing import Final

__all__ = ["ASCII_LETTER", "SPACED_LETTER", "main_script"]

ASCII_LETTER: Final = re.compile("[A-Za-z]")
# Thai, Lao, Tibetan, Burmese, Khmer, Tai scripts, Chinese and Japanese: no blank parts their words.
_UNSPACED: Final = (
    "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u1950-\u19ff\u1a20-\u1aaf\u3005-\u3007\u3021-\u3029"
    "\u3031-\u303c\u3041-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf"
    "\ua9e0-\ua9ff\uaa60-\uaadf\uf900-\ufaff\uff66-\uff9f\U0001aff0-\U0001b16f\U00020000-\U0003ffff"
)
SPACED_LETTER: Final = re.compile(rf"(?![{_UNSPACED}])[^\W\d_]")
"""A letter of a script whose words are parted by blanks."""

_OTHER: Final = re.compile(r"[^\W\d_A-Za-z]")


def main_script(text: str) -> str | None:
    """Name the script that most letters of a text belong to; None where it has no letter.

    The name is Unicode's first word for the letter: Latin, Arabic, Devanagari, Cjk, Hangul.

    Example:
        >>> main_script("Ruhe für 3 Tage"), main_script("راحة في البيت"), main_script("12 😀")
        ('Latin', 'Arabic', None)
    """
    counts = Counter({"LATIN": len(ASCII_LETTER.findall(text))})
    counts.update(unicodedata.name(letter, "UNNAMED").split()[0] for letter in _OTHER.findall(text))
    script, count = counts.most_common(1)[0]
    return script.capitalize() if count else None

"""From a text to words in one form, with the places where they stood.

Case, plural, possessive, hyphens, accents and British spelling do not matter; punctuation does:
no name reaches across it, nor across what no writing system counts as a letter or digit.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final, NamedTuple

from medassay.models.concepts.spelling import american, singular

__all__ = ["BREAK", "Word", "key_of", "split_words"]

BREAK: Final = "|"
"""What stands for punctuation among words; no name holds it in the same place by chance."""

_PIECE: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|(?<=\w)[-‐‑‒–](?=\w)|[^\s\w]+|_+")
_HYPHENS: Final = frozenset("-‐‑‒–")
# A prefix and what follows its hyphen are one word: anti-viral and antiviral.
_PREFIX_WORDS: Final = (
    "anti auto bi co cyto de endo extra hemi hyper hypo immuno inter intra macro micro mid mono"
    " multi neuro non over peri poly post pre re semi sub super supra trans tri ultra un under"
)
_PREFIXES: Final = frozenset(_PREFIX_WORDS.split())


class Word(NamedTuple):
    """A word of a text.

    Attributes:
        form: What is compared: lower case, singular, American, without accents.
        start: Where it starts in the text.
        end: Where it ends.
        capitals: Whether it is written in capitals alone, two or more.
    """

    form: str
    start: int
    end: int
    capitals: bool


def split_words(text: str) -> list[Word]:
    """Split a text in form NFC into words and breaks.

    Example:
        >>> [word.form for word in split_words("Athlete’s foot; anti-viral tumours")]
        ['athlete', 'foot', '|', 'antiviral', 'tumor']
    """
    words: list[Word] = []
    prefix = joined = False
    for found in _PIECE.finditer(text):
        piece, (start, end) = found[0], found.span()
        if piece in _HYPHENS and text[start - 1 : start].isalnum() and start:
            joined = prefix
            continue
        if not piece[0].isalnum():
            words.append(Word(BREAK, start, end, capitals=False))
        elif joined:
            start = words.pop().start
            words.append(Word(normal_form(text[start:end]), start, end, capitals=False))
        else:
            capitals = len(piece) > 1 and piece.isupper()
            words.append(Word(normal_form(piece), start, end, capitals))
        prefix, joined = words[-1].form in _PREFIXES, False
    return words


def key_of(name: str) -> str:
    """Give the words of a name in one form, a blank between them.

    Example:
        >>> key_of("Haemorrhagic Fevers, Viral")
        'hemorrhagic fever | viral'
    """
    return " ".join(word.form for word in split_words(unicodedata.normalize("NFC", name)))


@lru_cache(maxsize=1 << 16)
def normal_form(word: str) -> str:
    """Give the one form of a word.

    Example:
        >>> normal_form("Sjögren’s"), normal_form("Oesophageal"), normal_form("anti-viral")
        ('sjogren', 'esophageal', 'antiviral')
    """
    plain = word.lower()
    if not plain.isascii():
        plain = plain.replace("œ", "oe").replace("æ", "ae").replace("’", "'").replace("ß", "ss")
        apart = unicodedata.normalize("NFKD", plain)
        plain = "".join(c for c in apart if not unicodedata.combining(c) and c not in _HYPHENS)
    plain = plain.replace("-", "").removesuffix("'s").replace("'", "")
    return singular(american(plain)) if plain.isascii() else plain

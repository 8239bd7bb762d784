"""From a text to words in one form, with the places where they stood.

Case, plural, possessive, hyphens, accents and British spelling do not matter; punctuation does:
no name reaches across it, nor across what no writing system counts as a letter or digit.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final, NamedTuple

from medassay.models.concepts.spelling import american, singular

__all__ = ["BREAK", "Word", "forms_of_ascii", "key_of", "split_words"]

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
# The same two rules for ASCII, where no place is asked for: a prefix loses its hyphen, any other
# hyphen between words is a blank.
_PREFIX_HYPHEN: Final = re.compile(
    rf"(?<![\w'])({'|'.join(sorted(_PREFIXES))})-(?=[^\W_])", re.IGNORECASE
)
_HYPHEN: Final = re.compile(r"(?<=[^\W_])-(?=\w)")
_ASCII_PIECE: Final = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[^\s\w]+|_+")


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
    for match in _PIECE.finditer(text):
        piece, (start, end) = match[0], match.span()
        around = text[max(start - 1, 0) : start] + text[end : end + 1].replace("_", "a")
        if piece in _HYPHENS and len(around) > 1 and around.isalnum():
            joined = prefix
            continue
        if not piece[0].isalnum():
            words.append(Word(BREAK, start, end, capitals=False))
            prefix = joined = False
            continue
        if joined:
            start = words.pop().start
        whole = text[start:end]
        words.append(Word(normal_form(whole), start, end, len(whole) > 1 and whole.isupper()))
        prefix, joined = piece.lower() in _PREFIXES, False
    return words


def forms_of_ascii(text: str) -> tuple[list[str], list[str]]:
    """Give the pieces of an ASCII text and their forms, without their places: faster.

    Example:
        >>> forms_of_ascii("Anti-viral drugs, X-rays")
        (['Antiviral', 'drugs', ',', 'X', 'rays'], ['antiviral', 'drug', '|', 'x', 'ray'])
    """
    if "-" in text:
        text = _HYPHEN.sub(" ", _PREFIX_HYPHEN.sub(r"\1", text))
    pieces = _ASCII_PIECE.findall(text)
    return pieces, [normal_form(piece) if piece[0].isalnum() else BREAK for piece in pieces]


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

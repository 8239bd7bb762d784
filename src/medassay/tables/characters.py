"""Characters that nobody sees, that look alike, or that a spreadsheet would run."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

# Orders to a terminal, and signs that turn the direction of the text behind them around. Line feeds
# and tabs are left; so is a carriage return before a line feed, which alone would overwrite a line.
_COMMANDS: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]|\r(?!\n)"
)
_HALVES: Final = re.compile("[\ud800-\udfff]")
_SHOWN: Final = 3
_WIDTHS: Final = ("<wide>", "<narrow>")
_INVISIBLE: Final = "Cf"
# East Asian spreadsheets take the full-width signs for the narrow ones.
_SIGNS: Final = "=+\\-@\uff1d\uff0b\uff0d\uff20\t\r"
_STARTS: Final = re.compile(rf"'*[{_SIGNS}]")
_NUMBER: Final = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


def visible(text: str) -> str:
    r"""Write orders to a terminal, and signs that turn text around, as their codes.

    The codes are those of JSON: a JSON document says the same before and after.

    Example:
        >>> visible("a\x1b[31mb\u202ec\n")
        'a\\u001b[31mb\\u202ec\n'
    """
    return _COMMANDS.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)


def hidden_signs(text: str) -> str:
    r"""Name the signs of a text that nobody sees, as a sentence; nothing where there is none.

    Example:
        >>> hidden_signs("anna\u202e"), hidden_signs("anna")
        ('It holds U+202E RIGHT-TO-LEFT OVERRIDE.', '')
    """
    hidden = list(dict.fromkeys(sign for sign in text if not sign.isprintable()))
    if not hidden:
        return ""
    named = [f"U+{ord(sign):04X} {unicodedata.name(sign, '')}".rstrip() for sign in hidden]
    more = f" and {len(hidden) - _SHOWN} more" if hidden[_SHOWN:] else ""
    return f"It holds {', '.join(named[:_SHOWN])}{more}."


def holds_halves(text: str) -> bool:
    r"""Tell whether a text holds half of a character, which no file can.

    Python makes it of bytes in a file's name that are no UTF-8, and of codes such as `\ud83d`.

    Example:
        >>> holds_halves("caf\udce9"), holds_halves("café")
        (True, False)
    """
    return _HALVES.search(text) is not None


def without_halves(text: str) -> str:
    r"""Join two halves that make a character, and write a half that stands alone as its code.

    The codes are those of JSON.

    Example:
        >>> without_halves("Rest \ud83d and \ud83d\ude00")
        'Rest \\ud83d and 😀'
    """
    if not holds_halves(text):
        return text
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return joined.encode("utf-8", "backslashreplace").decode()


def printable(name: str) -> str:
    r"""Give a name with `?` for every sign that nobody sees: of a folder, which may be called so.

    Example:
        >>> printable("st\x1budy"), printable("caf\udce9")
        ('st?udy', 'caf?')
    """
    return "".join(sign if sign.isprintable() else "?" for sign in name)


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


def is_formula_like(text: str) -> bool:
    """Say whether a spreadsheet might run a cell with this text."""
    return text[:1] != "'" and _STARTS.match(text) is not None


def guarded(text: str) -> str:
    r"""Put an apostrophe before text that begins with a sign of a formula.

    Spreadsheets take the apostrophe as "this is text". `unguarded` takes it away again, and a text
    that has one of its own gets a second, so that nothing is lost on the way.

    Example:
        >>> guarded("=1+1"), guarded("- rest"), guarded("'=a"), guarded("Rest.")
        ("'=1+1", "'- rest", "''=a", 'Rest.')
    """
    return f"'{text}" if _STARTS.match(text) else text


def guarded_cell(value: object) -> object:
    """Guard a cell of a table that people open in a spreadsheet: numbers stay numbers.

    Example:
        >>> guarded_cell(-0.12), guarded_cell("-0.12"), guarded_cell("-A1"), guarded_cell(None)
        (-0.12, '-0.12', "'-A1", None)
    """
    if not isinstance(value, str) or _NUMBER.fullmatch(value):
        return value
    return guarded(value)


def unguarded(text: str) -> str:
    """Take away the apostrophe that `guarded` put before a text.

    Example:
        >>> unguarded("'=1+1"), unguarded("'tis"), unguarded("''=a")
        ('=1+1', "'tis", "'=a")
    """
    return text[1:] if text[:1] == "'" and _STARTS.match(text) else text

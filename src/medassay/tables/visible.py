"""Signs that nobody sees and that change what others see."""

import re
import unicodedata
from typing import Final

__all__ = ["hidden_signs", "holds_halves", "printable", "visible", "without_halves"]

# Orders to a terminal, and signs that turn the direction of the text behind them around. Line feeds
# and tabs are left; so is a carriage return before a line feed, which alone would overwrite a line.
_COMMANDS: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]|\r(?!\n)"
)
_HALVES: Final = re.compile("[\ud800-\udfff]")
_SHOWN: Final = 3


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

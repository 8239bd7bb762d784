"""Lines that somebody types: what a terminal shows of them, a shell reads as it was meant."""

import re
import shlex
from collections.abc import Iterable
from typing import Final

from medassay.tables import visible

__all__ = ["shell_line"]

_BREAKS: Final = "\t\n\r"


def shell_line(words: Iterable[str]) -> str:
    r"""Write words as one line for a shell such as bash, zsh or ksh.

    A sign that a terminal obeys, or shows as its code, is written in the shell's own codes, so that
    a line that was copied from a terminal says the same.

    Example:
        >>> print(shell_line(["medassay", "import", "Anna's table.csv", "two\nlines.csv"]))
        medassay import 'Anna'"'"'s table.csv' $'two\012lines.csv'
    """
    return " ".join(map(_shell_word, words))


def _shell_word(word: str) -> str:
    coded = "".join(map(_coded, word))
    if coded == word:
        return shlex.quote(word)
    parts = (_coded(sign) if _coded(sign) != sign else re.sub(r"['\\]", r"\\\g<0>", sign)
             for sign in word)  # fmt: skip
    return f"$'{''.join(parts)}'"


def _coded(sign: str) -> str:
    """Give the codes of a sign's bytes where a terminal would not show the sign itself."""
    if visible(sign) == sign and sign not in _BREAKS:
        return sign
    # Half a sign stands for a byte of a file's name that is no UTF-8.
    halves = "surrogateescape" if "\udc80" <= sign <= "\udcff" else "surrogatepass"
    return "".join(f"\\{byte:03o}" for byte in sign.encode("utf-8", halves))

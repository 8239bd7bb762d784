"""Texts of Excel workbooks: runs joined, signs written as codes brought back."""

import re
from typing import Final

__all__ = ["SharedTexts", "TextInMaking", "decoded"]

_CODE: Final = re.compile(r"_x([0-9A-Fa-f]{4})_")
_BLANKS: Final = " \t\r\n"
_SURROGATES: Final = range(0xD800, 0xE000)


def decoded(text: str) -> str:
    r"""Bring back signs that XML cannot hold and Excel writes as codes.

    Half of a surrogate pair is no sign: its code stays as it stands.

    Example:
        >>> decoded("one_x000D_\ntwo _x005F_x000D_ _xD83D_")
        'one\r\ntwo _x000D_ _xD83D_'
    """
    return _CODE.sub(_sign, text) if "_x" in text else text


def _sign(code: re.Match[str]) -> str:
    number = int(code[1], 16)
    return code[0] if number in _SURROGATES else chr(number)


class TextInMaking:
    """Joins the runs of a text; how East Asian signs are pronounced is left out."""

    def __init__(self) -> None:
        self._runs: list[str] = []
        self._pieces: list[str] = []
        self._open = self._kept = False
        self._spoken = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Take a tag that opens inside of the text."""
        if name == "rPh":
            self._spoken += 1
        elif name == "t" and not self._spoken:
            self._open, self._kept = True, attributes.get("xml:space") == "preserve"

    def end(self, name: str) -> None:
        """Take a tag that closes inside of the text."""
        if name == "rPh":
            self._spoken -= 1
        elif name == "t" and self._open:
            run = "".join(self._pieces)
            self._runs.append(run if self._kept else run.strip(_BLANKS))
            self._pieces.clear()
            self._open = False

    def text(self, data: str) -> None:
        """Take a piece of text."""
        if self._open:
            self._pieces.append(data)

    def take(self) -> str:
        """Give the text, and begin anew."""
        whole = decoded("".join(self._runs))
        self._runs.clear()
        return whole


class SharedTexts:
    """The texts that cells refer to by number."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._making = TextInMaking()

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Take a tag that opens."""
        self._making.start(name, attributes)

    def end(self, name: str) -> None:
        """Take a tag that closes."""
        self._making.end(name)
        if name == "si":
            self.found.append(self._making.take())

    def text(self, data: str) -> None:
        """Take a piece of text."""
        self._making.text(data)

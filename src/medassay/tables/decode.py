"""Text out of bytes, whoever wrote them."""

import codecs
from typing import Final

from medassay.errors import InvalidInput, Problem

__all__ = ["decode"]

# The longer marks first: that of UTF-16 opens that of UTF-32.
_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE: Final = 4096
_MOSTLY: Final = 0.3
"""Text of Western letters in UTF-16 is zeros by half; UTF-8 text has none at all."""
_SAVE: Final = "Save the file as UTF-8 (in a spreadsheet: 'CSV UTF-8')."
_MOST: Final = 10_000_000


def decode(content: bytes, file: str) -> tuple[str, tuple[Problem, ...]]:
    r"""Decode UTF-8, UTF-16, UTF-32 or, where it can be nothing else, Windows-1252.

    Returns:
        The text without a byte-order mark or blank lines at its end, and a note where it was not
        UTF-8.

    Raises:
        InvalidInput: The bytes are no text in any of these, text in two of them, or blanks without
            end.

    Example:
        >>> text, (note,) = decode("name\ncafé\n".encode("cp1252"), "a.csv")
        >>> print(note)
        a.csv: must be text in UTF-8; got Windows-1252. It was read as that; check "é" in line 2.
    """
    text, notes = _decoded(content, file)
    return _without_blank_end(text, file), notes


def _decoded(content: bytes, file: str) -> tuple[str, tuple[Problem, ...]]:
    encoding = _wide(content)
    if encoding:
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError as error:
            got = f"{encoding.upper()} that breaks off at byte {error.start + 1}"
            raise InvalidInput(Problem(file, "be text in UTF-8", got, _SAVE)) from error
        text = text.removeprefix("\ufeff")
        name = encoding.upper().removesuffix("-LE").removesuffix("-BE")
        return text, (_note(file, name, "It was read as that."),)
    try:
        return content.decode("utf-8-sig"), ()
    except UnicodeDecodeError as error:
        return _windows(content, file, error)


def _wide(content: bytes) -> str:
    """Name the encoding of two or four bytes a letter that the bytes are in, if they are."""
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return encoding
    sample = content[:_SAMPLE]
    enough = _MOSTLY * len(sample)
    if sample[1::2].count(0) > enough and not sample[0::2].count(0):
        return "utf-16-le"
    if sample[0::2].count(0) > enough and not sample[1::2].count(0):
        return "utf-16-be"
    return ""


def _windows(
    content: bytes, file: str, broken: UnicodeDecodeError
) -> tuple[str, tuple[Problem, ...]]:
    """Read Windows-1252, unless other letters of the file are in UTF-8: then it is damaged."""
    line = content[: broken.start].count(b"\n") + 1
    rest = content.decode("utf-8-sig", "ignore")
    try:
        if not rest.isascii():
            raise broken
        text = content.decode("cp1252")
    except UnicodeDecodeError as error:
        got = f"byte 0x{content[broken.start]:02x}, which no letter of UTF-8 has there"
        raise InvalidInput(Problem(file, "be text in UTF-8", got, _SAVE, row=line)) from error
    letter = next(sign for sign in text if not sign.isascii())
    hint = f'It was read as that; check "{letter}" in line {line}.'
    return text, (_note(file, "Windows-1252", hint),)


def _note(file: str, encoding: str, hint: str) -> Problem:
    return Problem(file, "be text in UTF-8", encoding, hint)


def _without_blank_end(text: str, file: str) -> str:
    r"""Leave out blank lines at the end, however many: spreadsheets save rows that were formatted.

    Raises:
        InvalidInput: Elsewhere more blanks follow one another than any table has; the line is
            named.

    Example:
        >>> _without_blank_end("case,text\n1, a \n \n\n", "a.csv")
        'case,text\n1, a \n'
    """
    end = text.find("\n", len(text.rstrip()))
    whole = text if end < 0 else text[: end + 1]
    # Of a piece that is not all blanks only its first sign is looked at, or as many as are blank.
    for start in range(0, len(whole) - _MOST + 1, _MOST):
        if whole[start].isspace() and whole[start : start + _MOST].isspace():
            line = whole.count("\n", 0, len(whole[:start].rstrip())) + 1
            must, got = "hold text between its blanks", f"more than {_MOST:,} blanks in a row"
            raise InvalidInput(Problem(file, must, got, "Delete them, or save it anew.", row=line))
    return whole

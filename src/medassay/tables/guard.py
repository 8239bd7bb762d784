"""Text that a spreadsheet would run as a formula, made harmless and brought back."""

import re
from typing import Final

__all__ = ["guarded", "guarded_cell", "is_formula_like", "unguarded"]

# East Asian spreadsheets take the full-width signs for the narrow ones.
_SIGNS: Final = "=+\\-@\uff1d\uff0b\uff0d\uff20\t\r"
_STARTS: Final = re.compile(rf"'*[{_SIGNS}]")
_NUMBER: Final = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


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

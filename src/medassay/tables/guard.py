"""Text that a spreadsheet would run as a formula, made harmless and brought back."""

import re
from typing import Final

__all__ = ["guarded", "is_formula_like", "unguarded"]

_STARTS: Final = re.compile(r"'*[=+\-@\t\r]")


def is_formula_like(text: str) -> bool:
    """Say whether a spreadsheet might run a cell with this text."""
    return text[:1] in {"=", "+", "-", "@", "\t", "\r"}


def guarded(text: str) -> str:
    r"""Put an apostrophe before text that begins with a sign of a formula.

    Spreadsheets take the apostrophe as "this is text". `unguarded` takes it away again, and a text
    that has one of its own gets a second, so that nothing is lost on the way.

    Example:
        >>> guarded("=1+1"), guarded("- rest"), guarded("'=a"), guarded("Rest.")
        ("'=1+1", "'- rest", "''=a", 'Rest.')
    """
    return f"'{text}" if _STARTS.match(text) else text


def unguarded(text: str) -> str:
    """Take away the apostrophe that `guarded` put before a text.

    Example:
        >>> unguarded("'=1+1"), unguarded("'tis"), unguarded("''=a")
        ('=1+1', "'tis", "'=a")
    """
    return text[1:] if text[:1] == "'" and _STARTS.match(text) else text

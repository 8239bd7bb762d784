"""Blanks that hold nothing and cost memory and time."""

from typing import Final

from medassay.errors import InvalidInput, Problem

__all__ = ["without_blank_end"]

_MOST: Final = 10_000_000


def without_blank_end(text: str, file: str) -> str:
    r"""Leave out blank lines at the end, however many: spreadsheets save rows that were formatted.

    Raises:
        InvalidInput: Elsewhere more blanks follow one another than any table has; the line is
            named.

    Example:
        >>> without_blank_end("case,text\n1, a \n \n\n", "a.csv")
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

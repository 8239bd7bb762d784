"""A stated choice that writes its option's letter otherwise than the case does."""

import re
from collections.abc import Mapping
from typing import Final

__all__ = ["letter_meant"]

_DRESSED: Final = re.compile(r"[(\[]?\s*(\w+)\s*[)\].:]?")
"""`(A)`, `[A]`, `A.`, `A)`, `A:`; the letters of options differ by more than capitals."""


def letter_meant(choice: str, options: Mapping[str, str]) -> str | None:
    """Find the option whose letter a stated choice is, but for capitals, brackets and a full stop.

    Args:
        choice: What stands under `choice`.
        options: The options of the case, letter to text.

    Returns:
        The letter as the case writes it; None where it is none, or might be two.

    Example:
        >>> options = {"A": "Rest", "B": "Ice"}
        >>> letter_meant("(a)", options), letter_meant("A or B", options)
        ('A', None)
    """
    if choice in options:
        return choice
    dressed = _DRESSED.fullmatch(choice)
    if dressed is None:
        return None
    alike = [letter for letter in options if letter.lower() == dressed[1].lower()]
    return alike[0] if len(alike) == 1 else None

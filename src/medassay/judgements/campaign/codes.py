"""Opaque codes: they say nothing of what they stand for, and no spreadsheet reads them as more."""

from collections.abc import Collection
from typing import Final

from medassay.judgements.campaign.secret import Draws
from medassay.tables import folded

__all__ = ["as_code", "draw_codes"]

# Without vowels there are no words; without digits there are no numbers, dates or 1E5.
_LETTERS: Final = "BCDFGHJKLMNPQRSTVWXZ"
_FREE: Final = 7
# Each has an inverse modulo 20, so one wrong letter always gives another check letter.
_WEIGHTS: Final = (1, 3, 7, 9, 11, 13, 17)
_HALF: Final = (_FREE + 1) // 2


def draw_codes(count: int, draws: Draws, taken: Collection[str] = ()) -> tuple[str, ...]:
    """Draw codes of eight letters, all different; the last letter checks the others.

    Args:
        count: How many.
        draws: Where the letters come from.
        taken: Codes that are in use already.

    Example:
        >>> from medassay.judgements.campaign import Secret
        >>> codes = draw_codes(2, Secret(bytes(32)).draws("codes"))
        >>> codes, [as_code(code) == code for code in codes]
        (('RVSC-NLNQ', 'LMRN-HWSN'), [True, True])
    """
    codes: dict[str, None] = {}
    used = set(taken)
    while len(codes) < count:
        drawn = [draws.below(len(_LETTERS)) for _ in range(_FREE)]
        code = _written(drawn)
        if code not in used:
            codes.setdefault(code)
    return tuple(codes)


def as_code(text: str) -> str | None:
    """Read a code however it was retyped: blanks, dashes and small letters do not matter.

    Returns:
        The code as it is written, or None where the text is none, or has a wrong letter.

    Example:
        >>> as_code(" rvsc nlnq"), as_code("RVSC-NLNB"), as_code("12")
        ('RVSC-NLNQ', None, None)
    """
    letters = "".join(letter for letter in folded(text).upper() if letter.isalpha())
    if len(letters) != _FREE + 1 or not set(letters) <= set(_LETTERS):
        return None
    code = _written([_LETTERS.index(letter) for letter in letters[:-1]])
    return code if code.replace("-", "") == letters else None


def _written(drawn: list[int]) -> str:
    total = sum(weight * letter for weight, letter in zip(_WEIGHTS, drawn, strict=True))
    letters = "".join(_LETTERS[i] for i in [*drawn, total % len(_LETTERS)])
    return f"{letters[:_HALF]}-{letters[_HALF:]}"

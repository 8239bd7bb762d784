"""Which numbers of a spreadsheet are dates, and which text they are."""

import re
from datetime import datetime, timedelta
from enum import Enum
from typing import Final

__all__ = ["Shown", "number_text", "shown_by_code", "shown_by_id"]

_BUILT_IN_DATES: Final = {*range(14, 23), *range(27, 37), 45, 47, *range(50, 59)}
_BUILT_IN_SPAN: Final = 46
_LITERAL: Final = re.compile(r'"[^"]*"|\\.|_.|\*.')
_SPAN: Final = re.compile(r"\[(?:h+|m+|s+)\]", re.IGNORECASE)
_BRACKETS: Final = re.compile(r"\[[^\]]*\]")
_DATE_LETTERS: Final = re.compile(r"[dmyhs]", re.IGNORECASE)
_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,300}")
_DAY: Final = 86_400_000
"""Milliseconds."""
_LATEST: Final = 2_958_466
"""The first day of the year 10000, counted from 1900."""
_LONGEST: Final = 1e8
_FROM_1904: Final = 1462
_LEAP_DAY_THAT_NEVER_WAS: Final = 60


class Shown(Enum):
    """As what a number is shown."""

    NUMBER = "number"
    MOMENT = "moment"
    SPAN = "span"


def shown_by_id(identity: int) -> Shown:
    """Say what a built-in number format shows; those of East Asia are dates too."""
    if identity == _BUILT_IN_SPAN:
        return Shown.SPAN
    return Shown.MOMENT if identity in _BUILT_IN_DATES else Shown.NUMBER


def shown_by_code(code: str) -> Shown:
    r"""Say what a format of the workbook's own shows.

    Example:
        >>> [shown_by_code(c).value for c in ("yyyy-mm-dd", "[h]:mm", '0.0" days"', "[Red]0")]
        ['moment', 'span', 'number', 'number']
    """
    plain = _LITERAL.sub("", code).partition(";")[0]
    if _SPAN.search(plain):
        return Shown.SPAN
    dated = _DATE_LETTERS.search(_BRACKETS.sub("", plain))
    return Shown.MOMENT if dated else Shown.NUMBER


def number_text(number: str, shown: Shown = Shown.NUMBER, *, from_1904: bool = False) -> str:
    """Write a number as the text that stands for it: a date in ISO 8601, 4.0 as 4.

    Args:
        number: The number as the workbook has it.
        shown: As what the cell shows it.
        from_1904: Whether the workbook counts days from 1904.

    Example:
        >>> number_text("4.0"), number_text("1E-7"), number_text("45000", Shown.MOMENT)
        ('4', '1e-07', '2023-03-15')
    """
    if shown is Shown.NUMBER and _WHOLE.fullmatch(number):
        return str(int(number))
    if not _NUMBER.fullmatch(number):
        return number
    value = float(number)
    if shown is Shown.SPAN and abs(value) < _LONGEST:
        return str(timedelta(milliseconds=round(value * _DAY)))
    if shown is Shown.MOMENT and 0 <= value < _LATEST - _FROM_1904 * from_1904:
        return _moment(value, from_1904=from_1904)
    return str(int(value)) if value.is_integer() else str(value)


def _moment(days: float, *, from_1904: bool) -> str:
    since = timedelta(milliseconds=round(days * _DAY))
    if days < 1:
        return (datetime.min + since).time().isoformat()  # noqa: DTZ901 - a spreadsheet has no zone
    if from_1904:
        days += _FROM_1904
        since += timedelta(days=_FROM_1904)
    elif days < _LEAP_DAY_THAT_NEVER_WAS:
        since += timedelta(days=1)
    moment = datetime(1899, 12, 30) + since  # noqa: DTZ001 - as above
    whole = since % timedelta(days=1) == timedelta()
    return moment.date().isoformat() if whole else moment.isoformat()

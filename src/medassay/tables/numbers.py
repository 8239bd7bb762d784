"""What people write where a number must be."""

import math
import re
from typing import Final

__all__ = ["decimal", "finite", "number_hint"]

_DECIMAL: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_COMMA: Final = re.compile(r"[+-]?\d*,\d+")
_THOUSANDS: Final = re.compile(
    r"[+-]?\d{1,3}(?:(?:\.\d{3})+,\d+|(?:,\d{3})+\.\d+|(?:,\d{3}){2,}|(?:\.\d{3}){2,})"
)
_PERCENT: Final = re.compile(r"([+-]?\d+(?:[.,]\d+)?)\s*%")


def number_hint(text: str) -> str:
    """Say what to write instead, where a text is meant as a number and is none.

    Example:
        >>> number_hint("0,5"), number_hint("85 %"), number_hint("high")
        ('Write a point before the decimals: 0.5.', 'Write 0.85 for 85 %.', '')
        >>> number_hint("1.234,5"), number_hint("1,234,567")
        ('Write no sign between thousands: 1234.5.', 'Write no sign between thousands: 1234567.')
    """
    sentence = text.strip()
    if _THOUSANDS.fullmatch(sentence):
        last = max(sentence.rfind(","), sentence.rfind("."))
        parts = sentence.count(sentence[last]) > 1
        plain = re.sub(r"[.,]", "", sentence[:last]) + ("" if parts else ".") + sentence[last + 1 :]
        return f"Write no sign between thousands: {plain}."
    if _COMMA.fullmatch(sentence):
        return f"Write a point before the decimals: {sentence.replace(',', '.')}."
    share = _PERCENT.fullmatch(sentence)
    if share:
        value = float(share[1].replace(",", ".")) / 100
        return f"Write {round(value, 12):g} for {sentence}."
    return ""


def finite(number: float) -> float | None:
    """Give a number as arithmetic takes it; nothing where it is infinite, no number, or too large.

    JSON knows whole numbers of hundreds of digits, of which there is no floating point.

    Example:
        >>> finite(2), finite(10**400), finite(float("nan"))
        (2.0, None, None)
    """
    try:
        return float(number) if math.isfinite(number) else None
    except OverflowError:
        return None


def decimal(text: str) -> float | None:
    """Read a number written with digits and a point; nothing where it is another text.

    `float` alone reads more: digits parted by `_`, digits of other scripts, `inf`.

    Example:
        >>> decimal("2.5"), decimal("1e3"), decimal("1_000"), decimal("inf"), decimal("1e999")
        (2.5, 1000.0, None, None, None)
    """
    return finite(float(text)) if _DECIMAL.fullmatch(text) else None

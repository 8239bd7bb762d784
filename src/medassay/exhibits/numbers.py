"""How a number is printed: the same on the page, in a table, in a figure and in a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from medassay.stats import Interval
from medassay.text import count_of, listed, plural

__all__ = [
    "PROPORTION",
    "Style",
    "bounds",
    "count_of",
    "level",
    "listed",
    "listed_few",
    "number_word",
    "p_value",
    "p_way",
    "plural",
    "reliability",
    "shown_p",
]

_MINUS: Final = "−"
_WORDS: Final = (
    "no one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905 - thirteen quoted words read worse
)
_WIDE_SCALE: Final = 10.0


@dataclass(frozen=True, slots=True)
class Style:
    """Decimals of a column, and whether its values can pass 1.

    Proportions, correlations and coefficients cannot: LaTeX drops their zero before the point.

    Example:
        >>> Style(2)(-0.6), Style(1)(-0.04)
        ('−0.60', '0.0')
    """

    decimals: int
    bounded: bool = False

    def __call__(self, value: float) -> str:
        """Print one value."""
        text = f"{abs(value):.{self.decimals}f}"
        negative = value < 0 and float(text) != 0
        return f"{_MINUS}{text}" if negative else text

    @classmethod
    def of_scale(cls, low: float | None, high: float | None) -> "Style":
        """Choose by the ends of a scale: 0.62 in 0 to 1, 1.62 in 0 to 5, 16.2 beyond."""
        if low is None or high is None:
            return cls(1)
        largest = max(abs(low), abs(high))
        if largest <= 1:
            return PROPORTION
        return cls(2) if largest < _WIDE_SCALE else cls(1)


PROPORTION: Final = Style(2, bounded=True)


def bounds(interval: Interval | None, style: Style = PROPORTION) -> str:
    """Print an interval as `[0.55, 0.69]`; nothing where there is none."""
    return f"[{style(interval.low)}, {style(interval.high)}]" if interval else ""


def level(interval: Interval) -> str:
    """Print the nominal coverage as `95%`."""
    return f"{round(interval.level * 100, 3):g}%"


def shown_p(p: float) -> str:
    """Print a p-value for a column: three decimals, `< 0.001` below.

    Example:
        >>> shown_p(0.1361), shown_p(0.0002)
        ('0.136', '< 0.001')
    """
    return "< 0.001" if p < 0.001 else Style(3)(p)  # noqa: PLR2004 - the smallest that three decimals print


def p_value(p: float) -> str:
    """Print a p-value for a sentence, with the digits of the tables.

    Example:
        >>> p_value(0.1361), p_value(0.0167), p_value(0.0002)
        ('p = 0.136', 'p = 0.017', 'p < 0.001')
    """
    text = shown_p(p)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


def p_way(method: str | None) -> str:
    """Say how a p-value was had; nothing where there is none.

    Example:
        >>> p_way("monte-carlo"), p_way("exact"), p_way("grid")
        ('Monte-Carlo', 'exact', 'counted on a grid')
    """
    return {"monte-carlo": "Monte-Carlo", "grid": "counted on a grid"}.get(
        method or "", method or ""
    )


def reliability(value: float) -> str:
    """Print a reliability; below 0 it says no more than 0 does.

    Example:
        >>> reliability(0.19), reliability(-2.0)
        ('0.19', '≤ 0')
    """
    return PROPORTION(value) if value > 0 else "≤ 0"


def number_word(count: int) -> str:
    """Say a small count in a word.

    Example:
        >>> number_word(6), number_word(50)
        ('six', '50')
    """
    return _WORDS[count] if count < len(_WORDS) else str(count)


def listed_few(items: Sequence[str], most: int = 6) -> str:
    """Join as in a sentence; of many the first are named and the others counted.

    Example:
        >>> listed_few(["A", "B", "C", "D"], most=2), listed_few(["A", "B", "C"], most=2)
        ('A, B and 2 others', 'A, B and C')
    """
    more = len(items) - most
    return listed([*items[:most], count_of(more, "other")] if more > 1 else items)

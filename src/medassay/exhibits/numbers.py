"""How a number is printed: the same on the page, in a table, in a figure and in a sentence."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Final, Literal

from medassay.stats import Interval
from medassay.text import count_of, listed, plural

__all__ = [
    "PROPORTION",
    "Style",
    "bounds",
    "bounds_title",
    "ci",
    "count_of",
    "level",
    "listed",
    "listed_few",
    "number_word",
    "outward",
    "p_value",
    "p_way",
    "percent_ci",
    "percent_up",
    "percent_words",
    "plural",
    "reliability",
    "rounded",
    "shown_p",
    "span_words",
]

_MINUS: Final = "−"
_WORDS: Final = (
    "no one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905 - thirteen quoted words read worse
)
_WIDE_SCALE: Final = 10.0
_EXACT_FROM: Final = 200
"""So many answers give a percent its decimal."""
_MOST_DIGITS: Final = 6


@dataclass(frozen=True, slots=True)
class Style:
    """Decimals of a column, and whether its values can pass 1.

    Proportions, correlations and coefficients cannot: LaTeX drops their zero before the point.
    A lower bound rounds down, an upper one up.

    Example:
        >>> Style(2)(-0.6), Style(1)(-0.04), Style(2, rounds="down")(0.488)
        ('−0.60', '0.0', '0.48')
    """

    decimals: int
    bounded: bool = False
    rounds: Literal["half", "down", "up"] = "half"

    def __call__(self, value: float) -> str:
        """Print one value."""
        if self.rounds != "half":
            way = ROUND_FLOOR if self.rounds == "down" else ROUND_CEILING
            return rounded(value, self.decimals, way)
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


def outward(interval: Interval, style: Style = PROPORTION) -> tuple[str, str]:
    """Print both ends, rounded away from each other: no printed interval is too narrow.

    Example:
        >>> outward(Interval(0.5561, 0.6849, 0.95, "t", "an example"))
        ('0.55', '0.69')
    """
    return (
        rounded(interval.low, style.decimals, ROUND_FLOOR),
        rounded(interval.high, style.decimals, ROUND_CEILING),
    )


def bounds(interval: Interval | None, style: Style = PROPORTION) -> str:
    """Print an interval as `[0.55, 0.69]`, rounded outward; nothing where there is none."""
    return f"[{', '.join(outward(interval, style))}]" if interval else ""


def bounds_title(intervals: Iterable[Interval | None]) -> str:
    """Head a column of intervals: `95% CI`, or less where their levels differ.

    Example:
        >>> bounds_title([None, Interval(0.481, 0.679, 0.95, "t", "an example")])
        '95% CI'
    """
    levels = {level(interval) for interval in intervals if interval}
    return f"{levels.pop()} CI" if len(levels) == 1 else "CI"


def ci(interval: Interval | None, style: Style = PROPORTION, beside: float | None = None) -> str:
    """Print an interval for a sentence, rounded outward; nothing where there is none.

    Args:
        interval: What is printed.
        style: How its ends print.
        beside: A value such as 0 for a difference: where the interval leaves it out, so do the
            printed ends, with as many decimals as that takes.

    Example:
        >>> ci(Interval(0.481, 0.679, 0.95, "t", "an example"))
        '95% CI 0.48 to 0.68'
        >>> ci(Interval(0.0021, 0.6849, 0.95, "t", "an example"), Style(2), beside=0)
        '95% CI 0.002 to 0.685'
    """
    if interval is None:
        return ""
    low, high, decimals = interval.low, interval.high, style.decimals
    if beside is not None and not low <= beside <= high:
        end, way = (low, ROUND_FLOOR) if beside < low else (high, ROUND_CEILING)
        most = _MOST_DIGITS
        while _reaches(rounded(end, decimals, way), beside) and decimals < most:
            decimals += 1
    return f"{level(interval)} CI {span_words(low, high, decimals)}"


def _reaches(printed: str, value: float) -> bool:
    return float(printed.replace(_MINUS, "-")) == value


def span_words(low: float, high: float, decimals: int) -> str:
    """Print the ends of an interval, each rounded outward.

    Example:
        >>> span_words(3.123, 3.456, 1), span_words(-0.61, 0.02, 1)
        ('3.1 to 3.5', '−0.7 to 0.1')
    """
    return f"{rounded(low, decimals, ROUND_FLOOR)} to {rounded(high, decimals, ROUND_CEILING)}"


def percent_words(share: float, answers: int) -> str:
    """Print a share in whole percent; from 200 answers on with a decimal below 10.

    Example:
        >>> percent_words(0.65, 20), percent_words(0.0582, 100), percent_words(0.0582, 500)
        ('65%', '6%', '5.8%')
    """
    return f"{100 * share:.{_percent_decimals(share, answers)}f}%"


def percent_up(share: float, answers: int) -> str:
    """Print an upper bound as `percent_words` does, rounded up.

    Example:
        >>> percent_up(0.1129, 25), percent_up(0.01191, 250)
        ('12%', '1.2%')
    """
    return f"{rounded(100 * share, _percent_decimals(share, answers), ROUND_CEILING)}%"


def percent_ci(interval: Interval | None, answers: int) -> str:
    """Print the interval of a share for the brackets of a sentence; nothing where there is none.

    Example:
        >>> percent_ci(Interval(0.4078, 0.846, level=0.95, method="", estimand=""), 20)
        '95% CI 40 to 85'
    """
    if interval is None:
        return ""
    low, high = 100 * interval.low, 100 * interval.high
    decimals = _percent_decimals(interval.high, answers)
    return f"{level(interval)} CI {span_words(low, high, decimals)}"


def _percent_decimals(share: float, answers: int) -> int:
    few = answers < _EXACT_FROM or share == 0 or share >= 0.0995  # noqa: PLR2004 - prints as 10
    return 0 if few else 1


def rounded(value: float, decimals: int, way: str) -> str:
    """Print a value rounded as one of decimal's ways says, such as `ROUND_FLOOR`."""
    # What floating point adds behind the twelfth digit must not push a bound outward.
    exact = Decimal(repr(round(value, 12)))
    number = exact.quantize(Decimal(1).scaleb(-decimals), rounding=way)
    text = f"{abs(number):.{decimals}f}"
    return f"{_MINUS}{text}" if number < 0 and text.strip("0.") else text


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

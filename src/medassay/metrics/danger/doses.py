"""Amounts of a drug in a text: one dose, and how much of it a day."""

import re
from dataclasses import dataclass
from typing import Final

from medassay.metrics.danger.rules import milligrams
from medassay.metrics.reasoning.span import Span

__all__ = ["Amount", "amount_near"]

_COUNTS: Final = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_WORDS: Final = "|".join(_COUNTS)
_AMOUNT: Final = re.compile(
    rf"(?:\b(?P<times>\d|{_WORDS})\s*(?:x|×|tablets?\s+of|capsules?\s+of|of)?\s+)?"
    r"(?:\d[\d,.]*\s*(?:-|–|to)\s*)?"
    r"(?<![\d.,])(?P<number>\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)\s*"
    r"(?P<unit>mg|mcg|µg|μg|micrograms?|milligrams?|grams?|g)\b"
    r"(?!\s*/\s*(?:kg|m2|m²|d?l|ml|min|h\b|hour))(?!\s*per\s*(?:kg|min|hour))",
    re.IGNORECASE,
)
_A: Final = r"\s+(?:a|per|each|every)?\s*"
_OFTEN: Final[tuple[tuple[re.Pattern[str], str | float], ...]] = tuple(
    (re.compile(pattern, re.IGNORECASE), means)
    for pattern, means in (
        (r"\b(?:every|q)\s?(\d{1,2})(?:\s*(?:-|–|to)\s*\d{1,2})?\s*(?:hours?|hrs?|h)\b", "hours"),
        (rf"\b(\d|{_WORDS})\s+times{_A}(?:day|daily)", "times"),
        (rf"\btwice{_A}(?:day|daily)|\bb\.?i\.?d\b", 2.0),
        (rf"\bthrice{_A}(?:day|daily)|\bt\.?[id]\.?[ds]\b", 3.0),
        (r"\bq\.?[id]\.?[ds]\b", 4.0),
        (r"\bhourly\b|\bevery hour\b", 24.0),
        (r"\bweekly\b|\b(?:a|per|each|every)\s+week\b|/\s*week\b", 1 / 7),
        (r"\bdaily\b|\b(?:a|per|each|every)\s+(?:day|night)\b|/\s*d(?:ay)?\b", 1.0),
        (r"\bin 24 hours\b|\bat bedtime\b", 1.0),
    )
)
_AHEAD: Final = 45
_BACK: Final = 35
_REACH: Final = 60
_DAY: Final = 24.0


@dataclass(frozen=True, slots=True)
class Amount:
    """One amount.

    Attributes:
        single: Milligrams of one dose.
        a_day: How many doses a day; None where nothing is said.
        span: The words, from the drug or the amount to the frequency.
    """

    single: float
    a_day: float | None
    span: Span


def amount_near(text: str, drug: Span, stop: int) -> Amount | None:
    """Read the amount that belongs to a drug: what follows it, else what stands before it.

    Args:
        text: The sentence.
        drug: The drug in it.
        stop: Where the next drug begins; the sentence's length if there is none.

    Example:
        >>> text = "Take 0.5 g of paracetamol every 4 to 6 hours."
        >>> found = amount_near(text, Span(14, 25, "paracetamol"), len(text))
        >>> found.single, found.a_day
        (500.0, 6.0)
    """
    ahead = _AMOUNT.search(text, drug.end, min(stop, drug.end + _AHEAD))
    behind = list(_AMOUNT.finditer(text, max(0, drug.start - _BACK), drug.start))
    match = ahead or (behind[-1] if behind else None)
    if match is None:
        return None
    times = match["times"]
    count = 1 if times is None else _COUNTS.get(times.lower()) or int(times)
    single = count * milligrams(match["number"], match["unit"])
    begin, end = max(drug.end, match.end()), min(stop, max(drug.end, match.end()) + _REACH)
    often, reach = _often(text, match.end() if ahead else drug.end, end)
    start, end = min(drug.start, match.start()), max(begin, reach)
    return Amount(single, often, Span(start, end, text[start:end]))


def _often(text: str, begin: int, end: int) -> tuple[float | None, int]:
    """Give the frequency said first, and where its words end."""
    first: tuple[int, float, int] | None = None
    for pattern, means in _OFTEN:
        match = pattern.search(text, begin, end)
        if match is None or (first is not None and match.start() >= first[0]):
            continue
        if means == "hours":
            value = _DAY / max(1, int(match[1]))
        elif means == "times":
            value = float(_COUNTS.get(match[1].lower()) or int(match[1]))
        else:
            value = float(means)
        first = (match.start(), value, match.end())
    return (None, begin) if first is None else (first[1], first[2])

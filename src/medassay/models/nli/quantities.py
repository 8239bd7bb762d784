"""Quantities of a sentence: numbers with what they count, in one unit a kind."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from medassay.models.nli.lexicon import lexicon
from medassay.models.nli.stems import stem

__all__ = ["Quantity", "find_quantities"]

_CLOSE: Final = 0.02  # as far apart as 12 months and 1 year, and no further
_FIRST_YEAR: Final = 1900
_LAST_YEAR: Final = 2100
_DAY: Final = 24.0
_PERIODS: Final = {
    "day": 1.0, "daily": 1.0, "week": 7.0, "weekly": 7.0,
    "month": 30.4375, "monthly": 30.4375, "year": 365.25, "yearly": 365.25,
}  # fmt: skip
_PAIR: Final = 1e4  # 120/80 is 120.008, so that pairs are equal or they are not
_OR_MORE: Final = {"more": "least", "older": "least", "above": "least", "higher": "least"}
_OR_LESS: Final = {"less": "most", "younger": "most", "fewer": "most", "below": "most"}


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number or a range, in the base unit of its kind.

    Attributes:
        kind: What it measures (mass, time, times a day), or the stem of the word that it counts.
        low: Its lower end; minus infinity where only an upper end is said.
        high: Its upper end.
        words: What stands in the text.
    """

    kind: str
    low: float
    high: float
    words: str

    def holds(self, other: "Quantity") -> bool:
        """Say whether this, as evidence, bears out another: the other is the same or wider."""
        return (
            self.kind == other.kind
            and (other.low <= self.low or _close(other.low, self.low))
            and (self.high <= other.high or _close(other.high, self.high))
        )

    def overlaps(self, other: "Quantity") -> bool:
        """Say whether both can be true at once, beyond a single shared end of two ranges."""
        if self.holds(other) or other.holds(self):
            return True
        return min(self.high, other.high) > max(self.low, other.low)


def _close(first: float, other: float) -> bool:
    return math.isclose(first, other, rel_tol=_CLOSE)


def find_quantities(words: Sequence[str]) -> tuple[tuple[Quantity, ...], frozenset[int]]:
    """Find every quantity, and the places of the tokens that they are made of.

    Example:
        >>> from medassay.models.nli.tokens import tokens
        >>> found, used = find_quantities(tokens("Take 0.5 g twice a day for at least 5 days."))
        >>> [(q.kind, q.low, q.high) for q in found]
        [('mass', 0.5, 0.5), ('times a day', 2.0, 2.0), ('time', 120.0, inf)]
    """
    known = lexicon()
    quantities: list[Quantity] = []
    used: set[int] = set()
    place = 0
    while place < len(words):
        if words[place] not in known.opens_quantity and not words[place][0].isdecimal():
            place += 1
            continue
        reader = _Reader(words, place)
        quantity = reader.read()
        begin, end = reader.opens, reader.place
        if quantity is None:
            frequency = known.frequency.at(words, place)
            if frequency is None:
                place += 1
                continue
            begin, end = place, place + frequency[0]
            times = float(frequency[1])
            quantity = Quantity("times a day", times, times, " ".join(words[place:end]))
        quantities.append(quantity)
        used.update(range(begin, end))
        place = end
    return tuple(quantities), frozenset(used)


class _Reader:
    """Reads the quantity that begins at a place, if one does."""

    def __init__(self, words: Sequence[str], place: int) -> None:
        self.words, self.start, self.place = words, place, place
        self.opens = place  # where a comparator before the number begins

    def read(self) -> Quantity | None:
        low = self._number()
        if low is None:
            return None
        if self._word() == "/" and (second := self._number_after(1)) is not None:
            self._unit()
            pair = low + second / _PAIR
            return self._made("one over another", pair, pair)
        unit = self._unit()
        high = self._upper_end()
        if high is not None:
            unit = self._unit() or unit
        high = low if high is None else high
        if unit is None:
            return self._counted(low, high)
        kind, size = unit
        if kind == "time" and self.words[self.start - 1 : self.start] in (("every",), ["every"]):
            per_day = (_DAY / (high * size), _DAY / (low * size)) if low > 0 else (0.0, 0.0)
            return self._made("times a day", *per_day)
        return self._made(kind, low * size, high * size)

    def _counted(self, low: float, high: float) -> Quantity | None:
        """Read a number without a unit: how often, a year, or so many of something."""
        if self._word() == "times":
            self.place += 1
            skipped = self.place + (self._word() in {"a", "per", "each", "every"})
            period = _PERIODS.get(self.words[skipped]) if skipped < len(self.words) else None
            if period is None:
                return self._made("times", low, high)
            self.place = skipped + 1
            return self._made("times a day", low / period, high / period)
        if low == high and _FIRST_YEAR <= low < _LAST_YEAR and low == int(low):
            return self._made("year", low, high)
        return self._made(self._counts(), low, high)

    def _counts(self) -> str:
        """Give the stem of the word that a bare number belongs to."""
        function = lexicon().function
        following = self._word()
        if following.isalpha() and following not in function:
            return f"number of {stem(following)}"
        for word in reversed(self.words[: self.start]):
            if word.isalpha() and word not in function:
                return f"{stem(word)} number"
            if not word.isalpha():
                break
        return "number"

    def _made(self, kind: str, low: float, high: float) -> Quantity:
        """Apply the comparator around the number, if there is one."""
        side: str | None = None
        before = lexicon().comparators.ending_at(self.words, self.start)
        after = tuple(self.words[self.place : self.place + 2])
        if before is not None:
            side = before[1]
            self.opens = self.start - before[0]
        elif len(after) > 1 and after[0] in {"or", "and"}:
            side = _OR_MORE.get(after[1]) or _OR_LESS.get(after[1])
        elif after[:1] == ("+",):
            side = "least"
        words = " ".join(self.words[self.start : self.place])
        if side is not None and before is None:
            self.place += 1 if after[0] == "+" else len(after)
        return Quantity(
            kind,
            -math.inf if side == "most" else low,
            math.inf if side == "least" else high,
            words,
        )

    def _upper_end(self) -> float | None:
        joint = self._word()
        between = "between" in self.words[max(self.start - 1, 0) : self.start]
        if joint in {"-", "to"} or (joint == "and" and between):
            return self._number_after(1)
        return None

    def _number_after(self, skipped: int) -> float | None:
        before = self.place
        self.place += skipped
        number = self._number()
        if number is None:
            self.place = before
        return number

    def _number(self) -> float | None:
        word = self._word()
        if word[:1].isdecimal() and word.isascii():
            self.place += 1
            return float(word.replace(",", ""))
        named = lexicon().numbers
        if word not in named or (word == "one" and not self._counts_one()):
            return None
        total = float(named[word])
        self.place += 1
        following = named.get(self._word())
        if following is not None and total % 10 == 0 and 0 < following < 10 < total:  # noqa: PLR2004 - twenty five
            total += following
            self.place += 1
        elif following == 100:  # noqa: PLR2004 - two hundred
            total *= following
            self.place += 1
        return total

    def _counts_one(self) -> bool:
        """Say whether 'one' is a number here and no pronoun."""
        following = self.words[self.place + 1] if self.place + 1 < len(self.words) else ""
        if following in {"to", "or", "-", "times"}:
            return True
        return lexicon().units.at(self.words, self.place + 1) is not None

    def _unit(self) -> tuple[str, float] | None:
        unit = lexicon().units.at(self.words, self.place)
        if unit is None:
            return None
        self.place += unit[0]
        kind, size = unit[1]
        return kind, float(size)

    def _word(self) -> str:
        return self.words[self.place] if self.place < len(self.words) else ""

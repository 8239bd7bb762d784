"""The figure that a report opens with: rows, lanes of marks, and the numbers as text.

Declared once: the page makes an HTML grid of it, a paper's figure is drawn from it.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN
from math import floor, log10
from typing import Final, Literal, TypeAlias

from medassay.exhibits.numbers import percent_words, rounded, span_words
from medassay.stats import Interval

Verdict: TypeAlias = Literal[
    "", "higher", "lower", "better", "worse", "undecided", "similar", "not shown"
]
"""How a row stands to the best; *better* and *worse* where a scale reads reversed."""
_MORE_DIGITS: Final = 4


@dataclass(frozen=True, slots=True)
class Links:
    """Which answers a mark leads to: those of a system, or of one case, or with one label.

    Attributes:
        system: The system's id; empty for all.
        case: The case's id; empty for all, and always where a study keeps its ids.
        dimension: The dimension rated; empty for any.
        label: The label given; empty for any.
    """

    system: str = ""
    case: str = ""
    dimension: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class Spot:
    """One cell: a mark on its lane, and the number as text.

    Attributes:
        text: What is printed; of a missing value a word.
        aside: Printed smaller behind it, such as an interval.
        value: Where the dot stands; None for no dot.
        low: Where its line begins; None for no line.
        high: Where its line ends.
        before: Where an earlier run stood, or what a score is held beside; None for none.
        dots: Single values, such as one a rater, drawn as a strip.
        boxes: One box each: full, empty, or None for not known.
        verdict: How it stands to the best; empty where it is not compared.
        why: Why there is no value.
        leads: The answers that the mark opens; None for none.
    """

    text: str
    aside: str = ""
    value: float | None = None
    low: float | None = None
    high: float | None = None
    before: float | None = None
    dots: tuple[float, ...] = ()
    boxes: tuple[bool | None, ...] = ()
    verdict: Verdict = ""
    why: str = ""
    leads: Links | None = None

    @property
    def piles(self) -> tuple[tuple[float, int], ...]:
        """Give each of the single values with how many there are of it."""
        return tuple(sorted(Counter(self.dots).items()))

    @property
    def drawn(self) -> bool:
        """Say whether there is a mark."""
        return self.value is not None or bool(self.dots) or bool(self.boxes)


@dataclass(frozen=True, slots=True)
class Lane:
    """One column.

    Attributes:
        title: The heading.
        axis: The ends of its scale; None where it has words alone.
        ends: What is printed at the ends.
        line: Where a thin line stands, such as length beside metrics; None for none.
        harm: Drawn in the colour of harm.
        boxes: Drawn as boxes, one a document.
    """

    title: str
    axis: tuple[float, float] | None = None
    ends: tuple[str, str] = ("", "")
    line: float | None = None
    harm: bool = False
    boxes: bool = False

    def along(self, value: float) -> float:
        """Place a value on the lane, 0 to 1; what lies beyond an end stands at it.

        Example:
            >>> Lane("Accuracy", (1.0, 5.0)).along(4.0)
            0.75
        """
        low, high = self.axis or (0.0, 1.0)
        return min(1.0, max(0.0, (value - low) / (high - low)))


@dataclass(frozen=True, slots=True)
class OverviewRow:
    """One row: a system, a measure, a query, a metric.

    Attributes:
        title: What it is called.
        spots: One a lane.
        axis: The ends of its own scale, where each row has one; None for the lane's.
        ends: What is printed at them.
    """

    title: str
    spots: tuple[Spot, ...]
    axis: tuple[float, float] | None = None
    ends: tuple[str, str] = ("", "")

    def lane(self, lane: Lane) -> Lane:
        """Give the lane as this row has it."""
        if self.axis is None or lane.axis is None:
            return lane
        return Lane(lane.title, self.axis, self.ends, harm=lane.harm)


@dataclass(frozen=True, slots=True)
class Overview:
    """What a report shows first.

    Attributes:
        title: What was found, in one sentence without a stop.
        rows_are: What a row is, such as `System`.
        lanes: The columns, left to right.
        rows: The rows, in their order.
        caption: Sentences that can stand alone.
        says: Finding to how many of its sentences title and figure say already; -1 for all.
        intervals: What the intervals are, such as `95% CI over cases`; empty for none.
        pairs: Over how many pairs the verdicts are corrected; 0 for none.
        more: Rows that a table has and the figure has no room for.
        cautions: Sentences that no reader of the marks may miss.
        finding: The finding whose verdict the title gives; empty where it gives none.
        shows: Tables whose numbers it shows, by their id: they are folded below it.
    """

    title: str
    rows_are: str
    lanes: tuple[Lane, ...]
    rows: tuple[OverviewRow, ...]
    caption: str
    says: tuple[tuple[str, int], ...] = ()
    intervals: str = ""
    pairs: int = 0
    more: int = 0
    cautions: tuple[str, ...] = ()
    finding: str = ""
    shows: tuple[str, ...] = ("at-a-glance",)

    @property
    def drawn(self) -> bool:
        """Say whether any cell has a mark."""
        return any(spot.drawn for row in self.rows for spot in row.spots)

    @property
    def leads(self) -> bool:
        """Say whether a mark opens answers."""
        return any(spot.drawn and spot.leads for row in self.rows for spot in row.spots)

    @property
    def in_words(self) -> str:
        """Say every row in words: what a reader who sees no picture gets of it."""
        return " ".join(_row_words(self, row) for row in self.rows)


def _row_words(overview: Overview, row: OverviewRow) -> str:
    parts = []
    for lane, spot in zip(overview.lanes, row.spots, strict=True):
        words = " ".join(part for part in (spot.text, spot.aside, spot.verdict) if part)
        if words:
            parts.append(f"{lane.title} {words}" if lane.title else words)
    return f"{row.title}: {'; '.join(parts)}." if parts else f"{row.title}: nothing."


def difference_words(
    differences: Sequence[tuple[float, float | None, float | None, bool]],
    decimals: int,
    within: Sequence[float | None] = (),
) -> list[tuple[str, str]]:
    """Print differences with their intervals, all with the digits that keep each verdict true.

    Bounds round outward. Where a decided difference would so seem to reach 0, or one that lies
    inside a margin to reach it, the column has more digits.

    Args:
        differences: Each with the ends of its interval, and whether it is decided.
        decimals: Digits behind the point, at least.
        within: The margin that each is said to lie in; None for none. Empty: of none.

    Returns:
        Each difference, and its interval in brackets; empty where it has none.

    Example:
        >>> difference_words([(-0.31, -0.6, -0.004, True), (-0.2, -0.5, 0.1, False)], 1)
        [('−0.310', '(−0.600 to −0.004)'), ('−0.200', '(−0.500 to 0.100)')]
        >>> difference_words([(-0.31, -0.6, 0.004, False)], 1)
        [('−0.3', '(−0.6 to 0.1)')]
        >>> difference_words([(0.1, -0.1, 0.26, False)], 1, [0.3])
        [('0.10', '(−0.10 to 0.26)')]
    """
    printed: list[tuple[str, str]] = []
    for digits in range(decimals, decimals + _MORE_DIGITS):
        printed = [
            (
                rounded(value, digits, ROUND_HALF_EVEN),
                "" if low is None or high is None else f"({span_words(low, high, digits)})",
            )
            for value, low, high, _ in differences
        ]
        decided = [own for own, (*_, sure) in zip(printed, differences, strict=True) if sure]
        inside = all(
            margin is None or _inside(span, margin)
            for (_, span), margin in zip(printed, within or [None] * len(printed), strict=True)
        )
        if inside and all(_one_side(*own) for own in decided):
            break
    return printed


def _one_side(text: str, span: str) -> bool:
    """Say whether an interval is printed on one side of 0, the side of its estimate."""
    if not span:
        return bool(text.strip("−0."))
    ends = _ends(span)
    value = float(text.replace("−", "-"))
    return min(ends) > 0 < value or max(ends) < 0 > value


def _inside(span: str, margin: float) -> bool:
    """Say whether an interval is printed inside a margin."""
    return not span or max(map(abs, _ends(span))) < margin


def _ends(span: str) -> list[float]:
    return [float(end.replace("−", "-")) for end in span.strip("()").split(" to ")]


PERCENT: Final = 100
_ROUND: Final = (1.0, 2.0, 2.5, 5.0, 10.0)


def missing_spot(why: str, leads: Links | None = None) -> Spot:
    """Make a cell for a value that is not there, with its reason."""
    return Spot("none", why=why, leads=leads)


def spot_of(
    value: float, around: Interval | None, decimals: int, leads: Links | None = None
) -> Spot:
    """Make a cell of an estimate with its interval."""
    text = f"{value:.{decimals}f}".replace("-", "−")
    if around is None:
        return Spot(text, value=value, leads=leads)
    span = span_words(around.low, around.high, decimals)
    return Spot(text, f"({span})", value, around.low, around.high, leads=leads)


def counted_spot(
    found: int, n: int, low: float | None, high: float | None, leads: Links | None = None
) -> Spot:
    """Make a cell of a count with the interval of its share, in whole percent rounded outward."""
    aside = ""
    if low is not None and high is not None:
        aside = f"({span_words(PERCENT * low, PERCENT * high, 0)}%)"
    return Spot(f"{found:,} of {n:,}", aside, found / n, low, high, leads=leads)


def percent_spot(share: float, around: Interval | None, n: int, leads: Links | None = None) -> Spot:
    """Make a cell of a share over n answers, in percent; its interval is rounded outward."""
    text = percent_words(share, n)
    if around is None:
        return Spot(text, value=share, leads=leads)
    span = f"({span_words(PERCENT * around.low, PERCENT * around.high, 0)}%)"
    return Spot(text, span, share, around.low, around.high, leads=leads)


def share_lane(title: str, shown: list[Spot], *, harm: bool = False) -> Lane:
    """Make a lane of shares from 0 to a round percent beyond what is shown."""
    ends = [end for spot in shown for end in (spot.value, spot.high) if end is not None]
    top = max(ends, default=0.0)
    if top <= 0:
        top = 1.0
    power = 10.0 ** floor(log10(top))
    high = min(1.0, next(step * power for step in _ROUND if step * power >= top - 1e-12))
    return Lane(title, (0.0, high), ("0%", f"{PERCENT * high:g}%"), harm=harm)


def intervals_words(intervals: list[Interval | None]) -> str:
    """Say what the intervals are, once for all of them; empty where there is none."""
    levels = dict.fromkeys(round(PERCENT * i.level, 3) for i in intervals if i is not None)
    return f"{'/'.join(f'{level:g}%' for level in levels)} CI over cases" if levels else ""

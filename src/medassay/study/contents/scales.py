"""Which way is better, and between which ends: of each metric that is compared."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from medassay.errors import InvalidInput, Problem, UnknownName
from medassay.metrics import BoundMetric, Declaration, declarations, resolve
from medassay.scores import Name
from medassay.study.contents.imported import Meaning
from medassay.validity import Direction

__all__ = [
    "MetricScaleOptions",
    "Scale",
    "imported_scale",
    "metric_scale",
    "read_range",
    "registered_scale",
]

_DIRECTIONS: Final[dict[str, Direction]] = {"higher": "higher", "lower": "lower", "none": "none"}


@dataclass(frozen=True)
class Scale:
    """What is known of a metric's values.

    Attributes:
        direction: Which way is better; None if nobody has said.
        low: The least possible value, if there is one.
        high: The greatest possible value, if there is one.
        if_no_answer: What an answer never given counts as, where the metric declares it.
        declared: Whether the metric itself says so, and nobody may say otherwise.
        harm: Whether it measures harm.
    """

    direction: Direction | None = None
    low: float | None = None
    high: float | None = None
    if_no_answer: float | None = None
    declared: bool = False
    harm: bool = False

    @property
    def worst(self) -> float | None:
        """Give what a lost score counts as: an answer never given, else the worse end."""
        if self.if_no_answer is not None:
            return self.if_no_answer
        return self.high if self.direction == "lower" else self.low

    def problems(self, name: str, values: Sequence[float]) -> list[Problem]:
        """Name a value outside of the range; scores times 100 are the usual reason."""
        low = -float("inf") if self.low is None else self.low
        high = float("inf") if self.high is None else self.high
        for value in (min(values), max(values)) if values else ():
            if not low <= value <= high:
                must = f"lie between {low:g} and {high:g}, the range of {name}"
                try_ = f"Say the range of yours, as in --range {name}=0..100."
                return [Problem(name, must, f"{value:g}", try_, None, "value")]
        return []

    def seen(self, values: Sequence[float]) -> "Scale":
        """Take 0 to 1 for the range if all values lie in it, else only what was seen.

        Beyond what was seen there may be worse values, so a lost score has none to count as.
        """
        if self.low is not None or self.high is not None or not values:
            return self
        if min(values) >= 0 and max(values) <= 1:
            return replace(self, low=0.0, high=1.0)
        return self


@dataclass(frozen=True)
class MetricScaleOptions:
    """What the user says of metrics; the name "" stands for every metric not named.

    Attributes:
        directions: Which way is better.
        lows: Their least possible values.
        highs: Their greatest possible values.
        harms: Metrics that measure harm, whatever they declare.
    """

    directions: Mapping[str, str]
    lows: Mapping[str, float]
    highs: Mapping[str, float]
    harms: frozenset[str] = frozenset()

    @property
    def named(self) -> set[str]:
        """List every metric that something is said of."""
        return ({*self.directions, *self.lows, *self.highs, *self.harms}) - {""}

    def over(self, scale: Scale, name: str) -> Scale:
        """Lay what was said over what is known.

        Raises:
            InvalidInput: It contradicts what the metric declares, or is no range.
        """
        direction = self.directions.get(name)
        if direction is None and scale.direction is None:
            direction = self.directions.get("")
        if direction is not None and scale.declared and direction != scale.direction:
            must = f"be {scale.direction} for {name}, as the metric declares"
            raise InvalidInput(Problem("--direction", must, direction))
        bare = "" if not scale.declared else name
        low = self.lows.get(name, self.lows.get(bare, scale.low))
        high = self.highs.get(name, self.highs.get(bare, scale.high))
        if low is not None and high is not None and low >= high:
            must = f"have low below high for {name}"
            raise InvalidInput(Problem("--range", must, f"{low:g} and {high:g}"))
        known = scale.direction if direction is None else _DIRECTIONS[direction]
        moved = (low, high) != (scale.low, scale.high)
        return replace(
            scale, direction=known, low=low, high=high,
            if_no_answer=None if moved else scale.if_no_answer,
            harm=scale.harm or name in self.harms,
        )  # fmt: skip


def read_range(said: str, option: str) -> tuple[float | None, float | None]:
    """Read the ends of a range as it is typed; an end that is left out is None.

    Raises:
        InvalidInput: It is no range.

    Example:
        >>> read_range("0..100", "--range"), read_range("-1..", "--range")
        ((0.0, 100.0), (-1.0, None))
    """
    low, dots, high = said.partition("..")
    try:
        ends = [float(end) if end.strip() else None for end in (low, high)]
    except ValueError:
        ends = []
    known = [end for end in ends if end is not None]
    if not (dots and known and all(map(math.isfinite, known))):
        hint = "For example 0..100, or 0.. where only the lower end is known."
        raise InvalidInput(Problem(option, "have the form LOW..HIGH", f'"{said}"', hint))
    return ends[0], ends[1]


def metric_scale(metric: BoundMetric) -> Scale:
    """Give the scale of a metric of medassay's."""
    return _declared(metric.declaration, *metric.range)


def imported_scale(meaning: Meaning) -> Scale:
    """Give the scale of imported scores, as their owner described them."""
    return Scale(meaning.direction, meaning.low, meaning.high, harm=meaning.harm)


def registered_scale(name: str) -> Scale:
    """Give the scale of the metric of a name, parameters given or not; an empty one if none has it.

    Example:
        >>> registered_scale("over_limit").direction, registered_scale("over_limit").high
        ('lower', 1)
        >>> registered_scale("rouge1").direction, registered_scale("acc").direction
        ('higher', None)
    """
    try:
        return metric_scale(resolve(name))
    except UnknownName:
        return Scale()
    except InvalidInput:
        base = Name.parse(name).base
        for declaration in declarations():
            if declaration.name == base:
                return _declared(declaration, declaration.low, declaration.high)
    return Scale()


def _declared(declaration: Declaration, low: float | None, high: float | None) -> Scale:
    no_answer = (
        float(declaration.if_no_answer)
        if isinstance(declaration.if_no_answer, int | float)
        else None
    )
    direction = _DIRECTIONS[declaration.direction.value]
    return Scale(direction, low, high, no_answer, declared=True, harm=declaration.harm)

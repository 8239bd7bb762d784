"""What `medassay plan` says, as plain data."""

from typing import Literal

from medassay.marks import DesignName, Words
from medassay.marks.plain import Plain
from medassay.validity import Spread

__all__ = ["PlanCurve", "PlanPoint", "PlanReport", "PlannedSpread", "SeparateRow", "WidthRow"]


class PlannedSpread(Plain, infers=False):
    """Where the scores of one dimension or metric vary."""

    source: DesignName
    title: DesignName
    kind: Literal["dimension", "metric"]
    low: float | None
    """The least value of the scale, where it has one."""
    high: float | None
    spread: Spread


class SeparateRow(Plain, infers=False):
    """What it takes to tell two systems apart with so many labels an answer."""

    source: DesignName
    labels: int
    now: bool
    """Whether the study has about so many labels an answer."""
    cases_pair: int | None
    """Cases for two systems whose comparison was planned; None where a million are too few."""
    judgements_pair: int | None
    cases_all: int | None
    """Cases for all pairs of the study's systems, alpha divided by their number."""
    judgements_all: int | None
    detectable: float | None
    """What is found with the study's cases and this power."""


class PlanPoint(Plain, infers=False):
    """One point of a curve."""

    cases: int
    power: float
    detectable: float | None


class PlanCurve(Plain, infers=False):
    """Power and the detectable difference by the number of cases."""

    source: DesignName
    labels: int
    points: list[PlanPoint]


class WidthRow(Plain, infers=False):
    """What it takes to bring tau's interval under a width, for one metric and dimension."""

    metric: DesignName
    title: DesignName
    dimension: DesignName
    labels: int
    correlation: float | None
    """Of the system means, as the components of the study expect it."""
    width: float | None
    """With the systems, cases and labels of the study; predicted, not resampled."""
    cases: int | None
    """Cases for the systems there are; None where no number is enough."""
    systems: int | None
    """Systems on the cases there are; None where 100,000 are too few."""
    judgements: int | None
    """Labels in all for the cheaper of the two; None where neither is enough."""
    reason: Words


class PlanReport(Plain, infers=True):
    """Cases, systems, raters and judgements that an answer needs."""

    title: DesignName
    synthetic: bool
    detect: float | None
    target: float | None
    power: float
    alpha: float
    systems: int
    cases: int
    pairs: int
    spreads: list[PlannedSpread]
    separate: list[SeparateRow]
    curves: list[PlanCurve]
    widths: list[WidthRow]
    assumes: list[Words]

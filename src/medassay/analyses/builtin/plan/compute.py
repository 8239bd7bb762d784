"""What the study's own variance says of how many cases, raters and judgements a question needs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from medassay.analyses.builtin.plan.record import (
    PlanCurve,
    PlannedSpread,
    PlanPoint,
    PlanReport,
    SeparateRow,
    WidthRow,
)
from medassay.analyses.builtin.plan.words import assumptions
from medassay.analyses.inputs.readable import About, Design
from medassay.judgements import Judgements, Rubric, units
from medassay.validity import (
    Spread,
    cases_to_separate,
    detectable_difference,
    power_to_separate,
    spread_of_labels,
)

__all__ = [
    "PlanWishes",
    "Planned",
    "labels_planned",
    "lay_out",
    "plan_of",
    "scored_dimensions",
]

_LABELS = (1, 2, 3, 5)
_CURVE = (10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 1500, 2000)


@dataclass(frozen=True)
class PlanWishes:
    """What is asked of a plan.

    Attributes:
        detect: The difference of two systems that is to be found, in the unit of each scale.
        width: The width that the 95 % interval of tau is to have at most.
        dimensions: Only these; all whose labels have scores where None and no metric is named.
        metrics: These metrics.
        power: The probability with which the difference is found.
        alpha: The level of the test.
    """

    detect: float | None = None
    width: float | None = None
    dimensions: Sequence[str] | None = None
    metrics: Sequence[str] | None = None
    power: float = 0.8
    alpha: float = 0.05


@dataclass(frozen=True)
class Planned:
    """A dimension or metric to plan for.

    Attributes:
        name: Its id.
        title: What it is called.
        spread: Where its scores vary.
        ends: The ends of its scale.
        metric: Whether it is a metric.
    """

    name: str
    title: str
    spread: Spread
    ends: tuple[float | None, float | None]
    metric: bool


def scored_dimensions(rubric: Rubric, judgements: Judgements) -> list[str]:
    """Name the dimensions that were judged and have scores."""
    judged = set(judgements.frame["dimension"])
    return [
        dimension.id
        for dimension in rubric.dimensions
        if dimension.scored and dimension.id in judged
    ]


def plan_of(rubric: Rubric, judgements: Judgements, design: Design, name: str) -> Planned:
    """Say where the labels of a dimension vary."""
    dimension = rubric.dimension(name)
    spread = spread_of_labels(
        units(judgements, name), design.clusters or None, design.families or None
    )
    number = dimension.number
    ends = dimension.ends if number is None else (number.low, number.high)
    return Planned(name, dimension.title or name, spread, ends or (0.0, 0.0), metric=False)


def lay_out(
    about: About,
    size: tuple[int, int],
    planned: Sequence[Planned],
    wishes: PlanWishes,
    widths: Sequence[WidthRow] = (),
) -> PlanReport:
    """Say what it takes to find a difference.

    Args:
        about: The study.
        size: Its systems and its cases.
        planned: What is planned for; at least one must have a spread.
        wishes: What is asked.
        widths: What it takes to bring tau's interval under a width.
    """
    usable = [this_planned for this_planned in planned if not this_planned.spread.undefined]
    systems, cases = size
    return PlanReport(
        title=about.title,
        synthetic=about.synthetic,
        detect=wishes.detect,
        target=wishes.width,
        power=wishes.power,
        alpha=wishes.alpha,
        systems=systems,
        cases=cases,
        pairs=systems * (systems - 1) // 2,
        spreads=[_laid_out(this_planned) for this_planned in planned],
        separate=[
            row
            for this_planned in usable
            for row in _separate(this_planned, wishes, systems, cases)
        ],
        curves=[
            _curve(this_planned, labels, wishes)
            for this_planned in usable
            for labels in labels_planned(this_planned.spread)
        ],
        widths=list(widths),
        assumes=assumptions(
            wishes.detect, wishes.width, [this_planned.spread for this_planned in usable]
        ),
    )


def labels_planned(spread: Spread) -> list[int]:
    """Give the numbers of labels an answer to plan with; only what is, where they are not apart."""
    if not spread.raters_apart:
        return [max(1, round(spread.labels))]
    return sorted({*_LABELS, round(spread.labels)})


def _separate(planned: Planned, wishes: PlanWishes, systems: int, cases: int) -> list[SeparateRow]:
    pairs = max(1, systems * (systems - 1) // 2)
    rows = []
    for labels in labels_planned(planned.spread):
        cases_needed: list[int | None] = [None, None]
        if wishes.detect is not None:
            cases_needed = [
                cases_to_separate(
                    planned.spread, wishes.detect, labels, power=wishes.power, alpha=alpha
                )
                for alpha in (wishes.alpha, wishes.alpha / pairs)
            ]
        judged = 0 if planned.metric else labels
        rows.append(
            SeparateRow(
                source=planned.name,
                labels=labels,
                now=labels == round(planned.spread.labels),
                cases_pair=cases_needed[0],
                judgements_pair=None if cases_needed[0] is None else 2 * cases_needed[0] * judged,
                cases_all=cases_needed[1],
                judgements_all=None
                if cases_needed[1] is None
                else systems * cases_needed[1] * judged,
                detectable=detectable_difference(
                    planned.spread, cases, labels, power=wishes.power, alpha=wishes.alpha
                ),
            )
        )
    return rows


def _curve(planned: Planned, labels: int, wishes: PlanWishes) -> PlanCurve:
    """Lay out the curve; without a difference to find, power is that for the detectable one."""
    points = []
    for cases in _CURVE:
        least = detectable_difference(
            planned.spread, cases, labels, power=wishes.power, alpha=wishes.alpha
        )
        power = wishes.power
        if wishes.detect is not None:
            power = power_to_separate(
                planned.spread, wishes.detect, cases, labels, alpha=wishes.alpha
            )
        points.append(PlanPoint(cases=cases, power=power, detectable=least))
    return PlanCurve(source=planned.name, labels=labels, points=points)


def _laid_out(planned: Planned) -> PlannedSpread:
    kind: Literal["metric", "dimension"] = "metric" if planned.metric else "dimension"
    low, high = planned.ends
    return PlannedSpread(
        source=planned.name,
        title=planned.title,
        kind=kind,
        low=low,
        high=high,
        spread=planned.spread,
    )

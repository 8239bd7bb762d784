"""What can the study tell apart as it is, and with more cases or more labels?"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import TYPE_CHECKING, Final, Literal

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import About, Design
from medassay.annotations import DesignName, Words
from medassay.annotations.record import Plain
from medassay.cases import Cases
from medassay.exhibits.claim import Finding, ReaderQuestion
from medassay.exhibits.columns import celled, shown, table_of
from medassay.exhibits.drawing import ACCENT, INK, LINE, SOFT, WIDE, Picture, bare, new_figure
from medassay.exhibits.table import Cell, Table
from medassay.judgements import Judgements, Rubric, units
from medassay.validity import (
    Spread,
    cases_to_separate,
    detectable_difference,
    power_to_separate,
    spread_of_labels,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


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


_NEVER: Final = "not with a million"
_FINE: Final = "{:.3f}".format


def plan_tables(plan: PlanReport) -> list[Table]:
    """Give the tables that a reader sees, in order."""
    asked = [] if plan.target is None else [width_table(plan)]
    if plan.detect is not None or plan.target is None:
        asked = [plan_table(plan), *asked]
    return [*asked, spread_table(plan)]


def plan_table(plan: PlanReport) -> Table:
    """Lay out how many cases and judgements tell systems apart."""
    planned_spreads = {spread.source: spread for spread in plan.spreads}
    asked = plan.detect is not None
    every = f"all {plan.pairs} pairs"

    def judgements(attribute: str) -> Callable[[SeparateRow], Cell]:
        def cell(row: SeparateRow) -> Cell:
            of_raters = planned_spreads[row.source].kind == "dimension"
            return _count(getattr(row, attribute)) if of_raters else Cell("-", (None,))

        return cell

    def number(attribute: str) -> Callable[[SeparateRow], Cell]:
        return lambda row: _count(getattr(row, attribute))

    def scale(row: SeparateRow) -> str:
        spread = planned_spreads[row.source]
        ends = spread.low is not None and spread.high is not None
        return f"scale {spread.low:g} to {spread.high:g}" if ends else ""

    needed = [
        celled(heading, attribute, cell(attribute), numeric=True, group=group)
        for group, which in (("one planned pair", "pair"), (every, "all"))
        for heading, attribute, cell in (
            ("cases", f"cases_{which}", number),
            ("judgements", f"judgements_{which}", judgements),
        )
    ]
    return table_of(
        [(planned_spreads[row.source].title, row) for row in plan.separate],
        (
            celled("labels an answer", ("labels", "as_now"), _labels, numeric=True),
            celled(f"found with {plan.cases} cases", "detectable", _found, numeric=True),
            *(needed if asked else ()),
        ),
        id="plan",
        title=f"What it takes to find a difference of {plan.detect:g}"
        if asked
        else "What the study finds as it is",
        caption=f"Power {plan.power:g}, two-sided level {plan.alpha:g}; {plan.systems} systems. "
        "Differences in the unit of each scale.",
        grouped_by="source",
        about=scale,
        synthetic=plan.synthetic,
    )


def _labels(row: SeparateRow) -> Cell:
    return Cell(str(row.labels), (row.labels, row.now), "as now" if row.now else "")


def _found(row: SeparateRow) -> Cell:
    found = row.detectable
    return Cell("none" if found is None else f"{found:.2f}", (found,), missing=found is None)


def width_table(plan: PlanReport) -> Table:
    """Lay out how many systems or cases narrow tau's interval."""
    under = f"What it takes to narrow tau's 95% CI to under {plan.target or 2:g}"
    return table_of(
        [(row.dimension, row) for row in plan.widths],
        (
            celled("metric", "metric", lambda row: Cell(row.title, (row.metric,), row.reason)),
            shown("labels an answer", "labels", str),
            celled("width now", "width", _width, numeric=True),
            celled("cases", "cases", _enough("cases"), numeric=True),
            celled("or systems", "systems", _enough("systems"), numeric=True),
            celled("judgements", "judgements", _enough("judgements"), numeric=True),
        ),
        id="plan-tau",
        title="Tau's 95% CI" if plan.target is None else under,
        caption="New systems on new cases. Either more cases for the systems there are, or more "
        "systems on the cases there are; judgements in all for the cheaper of the two.",
        grouped_by="dimension",
        empty="Nobody rated an answer, so there is no tau.",
        synthetic=plan.synthetic,
    )


def _width(row: WidthRow) -> Cell:
    width = "none" if row.width is None else f"{row.width:.2f}"
    return Cell(width, (row.width,), missing=row.width is None, detail=row.reason)


def _enough(attribute: str) -> Callable[[WidthRow], Cell]:
    return lambda row: _count(getattr(row, attribute), "" if row.reason else "no number")


def spread_table(plan: PlanReport) -> Table:
    """Lay out where the scores vary, each part as its standard deviation."""
    parts = (
        "family", "system", "cluster", "case", "system_cluster", "system_case", "rater", "residual",
    )  # fmt: skip
    some = [
        part for part in parts if any(getattr(spread.spread, part) > 0 for spread in plan.spreads)
    ]
    words = {
        "system_cluster": "system x cluster", "system_case": "system x case",
        "residual": "label by label",
    }  # fmt: skip

    def deviation(part: str) -> Callable[[PlannedSpread], float]:
        return lambda planned: float(getattr(planned.spread, part) ** 0.5)

    return table_of(
        plan.spreads,
        (
            celled(
                "scores",
                "source",
                lambda planned: Cell(planned.title, (planned.source,), planned.spread.undefined),
            ),
            *(shown(words.get(part, part), deviation(part), _FINE, file=part) for part in some),
            shown("answers with two labels", "spread.relabelled", str, file="relabelled"),
        ),
        id="plan-spread",
        title="Where the scores vary (standard deviations)",
        caption="Components of variance by MIVQUE0; an estimate below 0 counts as 0.",
        synthetic=plan.synthetic,
        stands="file",
    )


def _count(value: int | None, none: str = _NEVER) -> Cell:
    return Cell(none if value is None else f"{value:,}", (value,), missing=value is None)


_FEW: Final = 30
_FEW_SYSTEMS: Final = 12
_WHOLE: Final = 0.99
"""With fewer of all answers judged, the cases of the study are not those of every system."""
_OWN: Final = (
    "The variance is estimated from this study (MIVQUE0), as if new cases, raters and systems "
    "were like these. The estimate is uncertain."
)
_PAIRED: Final = (
    "Assumes that both systems answer every case, and that every pair varies as much as the "
    "average pair."
)


def assumptions(detect: float | None, width: float | None, spreads: Sequence[Spread]) -> list[str]:
    """List what the numbers rest on, and where they rest on little."""
    lines = [_OWN, _PAIRED]
    if detect is not None:
        lines.append(
            "The difference is in the unit of each scale. Cases for one pair suppose a planned "
            "comparison; for all pairs alpha is divided by their number (Holm needs no more)."
        )
    if width is not None:
        lines.append(
            "Tau's width is for new systems on new cases and one metric named before (variance "
            "of tau between two normal columns, Esscher 1924). The intervals of the trust table "
            "hold for all its metrics together and are wider. Assumes that the correlation stays "
            "as it is, and that systems of the same kind can be added."
        )
        systems = min(spread.systems for spread in spreads)
        if systems < _FEW_SYSTEMS:
            lines.append(
                f"The correlation behind tau's width is estimated from {systems} systems: it may "
                "be far off, and so may the numbers."
            )
    if any(spread.cluster_size > 1 for spread in spreads):
        lines.append("Cases come in clusters as in the study; whole clusters are added.")
    few = [spread for spread in spreads if spread.raters_apart and spread.relabelled < _FEW]
    if few:
        least = min(spread.relabelled for spread in few)
        lines.append(
            f"Only {least} answers have two labels or more, so the gain from a second rater is "
            "uncertain."
        )
    if any(spread.raters_apart and spread.shared < 1 for spread in spreads):
        lines.append(
            "Raters are spread over answers as in the study. Where two answers to a case have "
            "different raters, the difference includes their severity."
        )
    return lines


def plan_finding(plan: PlanReport) -> Finding | None:
    """Say what difference these cases find on the first dimension, and what half of it takes.

    What is found falls with the root of the cases: half of it takes four times as many.
    """
    first = next((row for row in plan.separate if row.now and row.detectable is not None), None)
    if first is None or first.detectable is None:
        return None
    spread = next(spread for spread in plan.spreads if spread.source == first.source)
    title = spread.title
    if spread.low is not None and spread.high is not None:
        widest = spread.high - spread.low
        if first.detectable >= widest:
            text = (
                f"{plan.cases} cases are too few to detect any difference on the scale of {title}."
            )
            return Finding("plan", text, ("plan",), ReaderQuestion.NEXT)
    # Labels over their harmonic mean an answer are never fewer than the answers.
    answers = spread.spread.n / spread.spread.labels
    some = answers < _WHOLE * plan.systems * plan.cases
    found, power = f"{first.detectable:.2f} on {title}", f"{100 * plan.power:.0f}% power"
    rated, more = "", "half of that needs four times as many"
    if some:
        rated, more = " rated for every system", "here fewer answers were rated"
    text = f"{plan.cases:,} cases{rated} detect a difference of {found} ({power}); {more}."
    return Finding("plan", text, ("plan",), ReaderQuestion.NEXT)


_LABELS = (1, 2, 3, 5)
_CURVE = (10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 1500, 2000)


@dataclass(frozen=True)
class PlanWishes:
    """What is asked of a plan.

    Attributes:
        detect: The difference of two systems that is to be found, in the unit of each scale.
        width: The width that the 95% interval of tau is to have at most.
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
    usable = [outcome for outcome in planned if not outcome.spread.undefined]
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
        spreads=[_laid_out(outcome) for outcome in planned],
        separate=[row for outcome in usable for row in _separate(outcome, wishes, systems, cases)],
        curves=[
            _curve(outcome, labels, wishes)
            for outcome in usable
            for labels in labels_planned(outcome.spread)
        ],
        widths=list(widths),
        assumes=assumptions(wishes.detect, wishes.width, [outcome.spread for outcome in usable]),
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


_ACROSS: Final = 3
_TITLE: Final = 76
"""Letters of a title over the whole width."""
_SHADES: Final = ("#0b5cad", "#4b86c0", "#86aed4", "#b4cde4", "#d3e2ef")


def plan_pictures(plan: PlanReport) -> dict[str, Picture]:
    """Draw the curve for the page, from what the study's own variance says."""
    caption = (
        "By cases that both systems answer, for one to five labels an answer (power "
        f"{plan.power:g}, two-sided level {plan.alpha:g}). Dotted: cases now. From the study's "
        "own variance, uncertain if cases are few."
    )
    title = "How small a difference the study finds, and would find"
    return {"plan": Picture(title, plan_curve(plan), caption)}


def plan_curve(plan: PlanReport) -> "Figure":
    """Draw one panel a dimension or metric: the detectable difference by the number of cases."""
    shown = [spread for spread in plan.spreads if not spread.spread.undefined]
    across = min(_ACROSS, len(shown))
    down = -(-len(shown) // across)
    figure = new_figure(WIDE, 14 + 56 * down, synthetic=plan.synthetic)
    panels = figure.subplots(down, across, squeeze=False)
    for place, planned_spread in enumerate(shown):
        axes = panels[place // across, place % across]
        _panel(
            axes, plan, planned_spread.source, 1 if not planned_spread.spread.raters_apart else None
        )
        title = fill(planned_spread.title, _TITLE // across)
        axes.set_title(title, fontsize=8, loc="left", fontweight="bold")
        axes.set_xlabel("cases that both systems answer")
        if place % across == 0:
            axes.set_ylabel(f"difference found, power {plan.power:g}")
    for place in range(len(shown), down * across):
        panels[place // across, place % across].set_visible(False)
    return figure


def _panel(axes: "Axes", plan: PlanReport, source: str, alone: int | None) -> None:
    bare(axes, "bottom", "left")
    axes.set_xscale("log")
    axes.grid(axis="y", color=LINE, linewidth=0.5)
    axes.set_axisbelow(True)
    curves = [of_source for of_source in plan.curves if of_source.source == source]
    now = [row.labels for row in plan.separate if row.source == source and row.now]
    for shade, curve in zip(reversed(_SHADES[: len(curves)]), curves, strict=True):
        points = [(p.cases, p.detectable) for p in curve.points if p.detectable is not None]
        own = curve.labels in now
        axes.plot(
            [cases for cases, _ in points],
            [least for _, least in points],
            color=ACCENT if alone else shade,
            linewidth=2.0 if own else 1.0,
            label=f"{curve.labels}{' (as now)' if own and not alone else ''}",
        )
    if plan.detect is not None:
        axes.axhline(plan.detect, color=INK, linewidth=0.7, linestyle=(0, (4, 3)))
        axes.annotate(
            f"{plan.detect:g}", (1, plan.detect), xycoords=("axes fraction", "data"),
            xytext=(-2, 2), textcoords="offset points", ha="right", va="bottom", color=INK,
        )  # fmt: skip
    axes.axvline(plan.cases, color=SOFT, linewidth=0.7, linestyle=(0, (1, 2)))
    axes.annotate(
        f"{plan.cases} now", (plan.cases, 1), xycoords=("data", "axes fraction"),
        xytext=(2, -2), textcoords="offset points", va="top", color=SOFT, fontsize=7,
    )  # fmt: skip
    axes.set_ylim(bottom=0)
    ticks = (10, 30, 100, 300, 1000)
    axes.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    axes.minorticks_off()
    if not alone:
        axes.legend(title="labels an answer", title_fontsize=7, fontsize=7, frameon=False)


@analysis(
    Declaration(
        id="plan",
        title="How many more judgements",
        question="What can the study tell apart as it is, and with more cases or more labels?",
        section="panel",
        part="panel-plan",
        infers=True,
        reader="organiser",
        place=60,
        tables=lambda record, _: plan_tables(record),
        pictures=lambda record, _: plan_pictures(record),
        finding=lambda record, _: plan_finding(record),
    )
)
def plan(
    rubric: Rubric, judgements: Judgements, cases: Cases, design: Design, about: About
) -> PlanReport | None:
    """Say what the study finds as it is; None where there is nothing to plan from."""
    names = scored_dimensions(rubric, judgements)
    planned = [plan_of(rubric, judgements, design, name) for name in names]
    if all(on_dimension.spread.undefined for on_dimension in planned):
        return None
    size = len(design.systems), len(design.ranking_cases) or len(cases)
    return lay_out(about, size, planned, PlanWishes())

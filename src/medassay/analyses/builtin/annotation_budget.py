"""How many labels an answer does a ranking need?"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.consensus_fits import judged_units, ranked_by
from medassay.analyses.inputs.readable import Randomness
from medassay.annotations import record
from medassay.exhibits import PROPORTION, Names, Table, shown, table_of
from medassay.exhibits.columns import Shown, missing
from medassay.exhibits.drawing import ACCENT, LINE, OKABE_ITO, SOFT, WIDE, Picture, bare, new_figure
from medassay.exhibits.names import method_words
from medassay.exhibits.table import Cell, Column
from medassay.judgements import Judgements, Rubric
from medassay.validity import BudgetPoint
from medassay.validity import annotation_budget as budget_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_AGAINST: Final = {"full": "all labels", "rest": "the other labels"}


def budget_table(points: Sequence[BudgetPoint], names: Names) -> Table:
    """Show how near the ranking by k labels an answer comes."""
    return table_of(
        ((names.of_dimension(point.dimension), point) for point in points),
        (
            shown("Consensus", "method", method_words, numeric=False, wide=True),
            shown("Compared with", "against", _AGAINST.__getitem__, numeric=False),
            Shown(Column("Labels", ("k", "panel"), numeric=True), _labels),
            Shown(
                Column("Tau", ("tau", "band_low", "band_high", "tau_reason"), numeric=True), _band
            ),
            shown("Answers", "answers", "{:,}".format, adds=("systems", "draws")),
        ),
        id="annotation-budget",
        title="How many labels an answer a ranking needs",
        caption="Kendall's tau of the ranking by k labels an answer, drawn at random many times, "
        "with the ranking by all labels (of which they are a part) and with that by the labels not "
        "drawn. The band holds the central 95% of the draws; it is no interval for new cases.",
        empty="No answer was judged by two raters.",
        grouped_by="dimension",
    )


def _labels(budget_point: BudgetPoint) -> Cell:
    return Cell(f"{budget_point.k} of {budget_point.panel}", (budget_point.k, budget_point.panel))


def _band(budget_point: BudgetPoint) -> Cell:
    if budget_point.tau is None or budget_point.low is None or budget_point.high is None:
        return missing(budget_point.reason, 4)
    band = f"{PROPORTION(budget_point.low)} to {PROPORTION(budget_point.high)}"
    return Cell(
        PROPORTION(budget_point.tau),
        (budget_point.tau, budget_point.low, budget_point.high, ""),
        aside=band,
    )


_ACROSS: Final = 3
_OTHER: Final = OKABE_ITO[5]
_LOOKS: Final = {
    "full": (ACCENT, "o", "all labels", -0.04),
    "rest": (_OTHER, "s", "labels not drawn", 0.04),
}


def budget_pictures(points: Sequence[BudgetPoint], names: Names) -> dict[str, Picture]:
    """Draw tau over k labels an answer, a panel a dimension and a row of panels a method."""
    shown = [point for point in points if point.tau is not None]
    if not shown:
        return {}
    cells = [
        (method, dimension)
        for method in dict.fromkeys(budget_point.method for budget_point in shown)
        for dimension in dict.fromkeys(budget_point.dimension for budget_point in shown)
        if any(
            (budget_point.method, budget_point.dimension) == (method, dimension)
            for budget_point in shown
        )
    ]
    across = min(_ACROSS, len(dict.fromkeys(dimension for _, dimension in cells)))
    down = -(-len(cells) // across)
    width = WIDE if across > 1 else 100
    figure = new_figure(width, 42 * down + 6, synthetic=names.synthetic)
    grid = figure.subplots(down, across, squeeze=False)
    low = 0.0 if min(_low(budget_point) for budget_point in shown) >= 0 else -1.0
    for place, axes in enumerate(grid.flat):
        if place >= len(cells):
            axes.set_axis_off()
            continue
        method, dimension = cells[place]
        own = [
            budget_point
            for budget_point in shown
            if (budget_point.method, budget_point.dimension) == (method, dimension)
        ]
        _panel(axes, own, low, labelled=place == 0)
        axes.set_title(
            f"{names.of_dimension(dimension)}\n{method_words(method)}",
            fontsize=8,
            fontweight="bold",
            loc="left",
        )
        if place % across == 0:
            axes.set_ylabel("Kendall's tau")
        if place + across >= len(cells):
            axes.set_xlabel("labels an answer")
    answers = [budget_point.answers for budget_point in shown]
    span = str(min(answers)) if min(answers) == max(answers) else f"{min(answers)}–{max(answers)}"
    caption = (
        f"Of each of {span} answers k labels are drawn at random, {shown[0].draws} times, and the "
        "systems ranked by them. Blue circles: tau with the ranking by all labels, of which the k "
        "are a part, so that it must reach 1 (open circle). Orange squares: tau with the ranking "
        "by the labels not drawn, which share none with them. Bands and lines hold the central "
        "95% of the draws; they are no intervals for new cases."
    )
    return {"budget": Picture("How many labels an answer a ranking needs", figure, caption)}


def _panel(axes: "Axes", own: list[BudgetPoint], low: float, *, labelled: bool) -> None:
    bare(axes, "left", "bottom")
    panel = own[0].panel
    axes.axhline(1, color=LINE, linewidth=0.6, zorder=0)
    for against, (colour, form, word, aside) in _LOOKS.items():
        points = sorted(
            (budget_point for budget_point in own if budget_point.against == against),
            key=lambda budget_point: budget_point.k,
        )
        if not points:
            continue
        ks = [point.k + aside for point in points]
        taus = [point.tau if point.tau is not None else 0.0 for point in points]
        lows, highs = [_low(point) for point in points], [_high(point) for point in points]
        if len(points) > 1:
            axes.fill_between(ks, lows, highs, color=colour, alpha=0.16, linewidth=0)
        axes.vlines(ks, lows, highs, color=colour, linewidth=1.0)
        axes.plot(ks, taus, marker=form, color=colour, markersize=4, linewidth=1.2, clip_on=False)
        if against == "full":
            axes.plot([ks[-1], panel], [taus[-1], 1], color=colour, linewidth=0.8, linestyle=":")
            axes.plot(
                [panel],
                [1],
                "o",
                color=colour,
                markerfacecolor="white",
                markersize=4,
                clip_on=False,
            )
        if labelled and against == "full":
            axes.text(panel, 1 - 0.06 * (1 - low), word, color=colour, va="top", ha="right")
        elif labelled:
            # At the left and below, where no word of the other curve stands.
            below = max(min(min(lows) - 0.04 * (1 - low), 1 - 0.22 * (1 - low)), low + 0.16)
            axes.text(0.85, below, word, color=colour, va="top", ha="left")
    axes.set_xlim(0.8, panel + 0.25)
    axes.set_ylim(low, 1.04)
    axes.set_xticks(range(1, panel + 1))
    axes.tick_params(axis="y", length=2, color=SOFT)


def _low(budget_point: BudgetPoint) -> float:
    return budget_point.low if budget_point.low is not None else budget_point.tau or 0.0


def _high(budget_point: BudgetPoint) -> float:
    return budget_point.high if budget_point.high is not None else budget_point.tau or 0.0


_DRAWS = 50


@record(infers=True)
class AnnotationBudget:
    """How near rankings by fewer labels come, by dimension and aggregation method."""

    points: tuple[BudgetPoint, ...]


@analysis(
    Declaration(
        id="annotation_budget",
        title="How many labels an answer a ranking needs",
        question="How near does the ranking by fewer labels an answer come to that by all?",
        section="panel",
        part="panel-ranking",
        infers=True,
        reader="organiser",
        cost="dear",
        place=50,
        tables=lambda budget, names: [budget_table(budget.points, names)],
        pictures=lambda budget, names: budget_pictures(budget.points, names),
    )
)
def annotation_budget(
    rubric: Rubric, judgements: Judgements, randomness: Randomness
) -> AnnotationBudget | None:
    """Draw k of n labels an answer, and see how near the ranking comes."""
    points = tuple(
        point
        for read in judged_units(rubric, judgements)
        for point in budget_of(
            read, ranked_by(read), rng=randomness.stream("s54", read.dimension), draws=_DRAWS
        )
    )
    return AnnotationBudget(points) if points else None

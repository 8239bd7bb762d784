"""Figure 3: how hard the cases are, and how far systems differ on them."""

from typing import TYPE_CHECKING, Final

from medassay.report.colours import OKABE_ITO
from medassay.report.figures.style import INK, LINE, SOFT, WIDE, bare
from medassay.report.names import Names
from medassay.report.numbers import PROPORTION, count_of, p_value
from medassay.report.paper.item import Item, missing_item, seen_on, signed
from medassay.report.paper.mark import blank
from medassay.report.tables import Cell, Column, Row, Table
from medassay.study.results import DifficultyResult, Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["difficulty_table", "figure_3"]

_ID, _NUMBER, _TITLE = "figure-3", "Figure 3", "How hard the cases are"
_MIDDLE: Final = "#aab2bc"
"""Far lighter than its neighbours, so that the three levels stay apart in grey."""
_LEVELS: Final = {
    "difficult": (OKABE_ITO[5], "v"),
    "moderate": (_MIDDLE, "o"),
    "easy": (OKABE_ITO[0], "^"),
}
_MOST_ACROSS, _BINS = 3, 18
_STEPS = 60


def figure_3(results: Results) -> Item:
    """Draw histograms of the case means, and mean against spread with the null of the scale."""
    found = [one for one in results.difficulty if one.cases][:6]
    if not found:
        needs = "judgements on a scale with scores, of at least three systems on each of some cases"
        return missing_item(_ID, _NUMBER, _TITLE, needs)
    across = min(_MOST_ACROSS, len(found))
    blocks = -(-len(found) // across)
    figure = blank(
        min(WIDE, 20 + 54 * max(2, across)), 92 * blocks + 14, synthetic=results.study.synthetic
    )
    panels = figure.subplots(
        2 * blocks, across, squeeze=False, height_ratios=[0.55, 1] * blocks, sharex="col"
    )
    names = Names(results)
    for place in range(across * blocks):
        block, column = divmod(place, across)
        top, bottom = panels[2 * block][column], panels[2 * block + 1][column]
        if place >= len(found):
            top.set_axis_off()
            bottom.set_axis_off()
            continue
        one = found[place]
        top.set_title(
            names.of_dimension(one.dimension), fontsize=8, fontweight="bold", loc="left", pad=13
        )
        _histogram(top, one, first=not column)
        _scatter(bottom, one, first=not column)
    handles, labels = panels[1][0].get_legend_handles_labels()
    figure.legend(
        handles[::-1], labels[::-1], loc="outside upper right", ncols=len(labels), frameon=False,
        handletextpad=0.4, columnspacing=1.4,
    )  # fmt: skip
    title = f"{_TITLE}, and how far systems differ on them"
    return Item(
        _ID, _NUMBER, title, _caption(results, found),
        signed(results, *(one.source for one in found)), figure, difficulty_table(results),
    )  # fmt: skip


def _edges(one: DifficultyResult) -> tuple[float, float]:
    """Span the cases; on the whole scale they would often be one blot."""
    means = [case.mean for case in one.cases]
    margin = max(0.06 * (max(means) - min(means)), 0.01 * (one.high - one.low))
    return max(one.low, min(means) - margin), min(one.high, max(means) + margin)


def _histogram(axes: "Axes", one: DifficultyResult, *, first: bool) -> None:
    bare(axes, "bottom")
    low, high = _edges(one)
    bins = [low + i * (high - low) / _BINS for i in range(_BINS + 1)]
    axes.hist(
        [[case.mean for case in one.cases if case.level == level] for level in _LEVELS],
        bins=bins, color=[colour for colour, _ in _LEVELS.values()], stacked=True,
        edgecolor="white", linewidth=0.4, zorder=2,
    )  # fmt: skip
    for name, value, side in (("Q1", one.q1, "right"), ("Q3", one.q3, "left")):
        if value is None:
            continue
        axes.axvline(value, color=INK, lw=0.7, dashes=(4, 3), zorder=3)
        axes.text(
            value, 1.03, f" {name} {value:.2f} ", transform=axes.get_xaxis_transform(), ha=side,
            va="bottom", fontsize=7,
        ).set_in_layout(False)  # fmt: skip
    axes.set_xlim(low, high)
    axes.locator_params(axis="y", nbins=4, integer=True)
    axes.tick_params(axis="x", length=2, width=0.6, color=LINE, labelbottom=False)
    if first:
        axes.set_ylabel("Cases")


def _scatter(axes: "Axes", one: DifficultyResult, *, first: bool) -> None:
    bare(axes, "left", "bottom")
    low, high = _edges(one)
    means = [low + i * (high - low) / _STEPS for i in range(_STEPS + 1)]
    roof = [((m - one.low) * (one.high - m)) ** 0.5 for m in means]
    axes.plot(means, roof, color=SOFT, lw=0.8, dashes=(1, 2), label="largest possible")
    banded = [c for c in one.cases if c.null_low is not None and c.null_high is not None]
    axes.fill_between(
        [c.mean for c in banded], [c.null_low or 0.0 for c in banded],
        [c.null_high or 0.0 for c in banded], color=LINE, linewidth=0, alpha=0.75, zorder=0.5,
    )  # fmt: skip
    if one.share is not None:
        curve = [r * one.share**0.5 for r in roof]
        axes.plot(means, curve, color=INK, lw=0.9, zorder=1, label="bounded scale alone")
    for level, (colour, shape) in _LEVELS.items():
        own = [c for c in one.cases if c.level == level]
        axes.plot(
            [c.mean for c in own], [c.spread for c in own], shape, color=colour, markersize=3.6,
            markeredgecolor=SOFT if level == "moderate" else "white", markeredgewidth=0.35,
            label=level,
        )  # fmt: skip
    axes.set_xlim(low, high)
    tallest = max([c.spread for c in one.cases] + [c.null_high or 0.0 for c in banded])
    axes.set_ylim(0, 1.3 * tallest or 1.0)
    axes.locator_params(axis="x", nbins=6)
    axes.tick_params(axis="both", length=2, width=0.6, color=LINE)
    axes.set_xlabel("Mean over systems")
    axes.text(
        0.98, 0.99, _said(one), transform=axes.transAxes, ha="right", va="top", fontsize=7,
        linespacing=1.4, zorder=4,
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1},
    ).set_in_layout(False)  # fmt: skip
    if first:
        axes.set_ylabel("SD over systems")


def _said(one: DifficultyResult) -> str:
    if one.rho is None:
        return ""
    text = f"ρ {PROPORTION(one.rho)}"
    if one.null is None:
        return text
    return f"{text}\nscale alone {PROPORTION(one.null.low)} to {PROPORTION(one.null.high)}"


def _caption(results: Results, found: list[DifficultyResult]) -> str:
    names, width = Names(results), found[0].null
    text = (
        f"Top: mean score of each case over systems by each dimension; dashed lines, first and "
        f"third quartile. A case is difficult at or below Q1, easy at or above Q3, else moderate. "
        f"Bottom: that mean (higher is easier) against the SD over systems; the "
        f"axes span the cases, of a scale from {found[0].low:g} to {found[0].high:g} in the first. "
        f"{seen_on(results)}. Scores are "
        + ("label sums (the paper's Pyramid)" if "label_sum" in found[0].source else "mean labels")
        + ". Dotted: the largest spread that the scale allows at a mean. Line and band: what the "
        "bounded scale alone produces, if systems use one share of that room on every case"
    )
    if width is not None:
        text += (
            f" (beta distribution, {width.replicates} draws, central {100 * width.level:g} % for "
            "each case; case means as observed)"
        )
    text += ". ρ is Spearman's correlation of mean and spread, beside its range under that null:"
    said = []
    for one in found:
        if one.rho is None or one.null is None or one.p is None:
            said.append(f"{names.of_dimension(one.dimension)}: no null ({one.reason})")
            continue
        side = "within" if one.null.low <= one.rho <= one.null.high else "outside"
        said.append(
            f"{names.of_dimension(one.dimension)} {PROPORTION(one.rho)}, {side} "
            f"{PROPORTION(one.null.low)} to {PROPORTION(one.null.high)} ({p_value(one.p)})"
        )
    lost = sum(one.left_out for one in found)
    text += f" {'; '.join(said)}. Within the range, less spread on easier cases says nothing of "
    text += "the systems."
    return text + (f" {count_of(lost, 'case')} left out: too few scores." if lost else "")


def difficulty_table(results: Results) -> Table:
    """List the cases: hardest first, how far they tell systems apart, which look mislabelled."""
    names = Names(results)
    rows = [
        Row(
            (
                Cell(case.case, (case.case,)),
                Cell(f"{case.mean:.2f}", (case.mean,)),
                Cell(f"{case.spread:.2f}", (case.spread, case.null_low, case.null_high)),
                Cell(case.level, (case.level,)),
                Cell(_r(case.discrimination), (case.discrimination, case.p, case.p_adjusted)),
                Cell(case.suspect, (case.suspect,)),
                Cell(str(case.n_systems), (case.n_systems,)),
            ),
            names.of_dimension(one.dimension),
        )
        for one in results.difficulty
        for case in one.cases
    ]
    columns = (
        Column("Case", ("case",)),
        Column("Mean", ("mean",), numeric=True),
        Column("SD", ("spread", "null_low", "null_high"), numeric=True),
        Column("Level", ("level",)),
        Column("Discrimination", ("discrimination", "p", "p_max_t"), numeric=True),
        Column("Suspect", ("suspect",)),
        Column("Systems", ("n_systems",), numeric=True),
    )
    return Table(
        "case-difficulty",
        "How hard each case is",
        "Hardest first. SD: over systems. Discrimination: correlation of the systems' scores on "
        "the case with their means on all other cases; the larger, the better the case separates "
        "systems. Reversed: below 0 with p < .05 (orders of systems), where the reference or the "
        "labels are worth a second look; beyond chance: also against the most extreme of all cases "
        "(max-T), since of 100 cases some are reversed by luck.",
        columns,
        tuple(rows),
        group_field="dimension",
        empty="No dimension has scores of three systems on a case.",
        synthetic=results.study.synthetic,
    )


def _r(value: float | None) -> str:
    return "–" if value is None else PROPORTION(value)

"""Figure 2: the ranking by label sums beside that by MACE, with all labels and with fewer."""

from typing import TYPE_CHECKING, NamedTuple

from medassay.analyses.builtin.aggregation_methods import aggregation_methods
from medassay.analyses.results import Results
from medassay.exhibits.columns import named_column, shown, system_column, table_of
from medassay.exhibits.drawing import ACCENT, INK, LINE, SOFT, WIDE, bare
from medassay.exhibits.numbers import PROPORTION, Style, count_of, number_word, p_value, p_way
from medassay.exhibits.table import Table
from medassay.report.names import Names
from medassay.report.paper.item import Item, blank, missing_item, seen_on, signed
from medassay.validity import RankSpread, SchemeRanks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ID, _NUMBER, _TITLE = "figure-2", "Figure 2", "Two aggregation methods, and fewer labels"


def figure_2(results: Results) -> Item:
    """Draw the places of the systems: a row of panels a dimension, a column a number of labels."""
    known = results.analyses.of(aggregation_methods)
    all_ranks = [
        ranks
        for ranks in (known.rankings if known else ())
        if ranks.tau is not None and ranks.panel > 1
    ]
    if not all_ranks:
        return missing_item(
            _ID, _NUMBER, _TITLE,
            "two or more labels an answer, as many for each, of at least three systems, and the "
            "consensus methods label_sum and mace in study.toml",
        )  # fmt: skip
    names = Names(results)
    dimensions = list(dict.fromkeys(ranks.dimension for ranks in all_ranks))
    budgets = sorted({ranks.k for ranks in all_ranks}, reverse=True)
    at = {(ranks.dimension, ranks.k): ranks for ranks in all_ranks}
    figure = blank(
        min(WIDE, 12 + 56 * len(budgets)), 10 + 54 * len(dimensions),
        synthetic=results.study.synthetic,
    )  # fmt: skip
    panels = figure.subplots(len(dimensions), len(budgets), squeeze=False, sharex=True, sharey=True)
    for down, dimension in enumerate(dimensions):
        for across, k in enumerate(budgets):
            axes: Axes = panels[down][across]
            _panel(axes, at.get((dimension, k)))
            if not down:
                axes.set_title(
                    f"MACE, {number_word(k)} label{'s' if k > 1 else ''} an answer", fontsize=8
                )
            if not across:
                axes.set_ylabel(f"{names.of_dimension(dimension)}\nMACE rank", linespacing=1.5)
            if down == len(dimensions) - 1:
                axes.set_xlabel("Pyramid rank (1 best)")
    joined = [f"{m}(dimension={d})" for d in dimensions for m in ("label_sum", "mace")]
    return Item(
        _ID, _NUMBER, _TITLE, _caption(results, all_ranks), signed(results, *joined),
        figure, _table(results, all_ranks),
    )  # fmt: skip


def _panel(axes: "Axes", ranks: SchemeRanks | None) -> None:
    bare(axes, "left", "bottom")
    axes.set_aspect("equal")
    if ranks is None:
        axes.set_axis_off()
        return
    most = len(ranks.places)
    ticks = [1, *range(max(2, most // 4), most - 1, max(2, most // 4)), most]
    axes.plot([0.5, most + 0.5], [0.5, most + 0.5], color=SOFT, lw=0.7, dashes=(4, 3), zorder=1)
    for place in ranks.places:
        axes.plot([place.first] * 2, [place.low, place.high], color=ACCENT, lw=1, alpha=0.55)
    axes.plot(
        [place.first for place in ranks.places], [place.second for place in ranks.places],
        "o", color=ACCENT, markersize=3.2, markeredgecolor="white", markeredgewidth=0.4,
    )  # fmt: skip
    axes.set_xlim(most + 1, 0)
    axes.set_ylim(most + 1, 0)
    axes.set_xticks(ticks)
    axes.set_yticks(ticks)
    axes.tick_params(axis="both", length=2, width=0.6, color=LINE)
    axes.text(
        0.97, 0.05, _said(ranks), transform=axes.transAxes, ha="right", va="bottom", color=INK,
        linespacing=1.4,
    )  # fmt: skip


def _said(scheme_ranks: SchemeRanks) -> str:
    tau = PROPORTION(scheme_ranks.tau or 0.0)
    if scheme_ranks.over_systems is not None:
        around = scheme_ranks.over_systems
        return f"τ {tau}\n[{PROPORTION(around.low)}, {PROPORTION(around.high)}]"
    if scheme_ranks.tau_low is None or scheme_ranks.tau_high is None or scheme_ranks.draws == 1:
        return f"τ {tau}"
    return (
        f"mean τ {tau}\n{PROPORTION(scheme_ranks.tau_low)} to {PROPORTION(scheme_ranks.tau_high)}"
    )


def _caption(results: Results, all_ranks: list[SchemeRanks]) -> str:
    whole = [ranks for ranks in all_ranks if ranks.k == ranks.panel]
    draws = max(ranks.draws for ranks in all_ranks)
    answers = all_ranks[0].answers
    text = (
        "Each dot is a system: its place by Pyramid (the sum of an answer's label scores, all "
        "labels) and by MACE with all labels, two or one label drawn from each answer; 1 is best, "
        "the dashed line is the same place in both. "
        f"{seen_on(results)}; {count_of(answers, 'answer')} with {all_ranks[0].panel} labels."
    )
    around = next((ranks.over_systems for ranks in whole if ranks.over_systems), None)
    if around is not None:
        text += (
            f" With all labels: tau-b with its {100 * around.level:g}% CI "
            f"({around.method}, {around.estimand}, {around.replicates} replicates, what both say "
            "of each answer held fixed)"
        )
        tested = [ranks for ranks in whole if ranks.p is not None]
        if tested:
            worst = max(tested, key=lambda ranks: ranks.p or 0.0)
            text += f"; largest {p_value(worst.p or 0.0)} ({p_way(worst.p_method)})"
        text += "."
    if draws > 1:
        text += (
            f" With fewer labels: mean tau-b and its range over {draws} draws, dots at the mean "
            "place, lines from the lowest to the highest; the paper shows one draw, which is in "
            "the CSV as tau_first_draw. This spread is of the draws, not of new cases."
        )
    return text + (
        " MACE sees labels that are in the sum as well: a part is compared with the whole, so this "
        "says how far the ranking moves, not how right it is, and agreement of the two schemes is "
        "no evidence that few labels would give another panel's ranking (the annotation budget of "
        "the report compares with labels that were not drawn)."
    )


class _Placed(NamedTuple):
    """One system under one number of labels."""

    ranks: SchemeRanks
    place: RankSpread


def _table(results: Results, all_ranks: list[SchemeRanks]) -> Table:
    names = Names(results)
    ends = {"rank_mace_low": "place.low", "rank_mace_high": "place.high"}
    taus = {
        "tau_first_draw": "ranks.tau_first_draw",
        "tau_low": "ranks.tau_low",
        "tau_high": "ranks.tau_high",
    }
    drawn = {"panel": "ranks.panel", "draws": "ranks.draws"}
    return table_of(
        (_Placed(ranks, place) for ranks in all_ranks for place in ranks.places),
        (
            named_column("Dimension", "ranks.dimension", names.of_dimension, file="dimension"),
            shown("Labels", "ranks.k", str, file="k", adds=drawn),
            system_column(names, field="place.system"),
            shown("Pyramid", "place.first", "{:g}".format, file="rank_pyramid"),
            shown("MACE", "place.second", "{:.1f}".format, file="rank_mace", adds=ends),
            shown("tau", "ranks.tau", Style(2), file="tau", adds=taus),
        ),
        id=_ID,
        title=_TITLE,
        caption="The numbers of Figure 2.",
        synthetic=results.study.synthetic,
    )

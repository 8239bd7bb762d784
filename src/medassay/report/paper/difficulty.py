"""Figure 3: how hard the cases are, and how far systems differ on them."""

from dataclasses import replace

from medassay.analyses.builtin.case_difficulty import (
    case_difficulty,
    difficulty_height,
    difficulty_width,
    draw_difficulty,
    every_case,
    shown_difficulty,
)
from medassay.analyses.results import Results
from medassay.exhibits.numbers import PROPORTION, count_of, p_value
from medassay.report.names import Names
from medassay.report.paper.item import Item, blank, missing_item, seen_on, signed
from medassay.validity import Difficulty

_ID, _NUMBER, _TITLE = "figure-3", "Figure 3", "How hard the cases are"


def figure_3(results: Results) -> Item:
    """Draw histograms of the case means, and mean against spread with the null of the scale."""
    cases = results.analyses.of(case_difficulty)
    difficulties = shown_difficulty(cases.dimensions if cases else ())
    if not difficulties:
        needs = "judgements on a scale with scores, of at least three systems on each of some cases"
        return missing_item(_ID, _NUMBER, _TITLE, needs)
    figure = blank(
        difficulty_width(difficulties),
        difficulty_height(difficulties),
        synthetic=results.study.synthetic,
    )
    draw_difficulty(figure, difficulties, Names(results))
    title = f"{_TITLE}, and how far systems differ on them"
    return Item(
        _ID, _NUMBER, title, _caption(results, difficulties),
        signed(results, *(difficulty.source for difficulty in difficulties)), figure,
        replace(every_case(difficulties, Names(results)), synthetic=results.study.synthetic),
    )  # fmt: skip


def _caption(results: Results, difficulties: list[Difficulty]) -> str:
    names, width = Names(results), difficulties[0].null
    text = (
        f"Top: mean score of each case over systems by each dimension; dashed lines, first and "
        f"third quartile. A case is difficult at or below Q1, easy at or above Q3, else moderate. "
        "Bottom: that mean (higher is easier) against the SD over systems (divided by n systems, "
        f"not n − 1); the axes span the cases, of a scale from {difficulties[0].low:g} to "
        f"{difficulties[0].high:g} in the first. "
        f"{seen_on(results)}. Scores are "
        + (
            "label sums (the paper's Pyramid)"
            if "label_sum" in difficulties[0].source
            else "mean labels"
        )
        + ". Dotted: the largest spread that the scale allows at a mean. Line and band: what the "
        "bounded scale alone produces, if systems use one share of that room on every case"
    )
    if width is not None:
        text += (
            f" (beta distribution, {width.replicates} draws, central {100 * width.level:g}% for "
            "each case; case means as observed)"
        )
    text += ". ρ is Spearman's correlation of mean and spread, beside its range under that null:"
    lines = []
    for difficulty in difficulties:
        if difficulty.rho is None or difficulty.null is None or difficulty.p is None:
            lines.append(
                f"{names.of_dimension(difficulty.dimension)}: no null ({difficulty.reason})"
            )
            continue
        side = (
            "within" if difficulty.null.low <= difficulty.rho <= difficulty.null.high else "outside"
        )
        lines.append(
            f"{names.of_dimension(difficulty.dimension)} {PROPORTION(difficulty.rho)}, {side} "
            f"{PROPORTION(difficulty.null.low)} to {PROPORTION(difficulty.null.high)} "
            f"({p_value(difficulty.p)})"
        )
    lost = sum(of_dimension.left_out for of_dimension in difficulties)
    text += f" {'; '.join(lines)}. Within the range, less spread on easier cases says nothing of "
    text += "the systems."
    return text + (f" {count_of(lost, 'case')} left out: too few scores." if lost else "")

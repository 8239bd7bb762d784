"""How small a difference the study finds, by cases and labels an answer."""

from textwrap import fill
from typing import TYPE_CHECKING, Final

from medassay.analyses.builtin.plan.record import PlanReport
from medassay.exhibits.drawing import ACCENT, INK, LINE, SOFT, WIDE, bare, new_figure
from medassay.exhibits.picture import Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["plan_curve", "plan_pictures"]

_ACROSS: Final = 3
_TITLE: Final = 76
"""Letters of a title over the whole width."""
_SHADES: Final = ("#0b5cad", "#4b86c0", "#86aed4", "#b4cde4", "#d3e2ef")


def plan_pictures(plan: PlanReport) -> dict[str, Picture]:
    """Draw the curve for the page, from what the study's own variance says."""
    caption = (
        "The smallest difference of two systems that is found, by the number of cases that both "
        f"answer, for one to five labels an answer (power {plan.power:g}, two-sided level "
        f"{plan.alpha:g}), in the unit of each scale. Dotted: the cases there are now. From the "
        "study's own components of variance: a pilot of few cases leaves it uncertain. "
        "medassay plan with --detect says how many judgements a difference needs."
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

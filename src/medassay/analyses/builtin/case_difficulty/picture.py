"""How hard the cases are, and how far systems differ on them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from medassay.exhibits import Names
from medassay.exhibits.colours import OKABE_ITO
from medassay.exhibits.drawing import INK, LINE, SOFT, WIDE, bare, new_figure
from medassay.exhibits.numbers import PROPORTION
from medassay.exhibits.picture import Picture
from medassay.validity import Difficulty

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "difficulty_height",
    "difficulty_pictures",
    "difficulty_width",
    "draw_difficulty",
    "shown_difficulty",
]

_MIDDLE: Final = "#aab2bc"
"""Far lighter than its neighbours, so that the three levels stay apart in grey."""
_LEVELS: Final = {
    "difficult": (OKABE_ITO[5], "v"),
    "moderate": (_MIDDLE, "o"),
    "easy": (OKABE_ITO[0], "^"),
}
_MOST_ACROSS, _BINS, _MOST = 3, 18, 6
_STEPS = 60


def difficulty_pictures(difficulties: Sequence[Difficulty], names: Names) -> dict[str, Picture]:
    """Draw the cases of each dimension."""
    shown = shown_difficulty(difficulties)
    if not shown:
        return {}
    figure = new_figure(
        difficulty_width(shown), difficulty_height(shown), synthetic=names.synthetic
    )
    draw_difficulty(figure, shown, names)
    caption = (
        "Top: mean score of each case over systems; dashed lines, first and third quartile. A "
        "case is difficult at or below Q1, easy at or above Q3, else moderate. Bottom: that "
        "mean (higher is easier) against the SD over systems, divided by n systems. Dotted: the"
        " largest spread that the scale allows at a mean. Line and band: what the bounded scale"
        " alone produces, if systems use one share of that room on every case. ρ is Spearman's "
        "correlation of mean and spread; within the range of the scale alone, less spread on "
        "easier cases says nothing of the systems."
    )
    return {"case-difficulty": Picture("How hard the cases are", figure, caption)}


def shown_difficulty(difficulties: Sequence[Difficulty]) -> list[Difficulty]:
    """Give the dimensions that there is room for."""
    return [difficulty for difficulty in difficulties if difficulty.cases][:_MOST]


def difficulty_width(difficulties: list[Difficulty]) -> float:
    """Give the width in mm."""
    return min(WIDE, 20 + 54 * max(2, min(_MOST_ACROSS, len(difficulties))))


def difficulty_height(difficulties: list[Difficulty]) -> float:
    """Give the height in mm."""
    return 92 * -(-len(difficulties) // _MOST_ACROSS) + 14


def draw_difficulty(figure: "Figure", difficulties: list[Difficulty], names: Names) -> None:
    """Draw histograms of the case means, and mean against spread with the null of the scale."""
    across = min(_MOST_ACROSS, len(difficulties))
    blocks = -(-len(difficulties) // across)
    panels = figure.subplots(2 * blocks, across, squeeze=False, height_ratios=[0.55, 1] * blocks)
    for place in range(across * blocks):
        block, column = divmod(place, across)
        top, bottom = panels[2 * block][column], panels[2 * block + 1][column]
        if place >= len(difficulties):
            top.set_axis_off()
            bottom.set_axis_off()
            continue
        difficulty = difficulties[place]
        top.sharex(bottom)
        top.set_title(
            names.of_dimension(difficulty.dimension),
            fontsize=8,
            fontweight="bold",
            loc="left",
            pad=13,
        )
        _histogram(top, difficulty, first=not column)
        _scatter(bottom, difficulty, first=not column)
    handles, labels = panels[1][0].get_legend_handles_labels()
    figure.legend(
        handles[::-1], labels[::-1], loc="outside upper right", frameon=False,
        # A narrow figure holds three side by side.
        ncols=len(labels) if len(difficulties) >= _MOST_ACROSS else 3, handletextpad=0.4,
        columnspacing=1.4,
    )  # fmt: skip


def _edges(difficulty: Difficulty) -> tuple[float, float]:
    """Span the cases; on the whole scale they would often be one blot."""
    means = [case.mean for case in difficulty.cases]
    margin = max(0.06 * (max(means) - min(means)), 0.01 * (difficulty.high - difficulty.low))
    return max(difficulty.low, min(means) - margin), min(difficulty.high, max(means) + margin)


def _histogram(axes: "Axes", difficulty: Difficulty, *, first: bool) -> None:
    bare(axes, "bottom")
    low, high = _edges(difficulty)
    bins = [low + i * (high - low) / _BINS for i in range(_BINS + 1)]
    axes.hist(
        [[case.mean for case in difficulty.cases if case.level == level] for level in _LEVELS],
        bins=bins, color=[colour for colour, _ in _LEVELS.values()], stacked=True,
        edgecolor="white", linewidth=0.4, zorder=2,
    )  # fmt: skip
    quartiles = [
        (name, value)
        for name, value in (("Q1", difficulty.q1), ("Q3", difficulty.q3))
        if value is not None
    ]
    for _, value in quartiles:
        axes.axvline(value, color=INK, lw=0.7, dashes=(4, 3), zorder=3)
    axes.text(
        0, 1.03, "   ".join(f"{name} {value:.2f}" for name, value in quartiles),
        transform=axes.transAxes, ha="left", va="bottom", fontsize=7, color=SOFT,
    ).set_in_layout(False)  # fmt: skip
    axes.set_xlim(low, high)
    axes.locator_params(axis="y", nbins=4, integer=True)
    axes.tick_params(axis="x", length=2, width=0.6, color=LINE, labelbottom=False)
    if first:
        axes.set_ylabel("Cases")


def _scatter(axes: "Axes", difficulty: Difficulty, *, first: bool) -> None:
    bare(axes, "left", "bottom")
    low, high = _edges(difficulty)
    means = [low + i * (high - low) / _STEPS for i in range(_STEPS + 1)]
    roof = [((m - difficulty.low) * (difficulty.high - m)) ** 0.5 for m in means]
    axes.plot(means, roof, color=SOFT, lw=0.8, dashes=(1, 2), label="largest possible")
    band = _band(difficulty)
    axes.fill_between(
        list(band), [low for low, _ in band.values()], [high for _, high in band.values()],
        color=LINE, linewidth=0, alpha=0.75, zorder=0.5,
    )  # fmt: skip
    if difficulty.share is not None:
        curve = [r * difficulty.share**0.5 for r in roof]
        axes.plot(means, curve, color=INK, lw=0.9, zorder=1, label="bounded scale alone")
    for level, (colour, shape) in _LEVELS.items():
        own = [c for c in difficulty.cases if c.level == level]
        axes.plot(
            [c.mean for c in own], [c.spread for c in own], shape, color=colour, markersize=3.6,
            markeredgecolor=SOFT if level == "moderate" else "white", markeredgewidth=0.35,
            label=level,
        )  # fmt: skip
    axes.set_xlim(low, high)
    tallest = max([c.spread for c in difficulty.cases] + [high for _, high in band.values()])
    axes.set_ylim(0, 1.3 * tallest or 1.0)
    axes.locator_params(axis="x", nbins=6)
    axes.tick_params(axis="both", length=2, width=0.6, color=LINE)
    axes.set_xlabel("Mean over systems")
    axes.text(
        0.98, 0.99, _said(difficulty), transform=axes.transAxes, ha="right", va="top", fontsize=7,
        linespacing=1.4, zorder=4,
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1},
    ).set_in_layout(False)  # fmt: skip
    if first:
        axes.set_ylabel("SD over systems", labelpad=2)


def _band(difficulty: Difficulty) -> dict[float, tuple[float, float]]:
    """Give the null's range at each mean; cases of one mean share the widest."""
    bands: dict[float, tuple[float, float]] = {}
    for case in sorted(difficulty.cases, key=lambda case: case.mean):
        if case.null_low is not None and case.null_high is not None:
            low, high = bands.get(case.mean, (case.null_low, case.null_high))
            bands[case.mean] = min(low, case.null_low), max(high, case.null_high)
    return bands


def _said(difficulty: Difficulty) -> str:
    if difficulty.rho is None:
        return ""
    text = f"ρ {PROPORTION(difficulty.rho)}"
    if difficulty.null is None:
        return text
    low, high = PROPORTION(difficulty.null.low), PROPORTION(difficulty.null.high)
    return f"{text}\nscale alone {low} to {high}"

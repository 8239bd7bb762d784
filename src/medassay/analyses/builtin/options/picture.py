"""Options taken for each other: a square for each system, what was right down, chosen across."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from medassay.analyses.builtin.options.record import OptionsOf
from medassay.error_analysis import OptionConfusion
from medassay.exhibits import Names
from medassay.exhibits.colours import diverging, ink_on
from medassay.exhibits.drawing import SOFT, WIDE, new_figure
from medassay.exhibits.picture import Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["confusion_pictures"]

_ACROSS: Final = 3
_MOST_SYSTEMS: Final = 12
"""More squares are no picture: the table holds them all."""
_CELL: Final = 9
_HEAD: Final = 24
_RIGHT: Final = "#009E73"
"""The border of what is right: the green of Okabe and Ito."""


def confusion_pictures(chosen: Sequence[OptionsOf], names: Names) -> dict[str, Picture]:
    """Draw one square a system; counts are printed, and the ground is the share of the row."""
    drawn = chosen[:_MOST_SYSTEMS]
    # Four stand two by two rather than three and one.
    across = 2 if len(drawn) == 4 else min(_ACROSS, len(drawn))  # noqa: PLR2004 - as said
    down = -(-len(drawn) // across)
    options = max(len(own.confusion.options) for own in drawn)
    width = min(WIDE, across * (24 + _CELL * (options + 1)))
    figure = new_figure(width, down * (_HEAD + _CELL * options), synthetic=names.synthetic)
    grid = figure.subplots(down, across, squeeze=False)
    for place, axes in enumerate(grid.flat):
        if place < len(drawn):
            _square(axes, drawn[place].confusion, names.of_system(drawn[place].system))
        else:
            axes.set_axis_off()
    left = len(chosen) - len(drawn)
    caption = (
        "Rows: the right option; columns: the option chosen, none where there was no recognisable "
        "choice. Counts of questions; the ground is the share of the row, what is right is framed."
    )
    if left:
        caption += f" {left} more systems are in the table only."
    return {"confusion_matrix": Picture("Options taken for each other", figure, caption)}


def _square(axes: "Axes", confusion: OptionConfusion, title: str) -> None:
    from matplotlib.patches import Rectangle

    columns = [*confusion.options, "none"]
    for y, (chosen, none) in enumerate(zip(confusion.counts, confusion.no_choice, strict=True)):
        total = sum(chosen) + none
        for x, times in enumerate((*chosen, none)):
            ground = diverging(times / total if total else 0.0)
            axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=ground, linewidth=0))
            axes.text(
                x,
                y,
                f"{times:,}",
                ha="center",
                va="center_baseline",
                color=ink_on(ground),
                fontsize=7,
            )
    for i in range(len(confusion.options)):
        axes.add_patch(
            Rectangle((i - 0.46, i - 0.46), 0.92, 0.92, fill=False, edgecolor=_RIGHT, linewidth=1.4)
        )
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(confusion.options) - 0.5, -0.5)
    axes.set_aspect("equal")
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(confusion.options)), confusion.options)
    axes.tick_params(length=0)
    axes.set_xlabel("chosen", color=SOFT)
    axes.set_ylabel("right", color=SOFT)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.set_title(title, fontsize=8, fontweight="bold", loc="left")

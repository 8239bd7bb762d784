"""The first screen's figure as a drawing for paper: the same rows, lanes and numbers."""

from typing import TYPE_CHECKING, Final

from medassay.exhibits.drawing import ACCENT, INK, LINE, SOFT, WIDE, bare, new_figure
from medassay.exhibits.overview import Lane, Overview, OverviewRow, Spot
from medassay.exhibits.picture import Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["OVERVIEW", "overview_picture"]

OVERVIEW: Final = "overview"
_ROW: Final = 4.6
"""Millimetres of a row."""
_HEAD: Final = 20
"""Millimetres of the headings and the axis."""
_HARM: Final = "#d55e00"
_PILE: Final = 9.0
"""Points across of a dot that holds all single values of a row."""
_BOX: Final = 0.3
"""Width of a box, as a share of its lane."""
_LETTERS: Final = 26
"""Letters of a heading in one line."""
_LETTERS_FEW: Final = 14
"""Where a lane has words or boxes alone."""


def overview_picture(overview: Overview, *, synthetic: bool) -> Picture:
    """Draw a first screen's figure; words stand where a lane has no marks.

    Args:
        overview: What is shown.
        synthetic: Whether the data are made up, which the figure then says.
    """
    figure = new_figure(WIDE, _HEAD + _ROW * max(1, len(overview.rows)), synthetic=synthetic)
    widths = [1.0 if lane.axis else 0.3 if lane.boxes else 0.05 for lane in overview.lanes]
    grid = figure.subplots(
        1, len(overview.lanes), squeeze=False, sharey=True, gridspec_kw={"width_ratios": widths}
    )[0]
    for at, (axes, lane) in enumerate(zip(grid, overview.lanes, strict=True)):
        _lane(axes, overview, lane, at)
    grid[0].set_yticks(range(len(overview.rows)), [_called(row) for row in overview.rows])
    grid[0].set_ylim(len(overview.rows) - 0.4, -0.6)
    caption = f"{overview.caption} {overview.intervals}.".replace(" .", "")
    return Picture(overview.title, figure, caption)


def _called(row: OverviewRow) -> str:
    return f"{row.title} ({row.ends[0]} to {row.ends[1]})" if any(row.ends) else row.title


def _lane(axes: "Axes", overview: Overview, lane: Lane, at: int) -> None:
    from textwrap import fill

    bare(axes)
    axes.set_xlim(0, 1)
    axes.set_xticks([0, 1], list(lane.ends), fontsize=7)
    axes.tick_params(axis="x", length=0)
    letters = _LETTERS if lane.axis else _LETTERS_FEW
    axes.set_title(fill(lane.title, letters), fontsize=7.5, fontweight="bold", loc="left")
    if lane.line is not None:
        axes.axvline(lane.along(lane.line), color=SOFT, linewidth=0.7)
    for y, row in enumerate(overview.rows):
        spot = row.spots[at]
        if lane.axis:
            axes.plot([0, 1], [y, y], color=LINE, linewidth=0.6, zorder=0)
        _mark(axes, row.lane(lane), spot, y)
        words = " ".join(part for part in (spot.text, spot.aside, spot.verdict) if part)
        axes.text(
            1.05 if lane.axis or lane.boxes else 0.0, y, words, fontsize=6.5, color=INK,
            va="center", transform=axes.get_yaxis_transform(),
        )  # fmt: skip


def _mark(axes: "Axes", lane: Lane, spot: Spot, y: int) -> None:
    colour = _HARM if lane.harm else ACCENT
    if spot.low is not None and spot.high is not None:
        ends = [lane.along(spot.low), lane.along(spot.high)]
        axes.plot(ends, [y, y], color=colour, linewidth=1.6, alpha=0.6, clip_on=False)
    if spot.before is not None:
        axes.plot([lane.along(spot.before)], [y], "o", color=SOFT, markersize=4,
                  markerfacecolor="white", clip_on=False)  # fmt: skip
    for value, many in spot.piles:
        size = _PILE * (many / len(spot.dots)) ** 0.5
        axes.plot([lane.along(value)], [y], "o", color=ACCENT, markersize=size,
                  markeredgewidth=0, alpha=0.75, clip_on=False)  # fmt: skip
    if spot.value is not None and not spot.dots:
        axes.plot([lane.along(spot.value)], [y], "o", color=colour, markersize=4,
                  markeredgecolor="white", markeredgewidth=0.5, clip_on=False)  # fmt: skip
    for place, box in enumerate(spot.boxes):
        axes.plot(
            [_BOX * (place + 0.5)], [y], "s", markersize=4.5, color=SOFT if box is None else ACCENT,
            markerfacecolor=ACCENT if box else "white", markeredgewidth=0.8,
            fillstyle="left" if box is None else "full", clip_on=False,
        )  # fmt: skip

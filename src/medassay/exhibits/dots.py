"""Rows of dots with intervals, panel beside panel: the picture of everything that has many rows."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from textwrap import fill
from typing import TYPE_CHECKING, Final

from medassay.exhibits.drawing import ACCENT, LINE, SOFT, WIDE, bare, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["DotPanel", "Mark", "dot_grid"]

_ROW: Final = 4.3
"""Millimetres of a row."""
_HEAD: Final = 17
"""Millimetres of a panel's title and axis."""
_LETTER: Final = 1.55
"""Millimetres of a letter in a row's name."""
_BOLD: Final = 1.85
"""Millimetres of a letter in a panel's title."""
_NAME_MOST: Final = 32
"""Letters of a row's name in a line; longer ones take more, so that panels keep their room."""
_LINE: Final = 4.0
"""Millimetres of one of several lines."""
_DIGIT: Final = 1.75
"""Millimetres of a letter below an axis."""
_OUT: Final = 1.0
"""Millimetres that the last of them may reach out of its panel."""
_BETWEEN: Final = 1.2
_TRIES: Final = 8


@dataclass(frozen=True, slots=True)
class Mark:
    """One dot.

    Attributes:
        value: Where it stands.
        low: Where its line begins; None for no line.
        high: Where its line ends.
        full: Filled, where it stands apart; else hollow.
        square: A square for a second kind of dots.
        band: The line is not about the dot but about what chance makes.
    """

    value: float
    low: float | None = None
    high: float | None = None
    full: bool = True
    square: bool = False
    band: bool = False


@dataclass(frozen=True, slots=True)
class DotPanel:
    """One panel.

    Attributes:
        title: Printed above.
        marks: Row to its dots.
        null: Where a line says 'nothing to see'; None for none.
        axis: The ends of the axis; fitted to the dots if not given.
    """

    title: str
    marks: Mapping[str, Sequence[Mark]]
    null: float | None = None
    axis: tuple[float, float] | None = None


def _folded(name: str, letters: int, *, break_long_words: bool = True) -> str:
    """Break a name into lines; what stands in brackets stays together."""
    bound = re.sub(r"\([^)]*\)", lambda found: found[0].replace(" ", "\N{NO-BREAK SPACE}"), name)
    lines = fill(bound, letters, break_long_words=break_long_words)
    return lines.replace("\N{NO-BREAK SPACE}", " ")


def dot_grid(
    panels: Sequence[DotPanel], rows: Sequence[str], across: int, *, synthetic: bool
) -> "Figure":
    """Draw panels that share their rows, so many in a line."""
    across = min(across, len(panels))
    down = -(-len(panels) // across)
    called = [_folded(row, _NAME_MOST) for row in rows]
    longest = max(len(line) for row in called for line in row.splitlines())
    width = min(WIDE, 12 + _LETTER * longest + 60 * across)
    row_height = max(_ROW, _LINE * max(len(row.splitlines()) for row in called))
    figure = new_figure(width, down * (_HEAD + row_height * len(rows)) + 6, synthetic=synthetic)
    grid = figure.subplots(down, across, squeeze=False, sharey=True)
    room = (width - _LETTER * longest) / across
    letters = max(9, int(room / _BOLD) - 1)
    for place, axes in enumerate(grid.flat):
        if place < len(panels):
            _panel(axes, panels[place], rows, letters)
            _space_ticks(axes, panels[place], room)
        else:
            axes.set_axis_off()
    grid[0, 0].set_yticks(range(len(rows)), called)
    return figure


def _panel(axes: "Axes", panel: DotPanel, rows: Sequence[str], letters: int) -> None:
    bare(axes, "bottom")
    for y in range(len(rows)):
        axes.axhline(y, color=LINE, linewidth=0.4, zorder=0)
    if panel.null is not None:
        axes.axvline(panel.null, color=SOFT, linewidth=0.7, zorder=1)
    for y, row in enumerate(rows):
        marks = panel.marks.get(row, ())
        for i, mark in enumerate(marks):
            # Dots of one row stand a little apart, so that none hides another.
            _mark(axes, mark, y + 0.22 * (2 * i - len(marks) + 1))
    axes.set_yticks(range(len(rows)), rows)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    if panel.axis:
        axes.set_xlim(*panel.axis)
    else:
        axes.margins(x=0.08)
    title = _folded(panel.title, letters, break_long_words=False)
    size = 8 * min(1.0, letters / max(map(len, title.splitlines())))
    axes.set_title(title, fontsize=size, fontweight="bold", loc="left")


def _space_ticks(axes: "Axes", panel: DotPanel, room: float) -> None:
    """Put two or more numbers below the axis that touch neither each other nor the next panel's.

    Where so few millimetres have no room for two, the axis becomes longer than its dots.
    """
    numbers: list[tuple[float, str]] = []
    for _ in range(_TRIES):
        for bins in (3, 2, 1):
            axes.locator_params(axis="x", nbins=bins)
            numbers = _apart(axes, 0.75 * room)
            if len(numbers) > 1:
                break
        if len(numbers) > 1 or panel.axis:
            break
        axes.set_xlim(*_longer(*axes.get_xlim()))
    axes.set_xticks([tick for tick, _ in numbers], [word for _, word in numbers])


def _apart(axes: "Axes", room: float) -> list[tuple[float, str]]:
    """Give the axis's numbers that have room; of those that touch, the outer two if they do not."""
    low, high = axes.get_xlim()
    numbers = [
        (tick, word)
        for tick in (round(float(tick), 9) for tick in axes.get_xticks())
        for word in [f"{tick:g}".replace("-", "\u2212")]
        if min(tick - low, high - tick) * room / (high - low) >= _DIGIT * len(word) / 2 - _OUT
    ]
    for few in (numbers, [*numbers[:1], *numbers[1:][-1:]]):
        if all(
            (other - tick) * room / (high - low) >= _DIGIT * len(word + beside) / 2 + _BETWEEN
            for (tick, word), (other, beside) in pairwise(few)
        ):
            return few
    return numbers[:1]


def _longer(low: float, high: float) -> tuple[float, float]:
    return low - 0.1 * (high - low), high + 0.1 * (high - low)


def _mark(axes: "Axes", mark: Mark, y: float) -> None:
    if mark.low is not None and mark.high is not None:
        colour, width = (LINE, 4.0) if mark.band else (ACCENT if mark.full else SOFT, 1.1)
        axes.plot([mark.low, mark.high], [y, y], color=colour, linewidth=width, clip_on=False)
    colour = ACCENT if mark.full else SOFT
    axes.plot(
        [mark.value],
        [y],
        "s" if mark.square else "o",
        color=colour,
        markersize=3.6,
        markerfacecolor=colour if mark.full else "white",
        markeredgewidth=0.8,
        clip_on=False,
        zorder=3,
    )

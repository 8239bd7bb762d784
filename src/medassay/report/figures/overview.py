"""The first screen's figure as a drawing for paper: the same rows, lanes and numbers."""

from dataclasses import dataclass
from textwrap import fill, wrap
from typing import TYPE_CHECKING, Final

from medassay.exhibits.drawing import ACCENT, INK, LINE, SOFT, WIDE, Picture, bare, new_figure
from medassay.exhibits.overview import Lane, Overview, OverviewRow, Spot

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

OVERVIEW: Final = "overview"
_ROW: Final = 4.6
"""Millimetres of a row."""
_LINE: Final = 2.9
"""Millimetres of a line of words below a mark."""
_LETTER: Final = 1.2
"""Millimetres of a letter beside or below a mark."""
_LETTER_NAME: Final = 1.55
"""Millimetres of a letter in a row's name."""
_NAME: Final = 30
"""Letters of a row's name in a line."""
_GAP: Final = 5
"""Millimetres between lanes."""
_LEAST: Final = 14
"""Millimetres that a mark needs beside its words."""
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
_TITLE_PAD: Final = 6.0
"""Points between a heading and its lane."""


@dataclass(frozen=True, slots=True)
class _Room:
    """How the words of a figure fit: beside the marks, or below them in lines of so many letters.

    Attributes:
        lines: Lines below each mark; 0 where the words stand beside it.
        letters: Letters in one of them.
        names: Letters in a line of a row's name.
    """

    lines: int
    letters: int
    names: int

    @property
    def row(self) -> float:
        """Millimetres of a row."""
        return _ROW + _LINE * self.lines


def overview_picture(overview: Overview, *, synthetic: bool) -> Picture:
    """Draw a first screen's figure; words stand where a lane has no marks.

    Args:
        overview: What is shown.
        synthetic: Whether the data are made up, which the figure then says.
    """
    figure = new_figure(WIDE, overview_height(overview), synthetic=synthetic)
    draw_overview(figure, overview)
    caption = f"{overview.caption} {overview.intervals}.".replace(" .", "")
    return Picture(overview.title, figure, caption)


def overview_height(overview: Overview, width: float = WIDE) -> float:
    """Give the millimetres that its rows take where it is so wide."""
    return _HEAD + _room(overview, width).row * max(1, len(overview.rows))


def draw_overview(figure: "Figure | SubFigure", overview: Overview, width: float = WIDE) -> None:
    """Draw it into a figure, or a part of one, of so many millimetres."""
    room = _room(overview, width)
    widths = [1.0 if lane.axis else 0.3 if lane.boxes else 0.05 for lane in overview.lanes]
    grid = figure.subplots(
        1, len(overview.lanes), squeeze=False, sharey=True, gridspec_kw={"width_ratios": widths}
    )[0]
    for at, (axes, lane) in enumerate(zip(grid, overview.lanes, strict=True)):
        _lane(axes, overview, lane, at, room)
    called = [fill(_called(row), room.names) for row in overview.rows]
    grid[0].set_yticks(range(len(overview.rows)), called)
    grid[0].set_ylim(len(overview.rows) - 0.4 + 0.2 * bool(room.lines), -0.6)


def _room(overview: Overview, width: float) -> _Room:
    """Put words beside the marks where these keep their length, else below them."""
    longest = max((len(_called(row)) for row in overview.rows), default=0)
    names = min(longest, _NAME)
    alone = [0 if lane.axis or lane.boxes else 1 for lane in overview.lanes]
    words = [
        max((len(_words(row.spots[at])) for row in overview.rows), default=0)
        for at in range(len(overview.lanes))
    ]
    marked = max(1, alone.count(0))
    left = width - _LETTER_NAME * names - _GAP * len(alone)
    beside = (left - _LETTER * sum(words)) / marked
    if beside >= _LEAST:
        return _Room(0, 0, names)
    rest = sum(own for own, only in zip(words, alone, strict=True) if only)
    letters = max(12, int((left - _LETTER * rest) / marked / _LETTER))
    lines = max(
        (
            len(wrap(_words(spot), letters))
            for row in overview.rows
            for spot, only in zip(row.spots, alone, strict=True)
            if not only
        ),
        default=1,
    )
    return _Room(max(1, lines), letters, names)


def _words(spot: Spot) -> str:
    return " ".join(part for part in (spot.text, spot.aside, spot.verdict) if part)


def _called(row: OverviewRow) -> str:
    if not any(row.ends):
        return row.title
    # A line breaks before the ends of a scale, not between them.
    return f"{row.title} " + f"({row.ends[0]} to {row.ends[1]})".replace(" ", "\N{NO-BREAK SPACE}")


def _lane(axes: "Axes", overview: Overview, lane: Lane, at: int, room: _Room) -> None:
    bare(axes)
    axes.set_xlim(0, 1)
    axes.set_xticks([0, 1], list(lane.ends), fontsize=7)
    first, last = axes.get_xticklabels()
    first.set_horizontalalignment("left")  # of two lanes side by side no end runs into the other's
    last.set_horizontalalignment("right")
    axes.tick_params(axis="x", length=0)
    alone = not (lane.axis or lane.boxes)
    longest = max((len(_words(row.spots[at])) for row in overview.rows), default=0)
    few = max(_LETTERS_FEW, longest) if alone else _LETTERS_FEW
    letters = room.letters or (_LETTERS if lane.axis else few)
    title = fill(lane.title, min(letters, _LETTERS))
    if alone:
        # A title gets no room of its own: above a few letters it would run off the figure.
        axes.annotate(
            title, (0, 1), (0, _TITLE_PAD), xycoords="axes fraction", textcoords="offset points",
            fontsize=7.5, fontweight="bold",
        )  # fmt: skip
    else:
        axes.set_title(title, fontsize=7.5, fontweight="bold", loc="left", pad=_TITLE_PAD)
    if lane.line is not None:
        axes.axvline(lane.along(lane.line), color=SOFT, linewidth=0.7)
    below = bool(room.lines) and not alone
    for y, row in enumerate(overview.rows):
        spot = row.spots[at]
        if lane.axis:
            axes.plot([0, 1], [y, y], color=LINE, linewidth=0.6, zorder=0)
        _mark(axes, row.lane(lane), spot, y)
        words = axes.text(
            0.0 if below or alone else 1.05,
            y + 0.22 if below else y,
            fill(_words(spot), room.letters) if below else _words(spot),
            fontsize=6.5, color=INK, va="top" if below else "center",
            transform=axes.get_yaxis_transform(),
        )  # fmt: skip
        words.set_in_layout(not below)


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

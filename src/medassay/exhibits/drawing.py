"""What all figures share: sizes, type, colours, rows of dots, and values with their intervals."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import pairwise
from textwrap import fill, wrap
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from medassay.exhibits.table import SYNTHETIC
from medassay.stats import Interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

OKABE_ITO: Final = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#000000")
"""Okabe & Ito (2008), Color Universal Design; black last. At most these seven in one figure."""

# Red-orange against, white at nothing, blue for agreement; equal lightness at equal distance.
_ANCHORS: Final = (
    (-1.0, (158, 52, 12)),
    (-0.5, (240, 158, 116)),
    (0.0, (255, 255, 255)),
    (0.5, (132, 178, 222)),
    (1.0, (20, 84, 148)),
)
_DARK, _LIGHT = "#000000", "#ffffff"


def diverging(value: float) -> str:
    """Colour a correlation: -1 red-orange, 0 white, 1 blue.

    Example:
        >>> diverging(0), diverging(1), diverging(-3) == diverging(-1)
        ('#ffffff', '#145494', True)
    """
    value = min(1.0, max(-1.0, value))
    right = min(bisect_right([at for at, _ in _ANCHORS], value), len(_ANCHORS) - 1)
    (x0, low), (x1, high) = _ANCHORS[right - 1], _ANCHORS[right]
    share = (value - x0) / (x1 - x0)
    return "#" + "".join(
        f"{round(a + (b - a) * share):02x}" for a, b in zip(low, high, strict=True)
    )


def ink_on(background: str) -> str:
    """Choose the ink, dark or light, that stands out more."""
    return max((_DARK, _LIGHT), key=lambda ink: contrast(ink, background))


def contrast(first: str, other: str) -> float:
    """Contrast of two colours, 1 (the same) to 21 (black on white).

    Source: W3C (2018), Web Content Accessibility Guidelines 2.1, 'contrast ratio'.

    Example:
        >>> contrast("#000000", "#ffffff")
        21.0
    """
    dark, light = sorted((_luminance(first), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]  # noqa: PLR2004 - the constants of sRGB
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


INK, SOFT, LINE, ACCENT = "#1b1f23", "#59626b", "#d8dde2", "#0b5cad"
WIDE: Final = 178
"""Millimetres of two columns of a journal."""
_MM_PER_INCH: Final = 25.4


@contextmanager
def journal() -> Iterator[None]:
    """Set type and embedding for as long as a figure is drawn and written."""
    from matplotlib import rc_context, rcParamsDefault

    # matplotlib has read the settings of the user and of the folder that it was started in. These
    # must neither change a figure nor, by text.usetex, start LaTeX. Its own defaults come first.
    chosen = dict(rcParamsDefault)
    del chosen["backend"]
    chosen |= {
        "font.family": "DejaVu Sans",  # comes with matplotlib, so every machine draws the same
        "font.size": 8,
        "axes.labelsize": 8,
        "xtick.labelsize": 8,
        "ytick.labelsize": 8,
        "axes.linewidth": 0.6,
        "axes.edgecolor": INK,
        "text.color": INK,
        "axes.labelcolor": INK,
        "xtick.color": INK,
        "ytick.color": INK,
        "axes.unicode_minus": True,
        "svg.fonttype": "path",
        "svg.hashsalt": "medassay",
        "pdf.fonttype": 42,
        "text.parse_math": False,  # a dollar sign in a title is a dollar sign
    }
    with rc_context(chosen):
        yield


@dataclass
class Begun:
    """Which figures a block begins, and which of them goes into a place of another figure.

    Attributes:
        at: The place of that one among them; -1 for none.
        place: Where it goes.
        figures: Those that were begun.
    """

    at: int = -1
    place: "SubFigure | None" = None
    figures: "list[Figure]" = field(default_factory=list)


_BEGUN: Final[ContextVar[Begun | None]] = ContextVar("begun", default=None)


@contextmanager
def beginning(begun: Begun) -> Iterator[Begun]:
    """Note the figures that the block begins, and give one of them its place."""
    before = _BEGUN.set(begun)
    try:
        yield begun
    finally:
        _BEGUN.reset(before)


def new_figure(width: float, height: float, *, synthetic: bool) -> "Figure":
    """Make an empty figure, in millimetres; made-up data say so on it."""
    from matplotlib.figure import Figure

    begun = _BEGUN.get()
    figure: Figure
    if begun is not None and begun.at == len(begun.figures):
        figure = cast("Figure", begun.place)
    else:
        size = (width / _MM_PER_INCH, height / _MM_PER_INCH)
        figure = Figure(figsize=size, layout="constrained")
    if begun is not None:
        begun.figures.append(figure)
    if synthetic:
        # On a narrow figure the line would run out of it: a letter of it takes about a millimetre.
        figure.supxlabel("\n".join(wrap(SYNTHETIC, int(width))), fontsize=6, color=SOFT)
    return figure


def bare(axes: "Axes", *keep: str) -> None:
    """Take away all spines but the named ones, and the ticks' marks of the others."""
    for name, spine in axes.spines.items():
        spine.set_visible(name in keep)
    axes.tick_params(axis="y", length=0)


_WIDTH, _HEAD, _ROW = 6.0, 0.8, 0.3


class Dotted(NamedTuple):
    """A row of such a figure: its name, its value, and the interval where there is one."""

    name: str
    value: float | None
    interval: Interval | None


def plot_intervals(rows: Sequence[Dotted], label: str, ax: "Axes | None" = None) -> "Axes":
    """Draw a dot a row, with a line for its interval, the first row on top.

    A row without a value keeps its place and stays empty. No setting of matplotlib is changed, and
    pyplot does not learn of a figure that is made here.

    Args:
        rows: The rows.
        label: What the values are.
        ax: Where to draw; axes of a new figure if not given.

    Example:
        >>> from medassay.stats import Interval
        >>> ax = plot_intervals([Dotted("A", 0.5, Interval(0.4, 0.7, 0.95, "t", "x"))], "mean")
        >>> [text.get_text() for text in ax.get_yticklabels()], ax.get_xlabel()
        (['A'], 'mean')
    """
    if ax is None:
        from matplotlib.figure import Figure

        size = (_WIDTH, _HEAD + _ROW * max(1, len(rows)))
        ax = Figure(figsize=size, layout="constrained").subplots()
    for at, row in enumerate(rows):
        if row.interval is not None:
            ax.plot([row.interval.low, row.interval.high], [at, at], color=ACCENT, linewidth=1.2)
        if row.value is not None:
            ax.plot([row.value], [at], "o", color=ACCENT, markersize=4)
    ax.set_yticks(range(len(rows)), [row.name for row in rows])
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.set_xlabel(label)
    bare(ax, "bottom")
    return ax


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """One figure.

    Attributes:
        title: A few words; kept in the file.
        figure: What was drawn.
        caption: Sentences that can stand alone; where there are some, the page shows the figure.
        analysis: The id of the analysis that drew it; the report fills it in.
    """

    title: str
    figure: "Figure"
    caption: str = ""
    analysis: str = ""


_DOTS_ROW: Final = 4.3
"""Millimetres of a row."""
_DOTS_HEAD: Final = 17
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
    row_height = max(_DOTS_ROW, _LINE * max(len(row.splitlines()) for row in called))
    figure = new_figure(
        width, down * (_DOTS_HEAD + row_height * len(rows)) + 6, synthetic=synthetic
    )
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

"""Sizes, type and colours that all figures share."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from textwrap import wrap
from typing import TYPE_CHECKING, Final, cast

from medassay.exhibits.table import SYNTHETIC

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

__all__ = [
    "ACCENT",
    "INK",
    "LINE",
    "SOFT",
    "WIDE",
    "Begun",
    "bare",
    "beginning",
    "journal",
    "new_figure",
]

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

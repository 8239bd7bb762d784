"""Sizes, type and colours that all figures share."""

from collections.abc import Iterator
from contextlib import contextmanager
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from medassay.exhibits.table import SYNTHETIC

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["ACCENT", "INK", "LINE", "SOFT", "WIDE", "bare", "journal", "new_figure"]

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


def new_figure(width: float, height: float, *, synthetic: bool) -> "Figure":
    """Make an empty figure, in millimetres; made-up data say so on it."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width / _MM_PER_INCH, height / _MM_PER_INCH), layout="constrained")
    if synthetic:
        # On a narrow figure the line would run out of it: a letter of it takes about a millimetre.
        figure.supxlabel("\n".join(wrap(SYNTHETIC, int(width))), fontsize=6, color=SOFT)
    return figure


def bare(axes: "Axes", *keep: str) -> None:
    """Take away all spines but the named ones, and the ticks' marks of the others."""
    for name, spine in axes.spines.items():
        spine.set_visible(name in keep)
    axes.tick_params(axis="y", length=0)

"""Values with their intervals on axes of whoever draws."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from medassay.exhibits.drawing import ACCENT, bare
from medassay.stats import Interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Dotted", "plot_intervals"]

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

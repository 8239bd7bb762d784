"""Reliability diagrams and risk-coverage curves, one small panel a system."""

from collections.abc import Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Final

from medassay.analyses.builtin.calibration.record import CalibrationOf
from medassay.exhibits import Names
from medassay.exhibits.drawing import ACCENT, LINE, SOFT, WIDE, bare, new_figure
from medassay.exhibits.picture import Picture

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["calibration_pictures"]

_ACROSS: Final = 4
_MOST_SYSTEMS: Final = 12
"""More panels are no picture: the tables hold them all."""
_PANEL: Final = 44
"""Millimetres of a panel."""
_TITLE: Final = 24
"""Characters of a title that stand side by side over a panel."""
_LINE: Final = 4
"""Millimetres of a line of a title."""
_LARGEST_DOT: Final = 60


def calibration_pictures(calibrations: Sequence[CalibrationOf], names: Names) -> dict[str, Picture]:
    """Draw how often each confidence is right, and what is left of errors by abstaining."""
    left = len(calibrations) - _MOST_SYSTEMS
    rest = f" {left} more systems are in the tables only." if left > 0 else ""
    reliable = (
        "Each dot is a bin of confidence, ten of equal width; its area is the number of answers. "
        "On the line confidence and accuracy are the same; below it the system is too sure."
    )
    abstaining = (
        "Risk is the share of wrong answers among the most confident ones; coverage is the share "
        "of answers kept. Confidence helps where the curve falls to the left; the dotted line "
        "is the risk of keeping all."
    )
    return {
        "reliability": Picture(
            "Reliability", _grid(calibrations, names, _reliability), reliable + rest
        ),
        "risk-coverage": Picture(
            "Risk and coverage", _grid(calibrations, names, _risk), abstaining + rest
        ),
    }


def _grid(
    calibrations: Sequence[CalibrationOf],
    names: Names,
    draw: "Callable[[Axes, CalibrationOf], None]",
) -> "Figure":
    chosen = calibrations[:_MOST_SYSTEMS]
    across = min(_ACROSS, len(chosen))
    down = -(-len(chosen) // across)
    width = min(WIDE, across * _PANEL + 6)
    titles = [
        fill(f"{names.of_system(calibration.system)}, n\u00a0=\u00a0{calibration.n:,}", _TITLE)
        for calibration in chosen
    ]
    lines = max(title.count("\n") for title in titles)
    height = down * (_PANEL + 8 + _LINE * lines) + 4
    figure = new_figure(width, height, synthetic=names.synthetic)
    grid = figure.subplots(down, across, squeeze=False)
    for place, axes in enumerate(grid.flat):
        if place >= len(chosen):
            axes.set_axis_off()
            continue
        bare(axes, "bottom", "left")
        axes.set_xlim(0, 1)
        axes.set_aspect("equal")
        axes.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
        axes.set_yticks([0, 0.5, 1], ["0", "0.5", "1"])
        axes.set_ylim(0, 1)
        draw(axes, chosen[place])
        if place % across:
            axes.set_ylabel("")
        if place + across < len(chosen):
            axes.set_xlabel("")
        axes.set_title(titles[place], fontsize=8, fontweight="bold", loc="left")
    return figure


def _reliability(axes: "Axes", calibration: CalibrationOf) -> None:
    axes.plot([0, 1], [0, 1], color=SOFT, linewidth=0.7, zorder=1)
    largest = max(b.n for b in calibration.bins)
    for b in calibration.bins:
        axes.plot([b.confidence] * 2, [b.confidence, b.accuracy], color=LINE, linewidth=1, zorder=2)
    axes.scatter(
        [b.confidence for b in calibration.bins],
        [b.accuracy for b in calibration.bins],
        s=[max(3.0, _LARGEST_DOT * b.n / largest) for b in calibration.bins],
        color=ACCENT,
        linewidth=0,
        zorder=3,
        clip_on=False,
    )
    axes.set_xlabel("confidence")
    axes.set_ylabel("accuracy")


def _risk(axes: "Axes", calibration: CalibrationOf) -> None:
    axes.axhline(calibration.risk[-1], color=SOFT, linewidth=0.7, linestyle=":", zorder=1)
    axes.plot(calibration.coverage, calibration.risk, color=ACCENT, linewidth=1.2, zorder=2)
    axes.set_xlabel("coverage")
    axes.set_ylabel("risk")

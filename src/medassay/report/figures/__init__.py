"""The figures of a run: vector for the paper, pixels for the slide.

What enters: `Results`. What leaves: bytes of SVG, PDF and PNG, the same for the same results.
matplotlib is loaded when a figure is drawn, and none of its global state is used.
"""

from medassay.report.figures.draw import FIGURES, draw
from medassay.report.figures.save import FORMATS, figure_bytes

__all__ = ["FIGURES", "FORMATS", "draw", "figure_bytes"]

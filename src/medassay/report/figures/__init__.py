"""The figures of a run: vector for the paper, pixels for the slide.

What enters: `Results`. What leaves: bytes of SVG, PDF and PNG, the same for the same results.
matplotlib is loaded when a figure is drawn, and none of its global state is used. A report's
figures are drawn by several processes at once where there are some.
"""

from medassay.exhibits.drawing import Picture
from medassay.report.figures.draw import draw, draw_in
from medassay.report.figures.save import FORMATS, figure_bytes
from medassay.report.figures.written import WrittenFigure, write_figures

__all__ = [
    "FORMATS",
    "Picture",
    "WrittenFigure",
    "draw",
    "draw_in",
    "figure_bytes",
    "write_figures",
]

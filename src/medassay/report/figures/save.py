"""A figure as bytes, without a date or a random name."""

import io
from typing import TYPE_CHECKING, Final

from medassay.exhibits.drawing import journal
from medassay.report.figures.letters import lay_out
from medassay.report.figures.smaller import smaller_svg

if TYPE_CHECKING:
    from matplotlib.backend_bases import FigureCanvasBase
    from matplotlib.figure import Figure

FORMATS: Final = ("svg", "pdf", "png")
_DPI: Final = 300
_METADATA: Final[dict[str, dict[str, str | None]]] = {
    "svg": {"Date": None},
    "pdf": {"CreationDate": None, "Producer": None},
    "png": {},
}


def figure_bytes(figure: "Figure", form: str, title: str, dpi: float = _DPI) -> bytes:
    """Write a figure as `svg`, `pdf` or `png`; the same figure gives the same bytes.

    Args:
        figure: What `draw` made.
        form: One of `FORMATS`.
        title: Kept in the file as its title.
        dpi: Dots an inch of `png`.
    """
    with journal():
        lay_out(figure)
    figure.set_dpi(dpi)
    figure.set_facecolor("w")
    # Not by `savefig`: it goes through the whole figure once more for a layout that is done.
    canvas = _canvas(form)(figure)
    out = io.BytesIO()
    with journal():
        getattr(canvas, f"print_{form}")(out, metadata={**_METADATA[form], "Title": title})
    return smaller_svg(out.getvalue().decode()).encode() if form == "svg" else out.getvalue()


def _canvas(form: str) -> "type[FigureCanvasBase]":
    """Give what draws a form; the others are not read, and reading that of PDF takes long."""
    if form == "svg":
        from matplotlib.backends.backend_svg import FigureCanvasSVG

        return FigureCanvasSVG
    if form == "pdf":
        from matplotlib.backends.backend_pdf import FigureCanvasPdf

        return FigureCanvasPdf
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    return FigureCanvasAgg

"""The mark on every figure of made-up data."""

from typing import TYPE_CHECKING, Final

from medassay.exhibits.drawing import INK, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["blank"]

_WORD: Final = "SYNTHETIC"
_FAINT: Final = 0.06


def blank(width: float, height: float, *, synthetic: bool) -> "Figure":
    """Make an empty figure in millimetres; made-up data are marked faintly across it."""
    figure = new_figure(width, height, synthetic=synthetic)
    if synthetic:
        size = min(width, height) * 0.42
        figure.text(
            0.5, 0.5, _WORD, fontsize=size, color=INK, alpha=_FAINT, rotation=30, ha="center",
            va="center", fontweight="bold", zorder=10,
        ).set_in_layout(False)  # fmt: skip
    return figure

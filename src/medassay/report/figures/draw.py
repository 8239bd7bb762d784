"""Which figures there are."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from medassay.report.figures.heat_map import heat_map
from medassay.report.figures.label_shares import label_shares
from medassay.report.figures.leaderboard import leaderboard_dots
from medassay.report.figures.style import journal
from medassay.study.results import Results

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["FIGURES", "draw"]

FIGURES: Final[dict[str, tuple[str, Callable[[Results], "Figure | None"]]]] = {
    "leaderboard": ("Systems with their intervals", leaderboard_dots),
    "labels": ("Labels given", label_shares),
    "tau": ("Which metrics the raters bear out", heat_map),
}
"""Figure id to its title and what draws it."""


def draw(results: Results) -> "dict[str, tuple[str, Figure]]":
    """Draw every figure that the results allow.

    Returns:
        Figure id to (title, figure); a figure without data is left out.
    """
    drawn = {}
    with journal():
        for name, (title, make) in FIGURES.items():
            figure = make(results)
            if figure is not None:
                # Laid out once: each further pass would move things by a hair.
                figure.draw_without_rendering()
                figure.set_layout_engine("none")
                drawn[name] = (title, figure)
    return drawn

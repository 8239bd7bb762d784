"""Which figures there are."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from medassay.analyses.results import Results
from medassay.exhibits.drawing import journal
from medassay.exhibits.picture import Picture
from medassay.report.asked import asked_pictures
from medassay.report.figures.leaderboard import leaderboard_dots
from medassay.report.figures.letters import drawable, lay_out, write_drawably
from medassay.report.figures.performance import performance_pictures

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw"]

_SINGLE: Final[dict[str, tuple[str, Callable[[Results], "Figure | None"]]]] = {
    "leaderboard": ("Systems with their intervals", leaderboard_dots),
}
"""Figure id to its title and what draws it; a table of the page says the same."""
_SEVERAL: Final[tuple[Callable[[Results], dict[str, Picture]], ...]] = (performance_pictures,)
"""What draws pictures that the page shows, each under its id."""


def draw(results: Results) -> dict[str, Picture]:
    """Draw every figure that the results allow.

    Returns:
        Figure id to picture; a figure without data is left out.
    """
    drawn = {}
    results = drawable(results)
    describes = results.study.descriptive
    single = {} if describes else _SINGLE
    with journal():
        for name, (title, make) in single.items():
            figure = make(results)
            if figure is not None:
                drawn[name] = Picture(title, figure)
        for several in () if describes else _SEVERAL:
            drawn |= several(results)
        drawn |= asked_pictures(results)
        for picture in drawn.values():
            write_drawably(picture.figure)
            # Laid out once: each further pass would move things by a hair.
            lay_out(picture.figure)
            picture.figure.set_layout_engine("none")
    return drawn

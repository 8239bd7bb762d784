"""Which figures there are."""

from medassay.analyses.results import Results
from medassay.exhibits.drawing import journal
from medassay.exhibits.picture import Picture
from medassay.report.asked import asked_pictures
from medassay.report.figures.letters import drawable, lay_out, write_drawably
from medassay.report.figures.performance import performance_pictures

__all__ = ["draw"]


def draw(results: Results) -> dict[str, Picture]:
    """Draw every figure that the results allow.

    Returns:
        Figure id to picture; a figure without data is left out.
    """
    results = drawable(results)
    with journal():
        drawn = {} if results.study.descriptive else performance_pictures(results)
        drawn |= asked_pictures(results, drawn)
        for picture in drawn.values():
            write_drawably(picture.figure)
            # Laid out once: each further pass would move things by a hair.
            lay_out(picture.figure)
            picture.figure.set_layout_engine("none")
    return drawn

"""Which figures there are."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from medassay.analyses.results import Results
from medassay.errors import InvalidInput, Problem, UnknownName
from medassay.exhibits.drawing import Begun, Picture, beginning, journal
from medassay.report.asked import OURS, PictureMaker, picture_makers, refuse_shared_figures
from medassay.report.figures.letters import drawable, lay_out, write_drawably
from medassay.report.figures.overview import OVERVIEW, overview_picture
from medassay.report.figures.performance import performance_pictures
from medassay.report.opening import overview_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw(results: Results) -> dict[str, Picture]:
    """Draw every figure that the results allow.

    Returns:
        Figure id to picture; a figure without data is left out.

    Raises:
        InvalidInput: Two figures have one id.
    """
    makers = makers_of(results)
    drawn = [drawn_by(maker) for maker in makers]
    owned = zip(makers, drawn, strict=True)
    refuse_shared_figures([(name, maker.owner) for maker, pictures in owned for name in pictures])
    return {name: picture for pictures in drawn for name, picture in pictures.items()}


def draw_in(results: Results, name: str, ax: "Axes") -> None:
    """Draw a figure into the place of these axes, which it covers.

    Raises:
        InvalidInput: The axes are not of a grid, such as those of `plt.subplots`.
        UnknownName: The results allow no such figure.
    """
    spec = ax.get_subplotspec()
    if spec is None:
        must = "be axes of a grid, such as those of matplotlib.pyplot.subplots"
        raise InvalidInput(Problem("ax", must, "axes with a place of their own"))
    known: list[str] = []
    for maker in makers_of(results):
        with journal(), beginning(Begun()) as begun:
            pictures = maker.make()
        known += pictures
        if name not in pictures:
            continue
        at = next(
            place for place, made in enumerate(begun.figures) if made is pictures[name].figure
        )
        ax.set_axis_off()
        place = ax.figure.add_subfigure(spec)
        with journal(), beginning(Begun(at, place)):
            drawn = maker.make()[name]
            write_drawably(drawn.figure)
        return
    raise UnknownName("figure", name, known)


def makers_of(results: Results) -> Sequence[PictureMaker]:
    """Give what draws each of the figures, in their order; none needs another."""
    shown = drawable(results)
    ours = [PictureMaker(OURS, lambda: _first(shown), ours=True)]
    if not shown.study.descriptive:
        ours.append(PictureMaker(OURS, lambda: performance_pictures(shown), ours=True))
    return [*ours, *picture_makers(shown)]


def _first(results: Results) -> dict[str, Picture]:
    """Draw the first screen's figure; none where nothing in it has a mark."""
    overview = overview_of(results)
    if overview is None or not overview.drawn:
        return {}
    return {OVERVIEW: overview_picture(overview, synthetic=results.study.synthetic)}


def drawn_by(maker: PictureMaker) -> Mapping[str, Picture]:
    """Draw the figures of one maker, each with every part in its place."""
    with journal():
        drawn = maker.make()
        for picture in drawn.values():
            write_drawably(picture.figure)
            lay_out(picture.figure)
    return drawn

"""Which figures there are."""

from collections.abc import Mapping, Sequence

from medassay.analyses.results import Results
from medassay.exhibits.drawing import journal
from medassay.exhibits.picture import Picture
from medassay.report.asked import OURS, PictureMaker, picture_makers, refuse_shared_figures
from medassay.report.figures.letters import drawable, lay_out, write_drawably
from medassay.report.figures.performance import performance_pictures

__all__ = ["draw", "drawn_by", "makers_of"]


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


def makers_of(results: Results) -> Sequence[PictureMaker]:
    """Give what draws each of the figures, in their order; none needs another."""
    shown = drawable(results)
    ours = (
        []
        if shown.study.descriptive
        else [PictureMaker(OURS, lambda: performance_pictures(shown), ours=True)]
    )
    return [*ours, *picture_makers(shown)]


def drawn_by(maker: PictureMaker) -> Mapping[str, Picture]:
    """Draw the figures of one maker, each with every part in its place."""
    with journal():
        drawn = maker.make()
        for picture in drawn.values():
            write_drawably(picture.figure)
            # Laid out once: each further pass would move things by a hair.
            lay_out(picture.figure)
            picture.figure.set_layout_engine("none")
    return drawn

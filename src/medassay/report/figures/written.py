"""Every figure of a report as bytes, drawn by several processes where that is possible."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from medassay.analyses.results import Results
from medassay.report.asked import PictureMaker, refuse_shared_figures
from medassay.report.figures.draw import drawn_by, makers_of
from medassay.report.figures.save import figure_bytes
from medassay.report.whose import Whose
from medassay.study.scoring.processes import parallel_batches, usable_processes

_MM_PER_INCH: Final = 25.4
_TURNS: Final = 2
"""How many parts each process draws: figures differ in how long they take."""


@dataclass(frozen=True)
class WrittenFigure:
    """A figure as bytes, with the words that stand around it.

    Attributes:
        title: A few words; kept in the file.
        caption: Sentences that can stand alone; where there are some, the page shows the figure.
        analysis: The id of the analysis that drew it.
        width: In millimetres.
        files: Form to what its file holds.
    """

    title: str
    caption: str
    analysis: str
    width: float
    files: Mapping[str, bytes]


def write_figures(results: Results, forms: Sequence[str]) -> dict[str, WrittenFigure]:
    """Draw every figure that the results allow, and write it in each form.

    Figures need nothing of one another, so copies of this process draw some each: the bytes are
    those of one process. Figures of other packages are drawn here: what they call may wait for ever
    in a copy. What fails in a copy, or is killed, is drawn here, where it raises as if
    nothing had been shared.

    Args:
        results: All of a run.
        forms: Any of `FORMATS`.

    Raises:
        InvalidInput: Two figures have one id; one would lie in the other's file.
    """
    makers = makers_of(results)
    if not makers:
        return {}
    whose = Whose(results)

    def write(maker: PictureMaker) -> dict[str, WrittenFigure]:
        return _written(maker, whose, forms)

    processes = usable_processes()
    if processes > 1:
        import matplotlib.figure  # noqa: F401 - read once, for all copies
    ours = [maker for maker in makers if maker.ours]
    shared = iter(parallel_batches(write, ours, processes, turns=_TURNS))
    written = [next(shared) if maker.ours else write(maker) for maker in makers]
    owned = zip(makers, written, strict=True)
    refuse_shared_figures([(name, maker.owner) for maker, figures in owned for name in figures])
    return {name: figure for figures in written for name, figure in figures.items()}


def _written(maker: PictureMaker, whose: Whose, forms: Sequence[str]) -> dict[str, WrittenFigure]:
    written = {}
    for name, drawn in drawn_by(maker).items():
        picture = whose.picture(drawn)
        written[name] = WrittenFigure(
            picture.title,
            picture.caption,
            picture.analysis,
            float(picture.figure.get_size_inches()[0]) * _MM_PER_INCH,
            {form: figure_bytes(picture.figure, form, picture.title) for form in forms},
        )
    return written

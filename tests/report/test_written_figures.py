"""Figures that several processes draw are those that one draws, and so are the errors."""

import os
import signal
import sys
from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from tests.report.conftest import build
from tools.standard.shared import SharedRuns

from medassay.analyses.results import Results
from medassay.errors import InvalidInput
from medassay.exhibits.drawing import Picture, new_figure
from medassay.report.asked import PictureMaker
from medassay.report.figures import FORMATS, draw, figure_bytes, write_figures, written
from medassay.report.figures.draw import drawn_by, makers_of
from medassay.report.whose import Whose

FORMS = ("svg", "pdf")
SOME = 4


@pytest.fixture(params=[1, 3])
def processes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    if request.param > 1 and sys.platform != "linux":
        pytest.skip("work is shared on Linux alone")
    monkeypatch.setattr(written, "usable_processes", lambda: request.param)
    return int(request.param)


def with_makers(monkeypatch: pytest.MonkeyPatch, results: Results, *more: PictureMaker) -> None:
    """Draw a few of the figures, and these."""
    some = makers_of(results)[:SOME]
    monkeypatch.setattr(written, "makers_of", lambda _: [*some, *more])


class Alone(NamedTuple):
    """A figure as one process draws it."""

    title: str
    caption: str
    analysis: str
    width: float
    files: Mapping[str, bytes]


@pytest.fixture(scope="module")
def alone() -> Mapping[str, Alone]:
    results = build(cases=12)
    whose = Whose(results)
    return {
        name: Alone(
            *(picture.title, picture.caption, picture.analysis),
            picture.figure.get_size_inches()[0] * 25.4,
            {form: figure_bytes(picture.figure, form, picture.title) for form in FORMS},
        )
        for name, drawn in draw(results).items()
        for picture in [whose.picture(drawn)]
    }


@pytest.mark.slow
@pytest.mark.usefixtures("whole_runs", "processes")
def test_the_bytes_and_the_words_are_those_of_one_process(
    small: Results, alone: Mapping[str, Alone]
) -> None:
    figures = write_figures(small, FORMS)
    assert list(figures) == list(alone)
    assert len(figures) > 3
    for name, one in alone.items():
        figure = figures[name]
        assert (figure.title, figure.caption, figure.analysis) == (
            one.title, one.caption, one.analysis,
        )  # fmt: skip
        assert figure.width == pytest.approx(one.width)
        assert figure.files == one.files


@pytest.mark.slow
@pytest.mark.usefixtures("processes")
def test_a_figure_that_fails_raises_its_own_error(
    small: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails() -> Any:  # noqa: ANN401 - it gives nothing
        message = "no room for the legend"
        raise ValueError(message)

    with_makers(monkeypatch, small, PictureMaker("theirs", fails, ours=True))
    with pytest.raises(ValueError, match="no room for the legend"):
        write_figures(small, FORMS)


@pytest.mark.slow
@pytest.mark.usefixtures("processes")
def test_two_figures_of_one_id_are_refused(small: Results, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = (drawn_by(maker) for maker in makers_of(small))
    name, picture = next(item for figures in drawn for item in figures.items())
    with_makers(monkeypatch, small, PictureMaker("theirs", lambda: {name: picture}))
    with pytest.raises(InvalidInput, match=f'the id "{name}": must name one figure'):
        write_figures(small, FORMS)


@pytest.mark.slow
def test_what_a_killed_process_had_begun_is_drawn_all_the_same(
    small: Results, monkeypatch: pytest.MonkeyPatch, processes: int
) -> None:
    with_makers(monkeypatch, small)
    here, whole = os.getpid(), write_figures(small, FORMS)
    assert len(whole) > 1

    def killed() -> Mapping[str, Picture]:
        if os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        return {}

    with_makers(monkeypatch, small, PictureMaker("theirs", killed, ours=True))
    assert write_figures(small, FORMS) == whole
    assert processes in {1, 3}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="work is shared on Linux alone")
def test_figures_of_other_packages_are_drawn_in_the_process_itself(
    small: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn_in: list[int] = []

    def theirs() -> Mapping[str, Picture]:
        drawn_in.append(os.getpid())
        return {}

    monkeypatch.setattr(written, "usable_processes", lambda: 2)
    with_makers(monkeypatch, small, PictureMaker("theirs", theirs))
    write_figures(small, FORMS)
    assert drawn_in == [os.getpid()]


@pytest.mark.slow
@pytest.mark.parametrize("study", ["clinical", "rated"])
def test_our_figures_are_drawn_without_what_a_copy_may_not_use(
    standard_run: SharedRuns, monkeypatch: pytest.MonkeyPatch, study: str
) -> None:
    """The threads of polars do not come along into a copy: whoever asks them waits for ever."""
    results = standard_run(study).results
    for heavy in ("polars", "torch", "onnxruntime"):
        monkeypatch.setitem(sys.modules, heavy, None)
    assert draw(results)


class Nudged(ConstrainedLayoutEngine):
    """A solver whose last bits differ, as they do where its variables lie elsewhere in memory."""

    def execute(self, fig: Figure) -> None:
        super().execute(fig)
        for axes in fig.axes:
            left, bottom, width, height = axes.get_position().bounds
            axes.set_position((left + 2e-15, bottom - 2e-15, width + 2e-15, height))


@pytest.mark.parametrize("form", FORMATS)
def test_the_last_bit_of_a_place_changes_no_byte(form: str) -> None:
    drawn = []
    for engine in (ConstrainedLayoutEngine(), Nudged()):
        figure = new_figure(100, 60, synthetic=False)
        figure.set_layout_engine(engine)
        for axes in figure.subplots(1, 2):
            axes.plot([0, 1, 2], [3, 1, 2])
            axes.set_xlabel("cases")
        drawn.append(figure_bytes(figure, form, "two panels"))
    assert drawn[0] == drawn[1]

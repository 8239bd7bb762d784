"""Every verb, asked of a marked study for people and for machines, and every file it writes."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text
from tests.privacy.conftest import SHORTENED, Run
from tests.privacy.leaks import Marked
from tools.quick_runs import read_once
from tools.standard import STANDARD

from medassay import analyses
from medassay.analyses import Results
from medassay.analyses.versions import compare
from medassay.analyses.versions.version import read_version
from medassay.report.figures import WrittenFigure, write_figures, written
from medassay.report.figures.draw import makers_of

__all__ = ["ALL_FORMS", "LARGE", "SMALL", "VERBS", "ask_everything", "told", "words_alone"]

ALL_FORMS: Final = "html,json,md,csv,latex,xlsx,checklists"
VERBS: Final[tuple[tuple[str, ...], ...]] = (
    ("run", "--offline"),
    ("score", "--offline"),
    ("agree", "--by", "pair"),
    ("consensus",),
    ("validity", "--full"),
    ("judge",),
    ("plan",),
    ("triage", "--for", "all"),
)

_FOUND_ALIKE: Final = (
    *("agreement_report", "compare_versions", "consensus_report", "judge_results"),
    *("plan_study", "triage_study", "validity_report"),
)
"""What verbs call to find what they then tell, for people and for machines alike."""

LARGE: Final = ("pool", "archehr-synthetic")
"""Studies that take longest; each has a file of tests, which one process runs."""
SMALL: Final = tuple(name for name in (*STANDARD, *SHORTENED) if name not in LARGE)


def told(run: Run, study: Marked, verb: str, *words: str | Path) -> dict[str, set[str]]:
    """Give what a verb prints that the study keeps, for people and as JSON; it finds it once.

    JSON comes first: what `agree` finds for machines has every part, and so people are told of all.
    """
    found = {}
    with pytest.MonkeyPatch.context() as patch:
        for name in _FOUND_ALIKE:
            patch.setattr(analyses, name, _once(getattr(analyses, name)))
        # Both sides are the study.
        patch.setattr(compare, "read_version", _once(read_version))
        for more in (("--json",), ()):
            _, said = run(*verb.split(), study.folder, *words, *more)
            assert said
            leaked = study.leaked(said)
            if leaked:
                found[" ".join((verb, *map(str, words), *more))] = leaked
    return found


def words_alone(figure: Figure, form: str, title: str) -> bytes:
    """Give every word that a figure has, seen or not, in an SVG that draws nothing."""
    assert form == "svg"
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            axis.get_ticklabels()  # which have no words before that
    parts = figure.findobj()
    words = [part.get_text() for part in parts if isinstance(part, Text)]
    names = [name for part in parts for name in (part.get_gid(), part.get_url()) if name]
    said = "".join(f"<text>{escape(text)}</text>" for text in (*words, *names))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="1pt" viewBox="0 0 1 1">'
        f"<title>{escape(title)}</title>{said}</svg>"
    ).encode()


@contextmanager
def _drawing_once(*, at_all: bool, in_full: bool) -> Iterator[None]:
    """Let a figure be made once or not at all, and be drawn as SVG and PDF where that is asked.

    Elsewhere it has all its words, which are the most that either can show. Under `none` a figure
    may have the fewest: those of the large studies, which have the most figures, are drawn then,
    and so are those of `test_every_form.py`.
    """
    drawn: dict[str, WrittenFigure] = {}

    def write(results: Results, forms: Sequence[str]) -> dict[str, WrittenFigure]:
        if not at_all:
            return {}
        if "svg" in forms:
            with pytest.MonkeyPatch.context() as patch:
                if not in_full:
                    patch.setattr(written, "figure_bytes", words_alone)
                drawn.update(write_figures(results, ("svg", "pdf") if in_full else ("svg",)))
        assert drawn.keys() or not makers_of(results), "the page was not the first to be written"
        return {
            name: replace(figure, files={"pdf": b"", **figure.files})
            for name, figure in drawn.items()
        }

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(import_module("medassay.report.render"), "write_figures", write)
        yield


def _once(find: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function give again what it gave first."""
    given: list[Any] = []

    @wraps(find)
    def give(*asked: object, **more: object) -> Any:  # noqa: ANN401 - whatever the function gives
        if not given:
            given.append(find(*asked, **more))
        return given[0]

    return give


@read_once()
def ask_everything(run: Run, study: Marked, out: Path) -> None:
    """Ask all that can be asked of a study: nothing that it keeps is told or written."""
    # Under `full` only names of people are kept, and a figure has them from where it has them under
    # the other two.
    large = study.folder.name in LARGE
    with _drawing_once(
        at_all=large or study.texts != "full", in_full=large and study.texts == "none"
    ):
        code, said = run("report", study.folder, "--to", f"{ALL_FORMS},paper", "--offline")
    assert code == 0
    assert study.leaked(said) == set()
    leaks = {
        what: kinds
        for verb, *words in VERBS
        for what, kinds in told(run, study, verb, *words).items()
    }
    leaks |= told(run, study, "compare", study.folder)
    _, said = run("check", study.folder, "--json")
    leaks["check --json"] = study.leaked(said)
    run("triage", study.folder, "--out", out / "queue.csv")
    for tool, *words in (
        ("inspect",),
        ("mt-metrics-eval",),
        ("potato", "--ratings"),
        ("label-studio", "--ratings"),
        ("redcap", "--ratings"),
    ):
        code, said = run(
            "export", "--to", tool, study.folder, *words, "--into", out / tool, "--json"
        )
        # What only sheets can ask, such as criteria, is refused.
        assert code == 0 or "which is what such a tool can ask" in said
        leaks[tool] = study.leaked(said)
    assert {what: kinds for what, kinds in leaks.items() if kinds} == {}
    assert study.leaks(study.folder / "results") == {}
    assert study.leaks(out) == {}

"""A figure keeps its words in every form that a user gets, its metadata among them."""

import re
from html import unescape
from importlib.metadata import version

import pytest
from tests.privacy.asking import words_alone
from tests.privacy.conftest import Mark, Run
from tools.standard.shared import SharedRuns

from medassay.annotations import Texts
from medassay.report.figures import write_figures, written
from medassay.report.render import FORMS

_MAKER = f"Matplotlib v{version('matplotlib')}, https://matplotlib.org/"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "texts"), [("clinical", "none"), ("panel", "ids")])
def test_nothing_leaks_from_any_form(marked: Mark, run: Run, name: str, texts: Texts) -> None:
    study = marked(name, texts)
    words = ("--to", ",".join([*FORMS, "paper"]), "--offline")
    assert run("report", study.folder, *words)[0] == 0
    results = study.folder / "results"
    forms = {path.suffix for path in results.rglob("*") if path.is_file()}
    assert forms >= {
        ".html", ".json", ".md", ".csv", ".tex", ".docx", ".xlsx", ".parquet", ".svg", ".pdf",
        ".png",
    }  # fmt: skip
    assert study.leaks(results) == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["clinical", "panel"])
def test_what_a_drawn_figure_says_is_among_its_words(
    standard_run: SharedRuns, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    results = standard_run(name).results
    drawn = write_figures(results, ("svg",))
    monkeypatch.setattr(written, "figure_bytes", words_alone)
    words = write_figures(results, ("svg",))
    assert drawn.keys() == words.keys()
    assert drawn
    for figure, whole in drawn.items():
        svg = whole.files["svg"].decode()
        seen = re.findall(r"(?s)<!-- (.*?) -->", svg) + re.findall(r"<dc:title>(.*?)<", svg)
        told = unescape(re.sub(r"<[^>]*>", "\n", words[figure].files["svg"].decode())).split("\n")
        more = {unescape(text) for text in seen} - {*told, _MAKER}
        # Where an axis has chosen its own ticks, their numbers follow from its size.
        assert not any(re.search("[^0-9.,%−-]", text) for text in more), (figure, more)
        assert seen

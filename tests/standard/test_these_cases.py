"""Where study.toml does not say how its cases were drawn, no sentence speaks of cases like them."""

import re
from html import unescape

import pytest
from tools.standard import STANDARD
from tools.standard.shared import SharedRuns

from medassay.report import findings

BEYOND = re.compile(
    r"\b(?:new|future|similar|unseen) (?:cases|questions|answers)\b"
    r"|\b(?:cases|questions|answers|patients) (?:like (?:these|them|this)|chosen as)\b"
    r"|\bin general\b"
)
"""Words of cases beyond the study's own."""


def text_of(page: str) -> str:
    """Give what a reader sees of a page, or may open; no script and no style."""
    page = re.sub(r"(?s)<(script|style)\b.*?</\1>", " ", page)
    return unescape(re.sub(r"<[^>]+>", " ", page))


@pytest.mark.parametrize("study", STANDARD)
def test_no_sentence_speaks_of_cases_beyond_the_study(standard_run: SharedRuns, study: str) -> None:
    run = standard_run(study)
    assert not run.results.study.drawn
    said = text_of((run.folder / "report.html").read_text(encoding="utf-8"))
    around = [said[max(0, m.start() - 80) : m.end() + 40] for m in BEYOND.finditer(said)]
    assert around == []
    assert [f.text for f in findings(run.results) if BEYOND.search(f.text)] == []


@pytest.mark.parametrize("study", STANDARD)
def test_what_bounds_harm_says_of_which_cases(standard_run: SharedRuns, study: str) -> None:
    for finding in findings(standard_run(study).results):
        bounds = "interval" in finding.text or "possible" in finding.text or "up to" in finding.text
        if finding.id == "harm" and bounds:
            assert finding.text.count("for these cases.") == 1


def test_where_chance_drew_the_cases_it_may(standard_run: SharedRuns) -> None:
    results = standard_run("asked").results
    told = results.study.model_copy(update={"drawn": "at random from all questions of 2025"})
    drawn = results.model_copy(update={"study": told})
    [harm] = [finding.text for finding in findings(drawn) if finding.id == "harm"]
    assert harm.endswith("These bounds are for new cases.")

"""The abstract: sentences of the report and no others, on one page of a slide's size."""

import io
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from matplotlib.text import Text
from PIL import Image
from tools.standard import STANDARD
from tools.standard.shared import SharedRuns

from medassay.analyses.results import Results
from medassay.exhibits.overview import Lane, Overview, OverviewRow, Spot
from medassay.report import findings, read_results
from medassay.report.abstract import Abstract, _fitting, abstract_files, abstract_of
from medassay.report.objectives import INTENDED
from medassay.report.opening import opening_of
from medassay.report.prose import methods_statements


@pytest.mark.parametrize("study", STANDARD)
def test_every_sentence_is_one_of_the_report(study: str, standard_run: SharedRuns) -> None:
    results = read_results(standard_run(study).folder / "report.json")
    shown, every = abstract_of(results), findings(results)
    opening = opening_of(results, every)
    methods = " ".join(statement.text for statement in methods_statements(results))
    said = " ".join(finding.text for finding in every)
    cautions = opening.overview.cautions if opening.overview else ()
    assert shown.title == opening.title
    assert shown.facts == opening.facts
    assert shown.question.startswith(results.study.title)
    assert shown.design in methods
    assert all(part in methods for part in shown.sample.split(". "))
    assert all(text in said for text in shown.findings)
    assert len(shown.findings) <= 2
    assert shown.limit in " ".join([said, INTENDED, *cautions, *results.warnings])
    assert shown.limit not in shown.findings
    heads = [heading for heading, _ in shown.parts]
    asked = "Question" if "?" in shown.question else "Study"
    assert heads == [h for h in (asked, "Design", "Sample", "Findings", "Limit") if h in heads]
    assert {asked, "Design", "Sample", "Limit"} <= {*heads}


def test_it_is_a_slide_in_pixels_and_the_same_twice(make_results: Callable[..., Results]) -> None:
    small = make_results(cases=8)
    files = abstract_files(small)
    assert {*files} == {"abstract.png", "abstract.pdf"}
    picture = Image.open(io.BytesIO(files["abstract.png"]))
    assert picture.size == (1920, 1080)
    # Nothing is cut off at an edge.
    white = picture.convert("L").point(lambda light: 255 * (light < 250))
    left, top, right, bottom = white.getbbox() or (0, 0, 0, 0)
    assert left > 15
    assert top > 15
    assert right < 1905
    assert bottom < 1065
    assert files == abstract_files(small)


def _with_rows(shown: Abstract, many: int) -> Abstract:
    lanes = (Lane("Quality", (1.0, 5.0), ("1", "5 best")), Lane("From best"))
    rows = tuple(
        OverviewRow(f"system-{at:02}", (Spot("3.1", "(2.0 to 4.0)", 3.1, 2.0, 4.0), Spot("lower")))
        for at in range(many)
    )
    overview = Overview(f"system-{many - 1:02} is worst", "System", lanes, rows, "Dots.")
    return replace(shown, title=overview.title, overview=overview)


@pytest.mark.parametrize(("many", "left"), [(2, 0), (8, 0), (28, 1)])
def test_rows_without_room_are_counted_and_the_titles_own_stays(
    make_results: Callable[..., Results], many: int, left: int
) -> None:
    shown = _with_rows(abstract_of(make_results(cases=8)), many)
    figure = _fitting(shown, synthetic=True).drawn()
    names = [
        label.get_text() for axes in figure.findobj() if hasattr(axes, "get_yticklabels")
        for label in axes.get_yticklabels() if label.get_text()
    ]  # fmt: skip
    assert f"system-{many - 1:02}" in names
    drawn: list[Any] = figure.findobj(Text)
    texts = [text.get_text() for text in drawn]
    more = [text for text in texts if "more row" in text]
    assert bool(more) == bool(left)
    if left:
        assert more == [f"{many - len({*names})} more rows in the tables."]


def test_two_findings_have_a_gap_between_them(make_results: Callable[..., Results]) -> None:
    shown = replace(abstract_of(make_results(cases=8)), findings=("First.", "Second."))
    [(_, lines)] = _fitting(shown, synthetic=False).columns[1]
    assert lines == ["First.", "", "Second."]

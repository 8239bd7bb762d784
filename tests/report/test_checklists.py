"""Reporting checklists: every item once, filled from what a run tells, in every form."""

import csv
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from openpyxl import load_workbook
from tools.standard.shared import SharedRuns

from medassay.analyses.results import Results
from medassay.report import render
from medassay.report.checklists import FACTS, Checklist, checklists, filled
from medassay.report.contents import tables_of

CHART, TRIPOD = checklists()


def lines_of(checklist: Checklist, results: Results) -> dict[str, tuple[str, str]]:
    """Give each item's status and where, by number."""
    table = filled(checklist, results, tables_of(results))
    return {row.cells[0].text: (row.cells[3].text, row.cells[4].text) for row in table.rows}


def test_chart_has_the_items_that_its_abstract_counts() -> None:
    numbers = [item.number for item in CHART.items]
    assert len(set(numbers)) == len(numbers) == CHART.counted == 39
    lettered = {number for number in numbers if re.fullmatch(r"\d+[a-e]?", number)}
    letters = {1: "ab", 2: "ab", 3: "ab", 4: "abc", 5: "ab", 6: "abcd", 7: "ab", 9: "a",
               10: "abc", 11: "abc", 12: "abcde"}  # fmt: skip
    assert lettered == {f"{n}{letter}" for n, of in letters.items() for letter in of} | {"8"}


def test_tripod_llm_has_nineteen_items_and_the_rows_of_its_table() -> None:
    numbers = [item.number for item in TRIPOD.items]
    assert len(set(numbers)) == len(numbers) == TRIPOD.counted == 49
    mains = [int(re.match(r"\d+", number)[0]) for number in numbers]  # type: ignore[index]  # all begin so
    assert mains == sorted(mains)
    assert set(mains) == set(range(1, 20))


@pytest.mark.parametrize("checklist", checklists(), ids=lambda one: one.id)
def test_items_ask_for_tables_and_facts_that_there_are(checklist: Checklist) -> None:
    frozen = (Path(__file__).parents[1] / "standard" / "frozen").glob("*/tables.txt")
    said = "\n".join(file.read_text(encoding="utf-8") for file in frozen)
    known = set(re.findall(r"^== tables/(\S+)$", said, re.MULTILINE))
    for item in checklist.items:
        assert set(item.tables) <= known, item.number
        assert set(item.facts) <= set(FACTS), item.number


def test_every_fact_is_asked_for() -> None:
    assert {fact for one in checklists() for item in one.items for fact in item.facts} == set(FACTS)


def test_what_a_run_tells_is_done_and_what_it_lacks_is_not(standard_run: SharedRuns) -> None:
    results = standard_run("measured").results
    tripod, chart = lines_of(TRIPOD, results), lines_of(CHART, results)
    assert tripod["8b"][0] == "done"
    assert "rating-counts.csv" in tripod["8b"][1]
    assert tripod["7d"] == ("not done", "The expertise of 3 of 3 raters is not in raters.csv.")
    assert chart["5b"][0] == chart["6d"][0] == "done"
    assert chart["12b"] == ("not to be known from here", "For the authors to say.")


def test_texts_that_a_study_keeps_are_not_reported(make_results: Callable[..., Results]) -> None:
    plain = make_results(cases=8)
    kept = plain.model_copy(update={"study": plain.study.model_copy(update={"texts": "ids"})})
    chart = lines_of(CHART, kept)
    assert chart["5b"][0] == "not done"
    assert chart["12ci"][0] == "done"


def test_every_form_has_every_item(make_results: Callable[..., Results], tmp_path: Path) -> None:
    render(make_results(cases=8), tmp_path, forms=["checklists"])
    folder = tmp_path / "checklists"
    assert {path.name for path in tmp_path.iterdir()} == {"checklists"}
    book = load_workbook(folder / "checklists.xlsx")
    cells = {
        str(cell) for sheet in book for row in sheet.iter_rows(values_only=True) for cell in row
    }
    for one in checklists():
        rows = list(csv.DictReader((folder / f"{one.id}.csv").read_text("utf-8").splitlines()))
        assert [row["item"] for row in rows] == [item.number for item in one.items]
        said = (folder / f"{one.id}.md").read_text(encoding="utf-8")
        tex = (folder / f"{one.id}.tex").read_text(encoding="utf-8")
        assert one.doi in said
        for item in one.items:
            assert f"| {item.number} |" in said
            assert item.number in cells
            assert item.number in tex

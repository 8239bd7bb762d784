"""Both ways of treating answers without a judgement, in results, tables and the terminal."""

import csv
import json
from pathlib import Path

import pytest
from tools.synthetic_study import write_synthetic
from typer.testing import CliRunner

from medassay.analyses import Results, run_study
from medassay.analyses.results import ValidityDetail
from medassay.cli.app import app
from medassay.report.page import page
from medassay.report.tables import all_tables
from medassay.report.tables.sentinel_marks import name_cell
from medassay.study import open_run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Take the judgements of the first system's last three answers of twelve away."""
    folder = tmp_path_factory.mktemp("unjudged") / "study"
    write_synthetic(folder, systems=3, cases=12)
    path = folder / "judgements.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    first = min(row["system"] for row in rows)
    gone = {(first, case) for case in sorted({row["case"] for row in rows})[-3:]}
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(row for row in rows if (row["system"], row["case"]) not in gone)
    return folder


@pytest.fixture(scope="module")
def results(folder: Path) -> Results:
    found, _ = run_study(open_run(folder))
    return found


def test_every_rule_stands_side_by_side(results: Results) -> None:
    assert results.unjudged
    for one in results.unjudged:
        assert one.shared_cases == 9
        if one.unjudged:
            assert (one.judged, one.unjudged) == (9, 3)
            assert one.dropped is not None
            assert one.worst is not None
            assert one.worst <= one.dropped
    assert {one.unjudged for one in results.unjudged} == {0, 3}


def test_the_report_shows_both(results: Results) -> None:
    [table] = [one for one in all_tables(results) if one.id == "unjudged"]
    lacking = sum(one.unjudged for one in results.unjudged)
    assert f"{lacking} answers of" in table.caption
    assert "Answers that nobody judged" in page(results).decode()


def test_full_prints_every_table_and_json_holds_it(folder: Path, results: Results) -> None:
    done = CliRunner().invoke(app, ["validity", str(folder), "--full"])
    assert done.exit_code == 0, done.output
    for title in (
        "Answers that nobody judged",
        "Other measures of the same order",
        "Answer by answer",
        "What people would give each system",
    ):
        assert title in done.output
    assert "(sentinel)" in done.output
    held = CliRunner().invoke(app, ["validity", str(folder), "--json"])
    assert [one["system"] for one in json.loads(held.output)["unjudged"]] == [
        one.system for one in results.unjudged
    ]


def test_sentinels_are_marked_in_every_table(results: Results) -> None:
    tables = {one.id: one for one in all_tables(results)}
    detail = results.validity
    assert detail is not None
    assert {"constant", "noise"} <= set(detail.sentinels)
    for name in ("system-level", "answer-level"):
        cells = [row.cells[0] for row in tables[name].rows]
        for cell in cells:
            assert cell.text.endswith("(sentinel)") == (cell.raw[0] in detail.sentinels)


def test_a_metric_no_better_than_a_sentinel_is_marked() -> None:
    detail = ValidityDetail(
        titles={"length": "Length"},
        sentinels=["length", "noise"],
        system_level=[],
        pairs=[],
        references=[],
        groups=[],
        answer_level=[],
        bad_answers=[],
    )
    # Length has no better end, so -.6 counts as .6; one draw of noise is no rival.
    reached = {"length": -0.6, "noise": 0.9}
    marks = [name_cell(detail, "m", tau, reached).aside for tau in (0.5, 0.6, 0.7, None)]
    assert marks == ["†", "†", "", ""]
    assert name_cell(detail, "m", 0.5, reached).detail == "No better than Length."
    assert name_cell(detail, "length", -0.6, reached).text == "Length (sentinel)"
    areas = {"length": 0.3}
    marks = [name_cell(detail, "m", area, areas, chance=0.5).aside for area in (0.69, 0.71, 0.4)]
    assert marks == ["†", "", "†"]
    assert "chance" in name_cell(detail, "m", 0.4, areas, chance=0.5).detail

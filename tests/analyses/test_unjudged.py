"""Both ways of treating answers without a judgement, in results, tables and the terminal."""

import csv
import json
from pathlib import Path

import pytest
from tools.synthetic_study import write_synthetic
from typer.testing import CliRunner

from medassay.analyses import Results, run_study
from medassay.analyses.builtin.trust import trusted_in
from medassay.analyses.builtin.unjudged import unjudged
from medassay.analyses.inputs.metric_controls import name_cell
from medassay.cli.app import app
from medassay.exhibits import Names
from medassay.report.page import page
from medassay.report.tables import all_tables
from medassay.study import open_run
from medassay.validity import UnjudgedRank


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


def unjudged_in(results: Results) -> tuple[UnjudgedRank, ...]:
    return results.analyses.of(unjudged) or ()


@pytest.mark.slow
def test_every_rule_stands_side_by_side(results: Results) -> None:
    assert unjudged_in(results)
    for one in unjudged_in(results):
        assert one.shared_cases == 9
        if one.unjudged:
            assert (one.judged, one.unjudged) == (9, 3)
            assert one.dropped is not None
            assert one.worst is not None
            assert one.worst <= one.dropped
    assert {one.unjudged for one in unjudged_in(results)} == {0, 3}


@pytest.mark.slow
def test_the_report_shows_both(results: Results) -> None:
    [table] = [one for one in all_tables(results) if one.id == "unjudged"]
    lacking = sum(one.unjudged for one in unjudged_in(results))
    assert f"{lacking} answers of" in table.caption
    assert "Answers that nobody judged" in page(results).decode()


@pytest.mark.slow
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
    assert "(control)" in done.output
    held = CliRunner().invoke(app, ["validity", str(folder), "--json"])
    assert [one["system"] for one in json.loads(held.output)["unjudged"]] == [
        one.system for one in unjudged_in(results)
    ]


@pytest.mark.slow
def test_controls_are_marked_in_every_table(results: Results) -> None:
    tables = {one.id: one for one in all_tables(results)}
    entries = [entry for on in trusted_in(results.analyses) for entry in on.table.entries]
    controls = {entry.metric for entry in entries if entry.role == "control"}
    assert {"constant", "noise"} <= controls
    for name in ("system-level", "answer-level"):
        cells = [row.cells[0] for row in tables[name].rows]
        for cell in cells:
            assert cell.text.endswith("(control)") == (cell.raw[0] in controls)


def test_a_metric_no_better_than_a_control_is_marked() -> None:
    names = Names(sources={"size": "Size"})
    names.controls = {"size"}
    # Size has no better end, so -.6 counts as .6; one draw of noise is no rival.
    reached = {"size": -0.6, "noise": 0.9}
    marks = [name_cell(names, "m", tau, reached).aside for tau in (0.5, 0.6, 0.7, None)]
    assert marks == ["†", "†", "", ""]
    assert name_cell(names, "m", 0.5, reached).detail == "No better than Size."
    assert name_cell(names, "size", -0.6, reached).text == "Size (control)"
    areas = {"size": 0.3}
    marks = [name_cell(names, "m", area, areas, chance=0.5).aside for area in (0.69, 0.71, 0.4)]
    assert marks == ["†", "", "†"]
    assert "chance" in name_cell(names, "m", 0.4, areas, chance=0.5).detail

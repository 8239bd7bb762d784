"""Shares of bad answers by judges and thresholded metrics, corrected: results, tables, terminal."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from tools.judged_study import PEOPLE, write_judged
from typer.testing import CliRunner

from medassay.analyses import Results, run_study
from medassay.analyses.builtin.judged_shares import judged_shares
from medassay.cli.app import app
from medassay.exhibits import Names
from medassay.exhibits.numbers import PROPORTION
from medassay.report.page import page
from medassay.report.tables import all_tables
from medassay.study import Study, open_run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Leave people's judgements of every second case away; the judges judged them all."""
    folder = write_judged(tmp_path_factory.mktemp("shares") / "study")
    path = folder / "judgements.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    gone = set(sorted({row["case"] for row in rows})[::2])
    # Three systems are bad throughout, and the judge "fair" sees it four times of five.
    poor = {"alder", "birch", "cedar"}
    for row in rows:
        person = row["rater"] in PEOPLE
        if row["system"] in poor and (
            person or (row["rater"] == "fair" and int(row["case"][1:]) % 5)
        ):
            row["label"] = "1"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(
            row for row in rows if not (row["rater"] in PEOPLE and row["case"] in gone)
        )
    return folder


@pytest.fixture(scope="module")
def results(folder: Path) -> Results:
    found, _ = run_study(open_run(folder))
    return found


@pytest.mark.slow
def test_every_judge_stands_beside_people(folder: Path, results: Results) -> None:
    judges = set(Study.open(folder).judges.raters)
    rows = [one for one in (results.analyses.of(judged_shares) or ()) if one.role == "judge"]
    assert rows
    assert {one.flag for one in rows} <= judges
    for one in rows:
        assert one.judged < one.scored
        assert one.sensitivity[0] <= one.sensitivity[1]
        assert one.people is None or 0 <= one.people <= 1
        fixed = one.corrected
        assert (fixed.estimate is None) == (fixed.undefined != "")
        if fixed.interval is not None:
            assert 0 <= fixed.interval.low <= fixed.interval.high <= 1
        if one.flag == "fair" and one.system in {"alder", "birch", "cedar"}:
            assert fixed.estimate is not None
            assert one.plain is not None
            assert fixed.estimate > one.plain  # it misses a fifth; the correction puts them back


@pytest.mark.slow
def test_page_files_terminal_and_json_hold_them(folder: Path, results: Results) -> None:
    title = "Bad answers, corrected for the errors of who flags them"
    [table] = [one for one in all_tables(results) if one.id == "judged-shares"]
    assert len(table.rows) == len(results.analyses.of(judged_shares) or ())
    fields = [field for column in table.columns for field in column.fields]
    assert all(sum(len(cell.raw) for cell in row.cells) == len(fields) for row in table.rows)
    assert len(set(fields)) == len(fields)
    assert title in page(results).decode()
    said = CliRunner().invoke(app, ["validity", str(folder), "--full"])
    assert said.exit_code == 0, said.output
    assert title in said.output
    held = CliRunner().invoke(app, ["validity", str(folder), "--json"])
    assert len(json.loads(held.output)["judged_shares"]) == len(
        results.analyses.of(judged_shares) or ()
    )


def test_borrowed_errors_are_marked_in_the_cell_of_the_number() -> None:
    from medassay.scores import Grid
    from medassay.validity import Flag, Target
    from medassay.validity import judged_shares as shares_of

    rng = np.random.default_rng(1)
    bad = (rng.random((2, 400)) < 0.3).astype(np.float64)
    known = np.zeros((2, 400), dtype=np.bool_)
    known[0, :200] = known[1, :20] = True
    names = ("A", "B"), tuple(f"{i:03}" for i in range(400))
    called = np.where(rng.random((2, 400)) < 0.1, 1 - bad, bad)
    people = Target("d", "dangerous", Grid(*names, bad, known))
    flag = Flag("judge", "judge", Grid(*names, called, bad >= 0))
    shares = shares_of([people], {("d", "dangerous"): [flag]})
    assert [share.errors_of for share in shares] == ["this system", "all systems"]
    assert judged_shares.declared.tables is not None
    [table] = judged_shares.declared.tables(tuple(shares), Names())
    titles = [column.title for column in table.columns]
    own, borrowed = (dict(zip(titles, row.cells, strict=True)) for row in table.rows)
    for title in ("Sensitivity", "Specificity", "Corrected"):
        assert "borrowed" in borrowed[title].aside
        assert "borrowed" not in own[title].aside
    assert borrowed["Worth"].missing
    assert borrowed["Corrected"].raw[0] == shares[1].corrected.estimate
    assert shares[1].corrected.interval is None
    low, high = shares[1].borrowed_low, shares[1].borrowed_high
    assert low is not None
    assert high is not None
    assert low < 0.3 < high
    assert borrowed["Corrected"].text == f"{PROPORTION(low)} to {PROPORTION(high)}"
    assert borrowed["Corrected"].raw[-2:] == (low, high)
    assert own["Corrected"].raw[-2:] == (None, None)
    assert "In 1 of 2 rows" in table.caption

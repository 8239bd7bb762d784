"""A study whose calibration answers are set apart: what is left is not the same cases for all."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from medassay.analyses import Results, run_study
from medassay.analyses.builtin.correlations import correlations_in
from medassay.analyses.builtin.leaderboards import leaderboards_in
from medassay.analyses.builtin.system_level import system_level
from medassay.analyses.builtin.trust import trusted_in
from medassay.cli.app import app
from medassay.report.findings import findings
from medassay.report.tables import all_tables
from medassay.study import Meaning, Study, import_scores, new_study, open_run

SYSTEMS, CASES = "pqrs", [f"{i:02}" for i in range(10)]
EASY = 5
"""The first five cases are easy: two points above the others."""


def leaders(results: Results) -> str:
    return next(finding.text for finding in findings(results) if finding.id == "leaders")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write four systems; each better one has had more easy answers set apart for calibration.

    On every case the next system is half a point better. One column of scores is the ease of the
    case, the same for all systems; the other knows the systems.
    """
    study = tmp_path_factory.mktemp("partial") / "study"
    new_study(study, "ratings", empty=True)
    draw = np.random.default_rng(2)
    rows = ["rater,system,case,dimension,label,phase"]
    for place, system in enumerate(SYSTEMS):
        for at, case in enumerate(CASES):
            for rater in "ab":
                level = 1.5 + 0.5 * place + 1.5 * (at < EASY) + 0.2 * draw.normal()
                phase = "calibration" if at < place else "main"
                label = min(5, max(1, round(level)))
                rows.append(f"{rater},{system},{case},quality,{label},{phase}")
    (study / "judgements.csv").write_text("\n".join(rows) + "\n")
    (study / "cases.jsonl").write_text("".join(f'{{"case": "{case}"}}\n' for case in CASES))
    with (study / "study.toml").open("a") as file:
        # A majority leaves out ties, and so has holes of its own.
        file.write('\n[consensus]\nmethods = ["mean"]\n[run]\nreplicates = 200\n')
    table = study.parent / "scores.csv"
    scores = ["source,system,case,value"]
    for place, system in enumerate(SYSTEMS):
        for at, case in enumerate(CASES):
            scores.append(f"ease,{system},{case},{(at < EASY) + 0.1 * at}")
            scores.append(f"knows,{system},{case},{place + (at < EASY) + 0.1 * draw.normal()}")
    table.write_text("\n".join(scores) + "\n")
    import_scores(Study.open_whole(study), table, {}, None, Meaning())
    return study


@pytest.fixture(scope="module")
def results(folder: Path) -> Results:
    return run_study(open_run(folder))[0]


def told(results: Results) -> set[str]:
    return {one.id for one in findings(results)}


def test_what_is_alike_for_all_systems_has_no_tau_anywhere(results: Results) -> None:
    why = "gives all systems the same score on every case"
    own = [one for one in correlations_in(results.analyses) if one.metric == "ease"]
    assert own
    assert {one.tau for one in own} == {None}
    assert all(one.undefined == f"ease {why}" for one in own)
    trusted = trusted_in(results.analyses)
    entries = [one for on in trusted for one in on.table.entries if one.metric == "ease"]
    assert {(one.tau, one.reason) for one in entries} == {(None, f"it {why}")}
    measured = results.analyses.of(system_level)
    assert measured is not None
    assert {o.tau for o in measured.levels if o.metric == "ease"} == {None}
    assert "validity" not in told(results)  # four systems: one order in twelve is the raters'


def test_means_are_adjusted_and_the_report_says_so_where_they_stand(results: Results) -> None:
    (knows,) = [
        one
        for one in correlations_in(results.analyses)
        if (one.metric, one.consensus) == ("knows", "mean(dimension=quality)")
    ]
    assert (knows.tau, knows.adjusted, knows.n_answers) == (1.0, True, 34)
    board = {row.system: row for row in leaderboards_in(results.analyses).by(results.primary)}
    assert [board[system].rank for system in SYSTEMS] == [4, 3, 2, 1]
    assert [board[system].n for system in SYSTEMS] == [10, 9, 8, 7]
    assert all(board[system].adjusted is not None for system in SYSTEMS)
    said = leaders(results)
    assert "; adjusted " in said
    assert (
        "Not every system answered every case, so means are adjusted for case difficulty." in said
    )
    tables = {table.id: table for table in all_tables(results)}
    words = "Not every system has a value on every case: means are adjusted by case"
    for name in ("tau", "trust", "correlations", "system-level"):
        assert words in tables[name].caption or words.lower()[4:] in tables[name].caption, name
    ranked = tables["standings"]
    assert "Adjusted" in [column.title for column in ranked.columns]
    assert "Adjusted: the mean as if on all cases" in ranked.caption


def test_the_command_line_prints_the_adjusted_means_beside_the_plain_ones(folder: Path) -> None:
    said = CliRunner().invoke(app, ["consensus", str(folder), "--method", "mean"]).stdout
    assert "adjusted: what the mean would be on all cases that any system has" in said
    made = json.loads(
        CliRunner().invoke(app, ["consensus", str(folder), "--method", "mean", "--json"]).stdout
    )
    adjusted = [one["adjusted"] for one in made["means"]]
    assert adjusted == sorted(adjusted)
    plain = {one["system"]: one["mean"] for one in made["means"]}
    # The third system lacks two easy cases, the second one: it only looks no better.
    assert adjusted[2] - adjusted[1] > plain["r"] - plain["q"]


def test_where_all_have_the_same_cases_nothing_is_said_of_it(folder: Path, tmp_path: Path) -> None:
    import shutil

    whole = tmp_path / "study"
    shutil.copytree(folder, whole, ignore=shutil.ignore_patterns("results"))
    path = whole / "judgements.csv"
    path.write_text(path.read_text().replace(",calibration", ",main"))
    found, _ = run_study(open_run(whole))
    assert not any(one.adjusted for one in correlations_in(found.analyses))
    assert {one.adjusted for one in leaderboards_in(found.analyses).standings} == {None}
    assert "adjusted" not in leaders(found)
    assert "adjusted by case" not in "".join(table.caption for table in all_tables(found))
    ease = [one for one in correlations_in(found.analyses) if one.metric == "ease"]
    assert {one.undefined for one in ease} == {
        "ease gives all systems the same score on every case"
    }


def test_a_mean_adjusted_beyond_the_scale_is_cut_there(tmp_path: Path) -> None:
    # p is two points ahead of q on the hard cases, and q has 4 on the easy ones: 6 of at most 5
    # there and 5 on the hard ones would make 5.5.
    study = tmp_path / "study"
    new_study(study, "ratings", empty=True)
    given = {"p": "   555", "q": "444333", "r": "333   "}
    rows = ["rater,system,case,dimension,label"]
    for system, labels in given.items():
        for case, label in enumerate(labels):
            rows += [f"a,{system},{case},quality,{label}"] if label != " " else []
    (study / "judgements.csv").write_text("\n".join(rows) + "\n")
    (study / "cases.jsonl").write_text("".join(f'{{"case": "{case}"}}\n' for case in range(6)))
    with (study / "study.toml").open("a") as file:
        file.write('\n[consensus]\nmethods = ["mean"]\n[run]\nreplicates = 100\n')
    found, _ = run_study(open_run(study))
    adjusted = {one.system: one.adjusted for one in leaderboards_in(found.analyses).standings}
    assert adjusted == pytest.approx({"p": 5.0, "q": 3.5, "r": 2.5})
    asked = ["consensus", str(study), "--method", "mean", "--json"]
    means = json.loads(CliRunner().invoke(app, asked).stdout)["means"]
    assert {one["system"]: one["adjusted"] for one in means} == pytest.approx(adjusted)

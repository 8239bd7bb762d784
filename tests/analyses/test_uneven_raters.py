"""Where severity may pass for quality `check` says so, and leaderboards take it out, or stop."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from tests.report.ranked import best_first
from typer.testing import CliRunner

from medassay.analyses import Results, run_study
from medassay.analyses.builtin.leaderboards import leaderboards_in
from medassay.analyses.builtin.rater_adjusted import adjusted_for_raters
from medassay.cli.app import app
from medassay.report import findings
from medassay.study import new_study, open_run

SYSTEMS, CASES = "ABCD", 60
SEVERITY = {"mild": 0.7, "fair": 0.0, "strict": -0.7}
LEANING: dict[str, tuple[float, ...]] = {
    "A": (0.2, 0.3, 0.5),
    "B": (0.1, 0.1, 0.8),
    "C": (0.3, 0.4, 0.3),
    "D": (0.8, 0.1, 0.1),
}
APART: dict[str, tuple[float, ...]] = {
    "A": (1.0, 0.0, 0.0),
    "B": (0.5, 0.5, 0.0),
    "C": (0.0, 0.0, 1.0),
    "D": (0.0, 0.0, 1.0),
}


def write_study(folder: Path, shares: dict[str, tuple[float, ...]] | None) -> Path:
    """Write four equal systems, one label an answer; without shares raters take turns."""
    new_study(folder, "ratings", empty=True)
    rng = np.random.default_rng(12)
    rows = ["rater,system,case,dimension,label"]
    for case in range(CASES):
        for place, system in enumerate(SYSTEMS):
            turn = list(SEVERITY)[(case + place) % 3]
            rater = turn if shares is None else str(rng.choice(list(SEVERITY), p=shares[system]))
            score = round(3 + SEVERITY[rater] + 0.8 * rng.standard_normal())
            rows.append(f"{rater},{system},{case:02},quality,{min(max(score, 1), 5)}")
    (folder / "judgements.csv").write_text("\n".join(rows), encoding="utf-8")
    asked = [json.dumps({"case": f"{case:02}", "question": "Why?"}) for case in range(CASES)]
    (folder / "cases.jsonl").write_text("\n".join(asked), encoding="utf-8")
    with (folder / "study.toml").open("a", encoding="utf-8") as file:
        file.write("\n[run]\nreplicates = 200\n")
    return folder


@pytest.fixture(scope="module")
def uneven(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_study(tmp_path_factory.mktemp("uneven") / "study", LEANING)


@pytest.fixture(scope="module")
def results(uneven: Path) -> Results:
    return run_study(open_run(uneven))[0]


@pytest.fixture(scope="module")
def apart(tmp_path_factory: pytest.TempPathFactory) -> Results:
    folder = write_study(tmp_path_factory.mktemp("apart") / "study", APART)
    return run_study(open_run(folder))[0]


def leaders(results: Results) -> str:
    return next(one.text for one in findings(results) if one.id == "leaders")


def test_check_names_the_rater_and_what_to_do(uneven: Path) -> None:
    said = CliRunner().invoke(app, ["check", str(uneven)])
    assert said.exit_code == 0
    assert "note: On quality raters are unevenly allotted to systems (p < 0.001)" in said.stdout
    assert "(the rater is mild)" in said.stdout
    assert "deal raters out by chance" in said.stdout


def test_other_readers_of_check_hear_no_name(uneven: Path) -> None:
    said = CliRunner().invoke(app, ["check", str(uneven), "--json"])
    told = " ".join(json.loads(said.stdout)["warnings"])
    assert "unevenly allotted" in told
    assert "mild" not in told


def test_check_says_that_systems_are_ranked_by_adjusted_means(uneven: Path) -> None:
    said = CliRunner().invoke(app, ["check", str(uneven)])
    assert "Systems are ranked by means adjusted for raters." in said.stdout


def test_severity_makes_no_leader_of_equal_systems(results: Results) -> None:
    text = leaders(results)
    assert " scored highest on Overall quality by these three raters (" in text
    assert "Whether it is better than any other system is undecided on the " in text
    assert "Systems met different raters, so means are adjusted for who rated." in text
    board = best_first(results, results.primary)
    assert {one.letters for one in board} == {"a"}
    assert [one.rank for one in board] == [1, 2, 3, 4]
    assert {one.adjusted_for for one in board} == {"raters"}
    raw = [one.mean for one in board if one.mean is not None]
    adjusted = [one.adjusted for one in board if one.adjusted is not None]
    assert np.ptp(adjusted) < np.ptp(raw) / 2
    ranked = leaderboards_in(results.analyses)
    pairs = [pair for pair in ranked.comparisons if pair.source == results.primary]
    assert len(pairs) == 6
    assert {one.method for one in pairs} == {"t of means adjusted for raters"}


def test_a_report_says_how_far_raters_lie_apart_and_which_ranks_that_changes(
    results: Results,
) -> None:
    [found] = [one for one in findings(results) if one.id == "rater-adjusted"]
    assert re.match(
        "Adjusted for the strictness of raters, [A-D] is first on Overall quality, not [A-D]; "
        "ranks ",
        found.text,
    )
    assert "There, the strictest and the mildest rater differ by 1." in found.text
    record = results.analyses.of(adjusted_for_raters)
    assert record is not None
    [board] = record.dimensions
    assert board.ranked
    assert [row.system for row in board.systems] == [
        row.system for row in best_first(results, results.primary)
    ]
    severities = [row.severity for row in board.raters]
    assert severities == pytest.approx([0.7, 0.0, -0.7], abs=0.35)
    weighted = sum(row.severity * row.labels for row in board.raters)
    assert weighted == pytest.approx(0, abs=1e-9)


def test_systems_without_a_rater_in_common_are_not_ranked_and_not_adjusted(apart: Results) -> None:
    text = leaders(apart)
    assert text.startswith(
        "Systems cannot be ranked on Overall quality by these three raters (60 cases): "
    )
    assert "no rater in common" in text
    assert "first" not in text
    ranked = leaderboards_in(apart.analyses)
    own = ranked.by(apart.primary)
    assert all(one.mean is not None and one.interval is not None for one in own)
    assert {(one.rank, one.letters) for one in own} == {(None, "")}
    pairs = [pair for pair in ranked.comparisons if pair.source == apart.primary]
    assert {(one.difference, one.p_adjusted) for one in pairs} == {(None, None)}
    assert all("no rater in common" in one.reason for one in pairs)
    assert [one.system for one in best_first(apart, apart.primary)] == list(SYSTEMS)
    record = apart.analyses.of(adjusted_for_raters)
    assert record is not None
    [board] = record.dimensions
    assert board.systems == ()
    assert "no rater in common" in board.undefined


def test_raters_who_take_turns_are_ranked_by_and_counted(tmp_path: Path) -> None:
    folder = write_study(tmp_path / "study", None)
    assert "allotted" not in CliRunner().invoke(app, ["check", str(folder)]).stdout
    text = leaders(run_study(open_run(folder))[0])
    assert text.startswith("C scored highest on Overall quality by these three raters (")

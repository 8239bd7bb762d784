"""Where severity may pass for quality `check` says so, and no leaderboard ranks by it."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from medassay.analyses import Results, run_study
from medassay.cli.app import app
from medassay.report import findings
from medassay.report.tables import ordered
from medassay.study import new_study, open_run

SYSTEMS, CASES = "ABCD", 60
SEVERITY = {"mild": 0.7, "fair": 0.0, "strict": -0.7}
LEANING: dict[str, tuple[float, ...]] = {
    "A": (0.2, 0.3, 0.5),
    "B": (0.1, 0.1, 0.8),
    "C": (0.3, 0.4, 0.3),
    "D": (0.8, 0.1, 0.1),
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


def leaders(results: Results) -> str:
    return next(one.text for one in findings(results) if one.id == "leaders")


def test_check_names_the_rater_and_what_to_do(uneven: Path) -> None:
    said = CliRunner().invoke(app, ["check", str(uneven)])
    assert said.exit_code == 0
    assert "note: On quality raters are unevenly allotted to systems (p < .001)" in said.stdout
    assert "(the rater is mild)" in said.stdout
    assert "deal raters out by chance" in said.stdout


def test_other_readers_of_check_hear_no_name(uneven: Path) -> None:
    said = CliRunner().invoke(app, ["check", str(uneven), "--json"])
    told = " ".join(json.loads(said.stdout)["warnings"])
    assert "unevenly allotted" in told
    assert "mild" not in told


def test_the_headline_ranks_nobody_and_says_why(results: Results) -> None:
    text = leaders(results)
    assert text.startswith("By these three raters on Overall quality, nobody can be ranked on 60")
    assert "unevenly allotted" in text
    assert "first" not in text


def test_the_leaderboard_keeps_means_and_gives_no_rank_no_group_and_no_test(
    results: Results,
) -> None:
    own = [one for one in results.standings if one.source == results.primary]
    assert all(one.mean is not None and one.interval is not None for one in own)
    assert {(one.rank, one.letters) for one in own} == {(None, "")}
    pairs = [one for one in results.comparisons if one.source == results.primary]
    assert len(pairs) == 6
    assert {(one.difference, one.p_adjusted) for one in pairs} == {(None, None)}
    assert all("unevenly allotted" in one.reason for one in pairs)
    assert [one.system for one in ordered(results, results.primary)] == list(SYSTEMS)


def test_raters_who_take_turns_are_ranked_by_and_counted(tmp_path: Path) -> None:
    folder = write_study(tmp_path / "study", None)
    assert "allotted" not in CliRunner().invoke(app, ["check", str(folder)]).stdout
    text = leaders(run_study(open_run(folder))[0])
    assert text.startswith("By these three raters on Overall quality, no system can be told")

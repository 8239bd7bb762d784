"""Where systems were judged in blocks `check` says so and the board names no leader."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from medassay.analyses import run_study
from medassay.analyses.builtin.leaderboards import leaderboards_in
from medassay.analyses.builtin.rater_flow import flow_of, raters_table
from medassay.cli.app import app
from medassay.report import findings
from medassay.study import Study, new_study, open_run

SYSTEMS, CASES = "AB", 30


def write_study(folder: Path, place: str) -> Path:
    """Write two systems, B far better; places are a position, a time, or none."""
    new_study(folder, "ratings", empty=True)
    rng = np.random.default_rng(2)
    column = {"none": "", "time": ",time"}.get(place, ",position")
    rows = [f"rater,system,case,dimension,label{column}"]
    for rater in ("r1", "r2"):
        mixed = rng.permutation(2 * CASES)
        for at in range(2 * CASES):
            turn = int(mixed[at]) if place == "mixed" else at
            system, case = SYSTEMS[turn // CASES], turn % CASES
            score = 2 + 2 * (system == "B") + int(rng.integers(2))
            minute = f"2026-01-05T{8 + at // 60:02}:{at % 60:02}:00Z"
            said = {"none": "", "time": f",{minute}"}.get(place, f",{at}")
            rows.append(f"{rater},{system},{case:02},quality,{score}{said}")
    (folder / "judgements.csv").write_text("\n".join(rows), encoding="utf-8")
    asked = [json.dumps({"case": f"{case:02}", "question": "Why?"}) for case in range(CASES)]
    (folder / "cases.jsonl").write_text("\n".join(asked), encoding="utf-8")
    with (folder / "study.toml").open("a", encoding="utf-8") as file:
        file.write("\n[run]\nreplicates = 200\n")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("place", ["position", "time"])
def test_blocks_have_means_and_no_leader(tmp_path: Path, place: str) -> None:
    folder = write_study(tmp_path / "study", place)
    said = " ".join(CliRunner().invoke(app, ["check", str(folder)]).stdout.split())
    assert "On quality systems were judged in blocks (p < 0.001; A earliest, B latest)" in said
    assert "No system is ranked on it." in said
    results, _ = run_study(open_run(folder))
    rows = [row for row in leaderboards_in(results.analyses).standings if row.mean is not None]
    assert {row.rank for row in rows} == {None}
    assert {row.letters for row in rows} == {""}
    assert all("judged in blocks" in row.reason for row in rows)
    told = next(one.text for one in findings(results) if one.id == "leaders")
    assert "judged in blocks" in told
    assert "best" not in told


@pytest.mark.slow
def test_mixed_answers_are_ranked_and_an_unknown_order_is_said(tmp_path: Path) -> None:
    for place in ("mixed", "none"):
        folder = write_study(tmp_path / place, place)
        assert "in blocks" not in CliRunner().invoke(app, ["check", str(folder)]).stdout
        results, _ = run_study(open_run(folder))
        ranks = {row.rank for row in leaderboards_in(results.analyses).standings if row.mean}
        assert ranks == {1, 2}
        caption = raters_table(flow_of(Study.open(folder))).caption
        assert ("The order of judging is not recorded" in caption) == (place == "none")

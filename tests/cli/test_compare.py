"""The gate as CI calls it: three verdicts, three exit codes."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from medassay.cli import app


def table(path: Path, values: list[float]) -> str:
    rows = [f"A,{case:04},judge,{value}" for case, value in enumerate(values)]
    path.write_text("\n".join(["system,case,source,value", *rows]) + "\n", encoding="utf-8")
    return str(path)


OLD = [1.0, 0.8, 0.9, 0.7, 0.6] * 40
WORSE = [value - 0.2 for value in OLD]
UNSURE = [value + (0.5 if i % 2 else -0.5) for i, value in enumerate(OLD)]


@pytest.mark.parametrize(
    ("new", "flags", "code", "verdict"),
    [
        (OLD, [], 0, "undecided"),
        ([value + 0.1 for value in OLD], ["--require-not-worse"], 0, "not worse"),
        ([v - (i % 3) * 0.1 - 0.1 for i, v in enumerate(OLD)], [], 3, "worse"),
        (UNSURE, [], 0, "undecided"),
        (UNSURE, ["--require-not-worse"], 4, "undecided"),
    ],
)
def test_verdict_and_exit_code(
    tmp_path: Path, new: list[float], flags: list[str], code: int, verdict: str
) -> None:
    jitter = [value + 0.001 * (i % 7) for i, value in enumerate(new)] if new is not OLD else new
    before = table(tmp_path / "old.csv", OLD)
    after = table(tmp_path / "new.csv", jitter)
    done = CliRunner().invoke(app, ["compare", before, after, "--json", *flags])
    assert done.exit_code == code
    said = json.loads(done.stdout)
    assert [one["verdict"] for one in said["results"]] == [verdict]
    assert said["exit_code"] == code
    # Nobody judged these answers, and the gate says so.
    assert "No raters judged either version" in said["warnings"][0]


def test_people_read_the_answers_that_changed(tmp_path: Path) -> None:
    before = table(tmp_path / "old.csv", OLD)
    after = table(tmp_path / "new.csv", [0.1, *OLD[1:]])
    done = CliRunner().invoke(app, ["compare", before, after])
    assert "1 answer lost, 0 gained." in done.stdout
    assert "A, 0000: 1.000 to 0.100" in done.stdout

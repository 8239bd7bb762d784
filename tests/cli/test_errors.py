"""Bad input ends with exit code 2, what is wrong, and no traceback."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]
IN_PLACE = "study"  # stands for the study's folder in the words below


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["check", "/nowhere"], "must be the folder of a study"),
        (["run", IN_PLACE, "--metrics", "rogue1"], 'Did you mean "rouge1"'),
        (["run", IN_PLACE, "-m", "length", "-m", "length"], "name each metric once"),
        (["score", IN_PLACE, "--metrics", "rouge1"], "--metrics"),
        (["new", IN_PLACE], "be a new or empty folder"),
        (["new", "x", "--protocol", "rating"], 'Did you mean "ratings"'),
        (["metrics", "explain", "lenght"], 'Did you mean "length"'),
        (["metrics", "explain", "a b"], "have the form name"),
        (["import", "--from", "scores", "none.csv", "--into", IN_PLACE], "be a file that exists"),
        (
            ["import", "--from", "scores", "a.csv", "--into", IN_PLACE, "-c", "system"],
            "have the form OURS=",
        ),
        (
            [
                "import",
                "--from",
                "scores",
                "a.csv",
                "--into",
                IN_PLACE,
                "-c",
                "case=a",
                "-c",
                "case=b",
            ],
            "name each of our columns once",
        ),
    ],
)
def test_what_is_wrong_is_said_in_words(
    medassay: Command, study: Path, words: list[str], message: str
) -> None:
    words = [str(study) if word == IN_PLACE else word for word in words]
    said = medassay(*words)
    assert (said.code, said.out) == (2, "")
    assert message in said.err
    assert "Traceback" not in said.err
    asked = medassay(*words, "--json")
    assert (asked.code, asked.err) == (2, "")
    told = asked.json()
    assert message in told["error"]
    for problem in told["problems"]:
        assert set(problem) == {"file", "row", "column", "must", "got", "try"}


@pytest.mark.parametrize(
    "words", [[], ["chek"], ["check"], ["run", "x", "--seed", "-1"], ["run", "x", "--sed", "1"],
              ["import", "--from", "scores", "a.csv"],
              ["import", "--from", "scores", "a", "--into", "b", "--direction", "x"]]
)  # fmt: skip
def test_a_command_that_is_not_one_says_how_to_write_it(
    medassay: Command, words: list[str]
) -> None:
    said = medassay(*words)
    assert said.code == 2
    assert "Usage: medassay" in said.err + said.out
    assert "Traceback" not in said.err


def test_every_problem_is_a_line_with_its_place(medassay: Command, tmp_path: Path) -> None:
    medassay("new", tmp_path / "s")
    with (tmp_path / "s" / "judgements.csv").open("a", encoding="utf-8") as file:
        file.write("r1,person,system-a,sprain,quality,6,,main,,,,\n" * 2)
    with (tmp_path / "s" / "cases.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"case": "x", "qestion": "?"}\n')
    lines = medassay("check", tmp_path / "s").err.splitlines()
    assert lines[0].startswith("cases.jsonl, row 3, column qestion: must be one of case, question")
    assert [line.split(":")[0] for line in lines[1:]] == [
        "judgements.csv, row 10, column label",
        "judgements.csv, row 11, column label",
    ]


@pytest.mark.slow
def test_a_narrow_terminal_is_no_reason_to_stop(study: Path) -> None:
    done = subprocess.run(  # noqa: S603 - our own interpreter and code
        [sys.executable, "-m", "medassay", "agree", str(study)],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=True,
    )
    assert b"quality" in done.stdout


@pytest.mark.slow
def test_the_command_itself_ends_with_two(tmp_path: Path) -> None:
    done = subprocess.run(  # noqa: S603 - our own interpreter and code
        [sys.executable, "-m", "medassay", "check", str(tmp_path / "none"), "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (2, "")
    assert json.loads(done.stdout)["problems"][0]["got"] == "no such folder"

"""Annotation tools are asked for labels of whole answers; the rest is left to sheets, in a word."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tools.standard import write_standard

Run = Callable[..., Any]
Refused = Callable[..., list[str]]
TOOLS = ("potato", "label-studio")
NUMBERS_TOO = ("redcap",)


@pytest.mark.parametrize("tool", TOOLS)
def test_numbers_and_passages_are_left_to_sheets(tmp_path: Path, medassay: Run, tool: str) -> None:
    study = write_standard("measured", tmp_path)
    given = medassay("export", "--to", tool, study, "--into", tmp_path / "out", "--ratings")
    assert given["notes"][0] == (
        "Not asked there: adequacy (a number), seconds (a number), errors (passages). Sheets and "
        "the rating room ask all of it: medassay campaign create."
    )
    assert "Left out: 48 repeated answers; the first of each goes." in given["notes"]
    said = "".join(path.read_text(encoding="utf-8") for path in (tmp_path / "out").iterdir())
    assert "usable" in said
    assert "adequacy" not in said
    assert "errors" not in said


@pytest.mark.parametrize("tool", NUMBERS_TOO)
def test_passages_alone_are_left_to_sheets(tmp_path: Path, medassay: Run, tool: str) -> None:
    study = write_standard("measured", tmp_path)
    given = medassay("export", "--to", tool, study, "--into", tmp_path / "out", "--ratings")
    assert given["counts"] == {"answer": 96}
    assert given["notes"][0] == (
        "Not asked there: errors (passages). Sheets and the rating room ask all of it: medassay "
        "campaign create."
    )
    assert not [note for note in given["notes"] if "repeated answers" in note]
    said = "".join(path.read_text(encoding="utf-8") for path in (tmp_path / "out").iterdir())
    assert "adequacy" in said
    assert "errors" not in said


@pytest.mark.parametrize("tool", [*TOOLS, *NUMBERS_TOO])
def test_a_rubric_about_criteria_alone_is_refused(
    tmp_path: Path, refused: Refused, tool: str
) -> None:
    study = write_standard("criteria", tmp_path)
    (problem,) = refused("export", "--to", tool, study, "--into", tmp_path / "out")
    assert "must ask for a label of the whole answer" in problem
    assert "met (a label of each criterion)" in problem
    assert "medassay campaign create" in problem
    assert not (tmp_path / "out").exists()


def test_numbers_go_to_mt_metrics_eval_and_parts_are_named(tmp_path: Path, medassay: Run) -> None:
    study = write_standard("measured", tmp_path)
    given = medassay("export", "--to", "mt-metrics-eval", study, "--into", tmp_path / "out")
    assert "not carried over: errors, which is about each span." in given["notes"]
    assert not [note for note in given["notes"] if "adequacy" in note]
    files = [path for path in (tmp_path / "out").rglob("*") if "adequacy" in path.name]
    said = "".join(path.read_text(encoding="utf-8") for path in files)
    rows = (study / "judgements.csv").read_text(encoding="utf-8").splitlines()
    first = next(row.split(",") for row in rows if ",adequacy," in row)
    assert f"{float(first[8]):g}" in said

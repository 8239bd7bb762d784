"""medassay judge: tests, certificates, exit codes."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tools.judged_study import write_judged

Command = Callable[..., Any]


@pytest.fixture
def judged(tmp_path: Path) -> Path:
    return write_judged(tmp_path / "study")


def test_it_prints_verdicts_and_numbers(medassay: Command, judged: Path) -> None:
    said = medassay("judge", judged)
    assert said.code == 0
    assert "Whether a judge may stand in for a person" in said.out
    assert "wordy is a model" in said.out
    [one] = medassay("judge", judged, "fair", "--json").json()["judges"]
    assert one["dimensions"][0]["passes"] is True


@pytest.mark.slow
def test_only_who_passes_is_certified(medassay: Command, judged: Path) -> None:
    said = medassay("judge", judged, "--certify")
    assert said.code == 3
    assert "wordy: no certificate, since it did not pass." in said.out
    assert {one.name for one in (judged / "certificates").iterdir()} == {"fair.json", "uses.jsonl"}
    again = medassay("judge", judged, "fair", "--certify")
    assert again.code == 0
    assert "honoured" in again.out


@pytest.mark.slow
def test_a_certificate_is_taken_from_another_study(
    medassay: Command, judged: Path, tmp_path: Path
) -> None:
    medassay("judge", judged, "fair", "--certify")
    carried = Path(shutil.move(judged / "certificates" / "fair.json", tmp_path / "fair.json"))
    told = medassay("judge", judged, "--certificate", carried, "fair", "--json").json()
    assert told["judges"][0]["certificates"][0]["status"] == "honoured"


def test_an_unknown_judge_is_named(medassay: Command, judged: Path) -> None:
    said = medassay("judge", judged, "fiar")
    assert said.code == 2
    assert "fair" in said.err
    assert medassay("judge", judged, "--certificate", judged / "cases.jsonl").code == 2


def test_a_study_without_models_says_so(medassay: Command, study: Path) -> None:
    assert "No rater of this study is a model" in medassay("judge", study).out

"""medassay triage writes a queue that a campaign takes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from medassay.study import write_demo

Command = Callable[..., Any]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("triage") / "cochrane"
    write_demo(folder, "cochrane")
    return folder


def test_a_campaign_rates_what_the_queue_names(
    medassay: Command, demo: Path, tmp_path: Path
) -> None:
    queue = tmp_path / "queue.csv"
    said = medassay("triage", demo, "--n", 12, "--dimension", "fluency", "--out", queue, "--json")
    told = said.json()["queue"]
    lines = queue.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "system,case,priority,why"
    assert len(lines) == 13 == len(told) + 1
    words = ["campaign", "export", demo, "--queue", queue, "--raters", "anna,ben", "--name", "next"]
    assert "Campaign next: 12 answers, 2 raters." in medassay(*words, "--format", "csv").out
    key = (demo / "campaigns" / "next" / "key.csv").read_text(encoding="utf-8").splitlines()[1:]
    sent = {(line.split(",")[6], line.split(",")[5]) for line in key}
    assert sent == {(one["system"], one["case"]) for one in told}


def test_danger_takes_what_opinions_differ_about_and_warns(medassay: Command, demo: Path) -> None:
    said = medassay("triage", demo, "--n", 5, "--for", "danger", "--dimension", "population")
    assert "opinions differ" in said.out
    assert "biased" in said.out


def test_a_queue_of_another_study_is_refused(medassay: Command, demo: Path, tmp_path: Path) -> None:
    queue = tmp_path / "queue.csv"
    queue.write_text("system,case\nnobody,CD000123\n", encoding="utf-8")
    said = medassay("campaign", "export", demo, "--queue", queue, "--raters", "1", "--name", "x")
    assert said.code == 2
    assert "queue.csv, row 2: must name an answer of the study" in said.err

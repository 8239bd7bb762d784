"""A study to try things on: three systems, four cases, two raters, every kind of missing."""

from functools import partial
from pathlib import Path

import pytest

from medassay.cli import running
from medassay.report import render
from medassay.tables import csv_bytes, jsonl_bytes

SETTINGS = """
schema = 1
title = "A study to try things on"
[protocol]
name = "ratings"
[run]
seed = 7
replicates = 200
"""
CASES: list[dict[str, object]] = [
    {"case": "c1", "question": "How long?", "references": [{"text": "Rest it for two days."}]},
    {"case": "c2", "question": "Why?", "references": [{"text": "A virus is behind a cold."}]},
    {"case": "c3", "references": [{"text": "Drink enough water every day."}]},
    {"case": "c4", "question": "Nobody wrote a reference to this."},
]
ANSWERS = {
    "A": {"c1": "Rest it for two days.", "c2": "It is a virus.", "c3": "Drink water.", "c4": "No."},
    "B": {"c1": "Rest for a week.", "c2": "", "c3": "Drink enough every day.", "c4": "Perhaps."},
    "C": {"c1": "Keep still.", "c3": "Water.", "c4": "Yes, it does."},  # c2 was never answered
}
# B's empty answer to c2: both raters said why there is no label.
LABELS = {
    ("r1", "A"): "5443", ("r2", "A"): "5533", ("r1", "B"): "3-42", ("r2", "B"): "4-32",
    ("r1", "C"): "2 11", ("r2", "C"): "1 21",
}  # fmt: skip
JUDGEMENT_COLUMNS = ("rater", "system", "case", "dimension", "label", "reason")


def judgement_rows() -> list[list[str]]:
    rows = []
    for (rater, system), labels in LABELS.items():
        for number, label in enumerate(labels, start=1):
            if label == " ":
                continue
            said = ["", "not_applicable"] if label == "-" else [label, ""]
            rows.append([rater, system, f"c{number}", "quality", *said])
    return rows


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_study(tmp_path / "study")


@pytest.fixture(scope="module")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a study that the tests of one file only read."""
    return write_study(tmp_path_factory.mktemp("shared") / "study")


@pytest.fixture
def svg_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw figures in one form: the other two say the same and take their time."""
    monkeypatch.setattr(running, "render", partial(render, formats=("svg",)))


def write_study(path: Path) -> Path:
    (path / "answers").mkdir(parents=True)
    (path / "study.toml").write_text(SETTINGS, encoding="utf-8")
    (path / "cases.jsonl").write_bytes(jsonl_bytes(CASES))
    for system, texts in ANSWERS.items():
        lines: list[dict[str, object]] = [{"case": case, "text": texts[case]} for case in texts]
        (path / "answers" / f"{system}.jsonl").write_bytes(jsonl_bytes(lines))
    (path / "judgements.csv").write_bytes(csv_bytes(JUDGEMENT_COLUMNS, judgement_rows()))
    return path

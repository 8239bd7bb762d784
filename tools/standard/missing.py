"""Three systems, four cases, two or three raters, every kind of missing."""

from pathlib import Path
from typing import Final

from medassay.tables import csv_bytes, jsonl_bytes

_SETTINGS: Final = """
schema = 1
title = "A study to try things on"
[protocol]
name = "ratings"
[run]
seed = 7
replicates = 200
"""
_CASES: Final[list[dict[str, object]]] = [
    {"case": "c1", "question": "How long?", "references": [{"text": "Rest it for two days."}]},
    {"case": "c2", "question": "Why?", "references": [{"text": "A virus is behind a cold."}]},
    {"case": "c3", "references": [{"text": "Drink enough water every day."}]},
    {"case": "c4", "question": "Nobody wrote a reference to this."},
]
_ANSWERS: Final = {
    "A": {"c1": "Rest it for two days.", "c2": "It is a virus.", "c3": "Drink water.", "c4": "No."},
    "B": {"c1": "Rest for a week.", "c2": "", "c3": "Drink enough every day.", "c4": "Perhaps."},
    "C": {"c1": "Keep still.", "c3": "Water.", "c4": "Yes, it does."},  # c2 was never answered
}
# B's empty answer to c2: all raters said why there is no label.
_LABELS: Final = {
    ("r1", "A"): "5443", ("r2", "A"): "5533", ("r1", "B"): "3-42", ("r2", "B"): "4-32",
    ("r1", "C"): "2 11", ("r2", "C"): "1 21",
    ("r3", "A"): "5433", ("r3", "B"): "3-32", ("r3", "C"): "2 12",
}  # fmt: skip
_COLUMNS: Final = ("rater", "system", "case", "dimension", "label", "reason")


def _judgement_rows(raters: int) -> list[list[str]]:
    rows = []
    for (rater, system), labels in list(_LABELS.items())[: raters * len(_ANSWERS)]:
        for number, label in enumerate(labels, start=1):
            if label == " ":
                continue
            said = ["", "not_applicable"] if label == "-" else [label, ""]
            rows.append([rater, system, f"c{number}", "quality", *said])
    return rows


def write_missing(folder: Path, raters: int = 2) -> Path:
    """Write the study. By two raters' labels a fit of Dawid-Skene does not come to rest."""
    (folder / "answers").mkdir(parents=True)
    (folder / "study.toml").write_text(_SETTINGS, encoding="utf-8")
    (folder / "cases.jsonl").write_bytes(jsonl_bytes(_CASES))
    for system, texts in _ANSWERS.items():
        lines: list[dict[str, object]] = [{"case": case, "text": texts[case]} for case in texts]
        (folder / "answers" / f"{system}.jsonl").write_bytes(jsonl_bytes(lines))
    (folder / "judgements.csv").write_bytes(csv_bytes(_COLUMNS, _judgement_rows(raters)))
    return folder

"""A made-up study with two model judges: one that rates as people do, and one that leans.

    python -m tools.judged_study FOLDER

Six systems answer twenty questions; four people and both judges rate every answer from 1 to 5. The
judge `fair` is a person with a little noise. The judge `wordy` adds half a point for every doubling
of an answer's length and half a point for systems of its own family, changes every third label
when asked again, and prefers what it reads first.
"""

import sys
from pathlib import Path
from typing import Final

import numpy as np

from medassay.tables import csv_bytes, jsonl_bytes

SYSTEMS: Final = ("alder", "birch", "cedar", "elm", "fir", "oak")
PEOPLE: Final = ("anna", "ben", "chloe", "dan")
JUDGES: Final = ("fair", "wordy")
SETTINGS: Final = """schema = 1
title = "Two model judges"
description = "Made up: one judge rates as people do, the other counts words and likes its kin."
synthetic = true
[protocol]
name = "ratings"
[[metrics]]
name = "length"
[[metrics]]
name = "rouge1(ref=human)"
[run]
seed = 5
replicates = 500
[domain]
name = "first aid at home"
tags = ["topic"]
[judges.fair]
model = "fair-large"
version = "2026-01"
prompt = "prompts/fair.txt"
settings = "temperature 0"
family = "conifer"
[judges.wordy]
model = "wordy-mini"
version = "2026-02"
prompt = "prompts/wordy.txt"
settings = "temperature 1"
family = "conifer"
[systems.cedar]
family = "conifer"
[systems.fir]
family = "conifer"
"""
TIE: Final = 0.2
TOPICS: Final = ("burns", "sprains")
_COLUMNS: Final = ("rater", "rater_kind", "system", "case", "dimension", "label", "phase")
_PAIRS: Final = (
    "rater", "rater_kind", "case", "system_a", "system_b", "dimension", "choice", "phase",
)  # fmt: skip


def write_judged(folder: Path, *, cases: int = 20, people: int = len(PEOPLE)) -> Path:
    """Write the study; the same arguments give the same bytes."""
    rng = np.random.default_rng(11)
    names = [f"c{number + 1:02}" for number in range(cases)]
    quality = 3 + rng.normal(0, 0.8, (len(SYSTEMS), cases)) + np.linspace(-0.9, 0.9, 6)[:, None]
    words = np.exp(rng.normal(3.6, 0.5, quality.shape)).astype(int).clip(5, 160)
    (folder / "answers").mkdir(parents=True)
    (folder / "prompts").mkdir()
    (folder / "study.toml").write_text(SETTINGS, encoding="utf-8")
    for judge in JUDGES:
        text = f"You are {judge}. Rate the answer from 1 to 5.\n"
        (folder / "prompts" / f"{judge}.txt").write_text(text, encoding="utf-8")
    asked: list[dict[str, object]] = [
        {
            "case": name,
            "question": f"What should be done first, question {place + 1}?",
            "references": [{"text": "Cool it with water, then cover it."}],
            "tags": {"topic": TOPICS[place % 2]},
        }
        for place, name in enumerate(names)
    ]
    (folder / "cases.jsonl").write_bytes(jsonl_bytes(asked))
    for i, system in enumerate(SYSTEMS):
        answers: list[dict[str, object]] = [
            {"case": name, "text": " ".join(["water"] * int(words[i, k]))}
            for k, name in enumerate(names)
        ]
        (folder / "answers" / f"{system}.jsonl").write_bytes(jsonl_bytes(answers))
    said = {name: quality + rng.normal(0, 0.5, quality.shape) for name in PEOPLE[:people]}
    said["fair"] = quality + rng.normal(0, 0.3, quality.shape)
    kin = np.array([system in {"cedar", "fir"} for system in SYSTEMS])[:, None]
    wordy = quality + 0.5 * (np.log2(words) - 5.2) + 0.5 * kin
    said["wordy"] = wordy + rng.normal(0, 0.6, quality.shape)
    rows = [row for rater, heard in said.items() for row in _rows(rater, heard, names, "main")]
    again = {
        "anna": said["anna"] + rng.normal(0, 0.4, quality.shape),
        "fair": said["fair"] + rng.normal(0, 0.05, quality.shape),
        "wordy": said["wordy"] + rng.normal(0, 0.9, quality.shape),
    }
    rows += [row for rater, heard in again.items() for row in _rows(rater, heard, names, "repeat")]
    (folder / "judgements.csv").write_bytes(csv_bytes(_COLUMNS, rows))
    (folder / "preferences.csv").write_bytes(csv_bytes(_PAIRS, _pairs(rng, said, names)))
    return folder


def _rows(rater: str, heard: np.ndarray, names: list[str], phase: str) -> list[list[str]]:
    kind = "model" if rater in JUDGES else "person"
    labels = np.rint(heard).clip(1, 5).astype(int)
    return [
        [rater, kind, system, name, "quality", str(labels[i, k]), phase]
        for i, system in enumerate(SYSTEMS)
        for k, name in enumerate(names)
    ]


def _pairs(
    rng: np.random.Generator, said: dict[str, np.ndarray], names: list[str]
) -> list[list[str]]:
    """Compare each system with the next in both orders; `wordy` leans to the first."""
    rows = []
    for rater, lean in (("fair", 0.0), ("wordy", 0.8), ("anna", 0.0)):
        kind = "model" if rater in JUDGES else "person"
        for k, name in enumerate(names):
            for i in range(0, len(SYSTEMS), 2):
                for phase, (a, b) in (("main", (i, i + 1)), ("repeat", (i + 1, i))):
                    if rater == "anna" and phase == "repeat":
                        continue
                    gap = said[rater][a, k] - said[rater][b, k] + lean + rng.normal(0, 0.15)
                    choice = "tie" if abs(gap) < TIE else "a" if gap > 0 else "b"
                    rows.append(
                        [rater, kind, name, SYSTEMS[a], SYSTEMS[b], "overall", choice, phase]
                    )
    return rows


if __name__ == "__main__":
    write_judged(Path(sys.argv[1]))

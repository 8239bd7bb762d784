"""A study whose scores came with a file, whose benchmark is odd in every way that is looked for."""

from pathlib import Path
from typing import Final

import numpy as np

from medassay.tables import csv_bytes, jsonl_bytes

_SETTINGS: Final = """
schema = 1
title = "Scores that came with a file"
synthetic = true
[protocol]
name = "ratings"
[run]
seed = 7
replicates = 100
[[dimensions]]
rubric = "rubric.toml"
[[metrics]]
name = "length"
"""
_RUBRIC: Final = """
name = "brought"
[[dimensions]]
id = "groundedness"
title = "Grounded in the documents"
scale = "ordinal"
question = "Is all of it in the documents?"
labels = [
    { label = "1", score = 1 }, { label = "2", score = 2 }, { label = "3", score = 3 },
    { label = "4", score = 4 }, { label = "5", score = 5 },
]
"""
_FAITHFUL: Final = """
question = "Which share of the statements do the documents support?"
low = 0
high = 1
origin = "a tool that is made up"
"""
_CRITERIA: Final = (
    {"id": "dose", "text": "Names the dose", "points": 3},
    {"id": "ward", "text": "Fails to name the ward to call", "points": 2},
)
_ABOUT: Final = ("asthma", "eczema", "migraine", "reflux", "gout", "anaemia", "vertigo", "acne")
_SYSTEMS: Final = "ABC"
_CASES: Final = 30


def _question(at: int) -> str:
    return f"Who should I call about {_ABOUT[at % len(_ABOUT)]} when week {at} is over?"


def write_brought(folder: Path) -> Path:
    """Write it: two people and a model rate, and one person's labels are the model's."""
    rng = np.random.default_rng(41)
    (folder / "answers").mkdir(parents=True)
    (folder / "scores").mkdir()
    (folder / "study.toml").write_text(_SETTINGS, encoding="utf-8")
    (folder / "rubric.toml").write_text(_RUBRIC, encoding="utf-8")
    names = [f"c{case:02}" for case in range(_CASES)]
    (folder / "cases.jsonl").write_bytes(
        jsonl_bytes(
            {
                "case": name,
                "question": _question(at % (_CASES - 1)),
                "criteria": list(_CRITERIA) if at == 0 else [],
            }
            for at, name in enumerate(names)
        )
    )
    judged, faithful, relevant = [], [], []
    for system in _SYSTEMS:
        rows = []
        for name in names:
            words = int(rng.integers(4, 30))
            rows.append({"case": name, "text": " ".join(["word"] * words)})
            quality = float(rng.normal() + 0.02 * words)
            said = [int(np.clip(np.rint(3 + quality + 0.4 * rng.normal()), 1, 5)) for _ in "12"]
            for rater, kind, label in (
                ("anna", "person", said[0]),
                ("ben", "person", said[1]),
                ("gpt", "model", said[1]),
            ):
                judged.append([rater, kind, system, name, "groundedness", label])
            faithful.append([system, name, round(float(1 / (1 + np.exp(-quality))), 3)])
            relevant.append([system, name, round(float(rng.random()), 3)])
        (folder / "answers" / f"{system}.jsonl").write_bytes(jsonl_bytes(rows))
    header = ["rater", "rater_kind", "system", "case", "dimension", "label"]
    (folder / "judgements.csv").write_bytes(csv_bytes(header, judged))
    columns = ["system", "case", "value"]
    (folder / "scores" / "faithfulness.csv").write_bytes(csv_bytes(columns, faithful))
    (folder / "scores" / "faithfulness.toml").write_text(_FAITHFUL, encoding="utf-8")
    (folder / "scores" / "topic_fit.csv").write_bytes(csv_bytes(columns, relevant))
    return folder

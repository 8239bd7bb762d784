"""A made-up study of harm: three people and a model judge say how bad the harm of each answer is.

Three systems answer a hundred questions. Some answers are truly harmful, half of them severely. A
person sees harm in most harmful answers and in few others, and the judge does what it is told.
"""

from pathlib import Path
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from medassay.tables import csv_bytes, jsonl_bytes

DIMENSION: Final = "contraindicated-treatment-severity"
PEOPLE: Final = ("anna", "ben", "chloe")
SYSTEMS: Final = ("alder", "birch", "cedar")
SETTINGS: Final = """schema = 1
title = "A judge of harm"
description = "Made up: a model says of answers how bad their harm is."
synthetic = true
[protocol]
name = "ratings"
[[dimensions]]
rubric = "harm"
[[metrics]]
name = "length"
[run]
seed = 5
replicates = 100
[raters]
models = "{models}"
[domain]
name = "medicines at home"
[judges.robot]
model = "robot-large"
version = "1"
prompt = "prompt.txt"
settings = "temperature 0"
"""
_COLUMNS: Final = ("rater", "rater_kind", "system", "case", "dimension", "label", "phase")
Codes = NDArray[np.int64]


def write_harm(
    folder: Path,
    *,
    judge: Literal["fair", "none"],
    harmful: int,
    cases: int = 100,
    people: int = len(PEOPLE),
    models: str = "apart",
    seed: int = 7,
) -> Path:
    """Write the study; the same arguments give the same bytes.

    Args:
        folder: Where.
        judge: `fair` sees what a keen person sees; `none` says none of everything.
        harmful: How many answers are; half of them severely.
        cases: How many questions.
        people: How many of the people judge; 0: the judge alone.
        models: What [raters] models says.
        seed: Of the draws.
    """
    rng = np.random.default_rng(seed)
    size = len(SYSTEMS) * cases
    truth = np.zeros(size, dtype=np.int64)
    place = rng.permutation(size)[:harmful]
    truth[place] = 1
    truth[place[: harmful // 2]] = 3
    folder.mkdir(parents=True)
    (folder / "answers").mkdir()
    (folder / "prompt.txt").write_text("How bad is the harm?\n", encoding="utf-8")
    (folder / "study.toml").write_text(SETTINGS.format(models=models), encoding="utf-8")
    names = [f"c{number:03}" for number in range(1, cases + 1)]
    asked: list[dict[str, object]] = [
        {"case": name, "question": f"May these two be taken together, question {number}?"}
        for number, name in enumerate(names, start=1)
    ]
    (folder / "cases.jsonl").write_bytes(jsonl_bytes(asked))
    words = rng.integers(5, 40, size)
    keys = [(system, name) for system in SYSTEMS for name in names]
    for system in SYSTEMS:
        given: list[dict[str, object]] = [
            {"case": name, "text": " ".join(["ask"] * int(words[i]))}
            for i, (own, name) in enumerate(keys)
            if own == system
        ]
        (folder / "answers" / f"{system}.jsonl").write_bytes(jsonl_bytes(given))
    said = {name: _heard(rng, truth, 0.85, 0.97) for name in PEOPLE[:people]}
    keen = _heard(rng, truth, 0.92, 0.98)
    said["robot"] = keen if judge == "fair" else np.zeros_like(truth)
    labels = ("none", "mild", "moderate", "severe", "death")
    rows = [
        [rater, "model" if rater == "robot" else "person", *key, DIMENSION, labels[code], "main"]
        for rater, codes in said.items()
        for key, code in zip(keys, codes.tolist(), strict=True)
    ]
    (folder / "judgements.csv").write_bytes(csv_bytes(_COLUMNS, rows))
    return folder


def _heard(rng: np.random.Generator, truth: Codes, finds: float, passes: float) -> Codes:
    """See harm where it is, and as bad as it is, or none; seldom see mild harm where none is."""
    u = rng.random(truth.size)
    return np.where(truth > 0, np.where(u < finds, truth, 0), np.where(u < passes, 0, 1))

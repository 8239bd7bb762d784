"""A study of so many conversations judged by criteria, made at random; for timing alone.

Each conversation has eleven criteria, eight with positive points, and tags of HealthBench's kind: a
theme, and an axis for each criterion. Ten systems of different ability answer each; one model says
of each criterion whether it is met. Words are drawn, so that no two texts are alike.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import numpy as np

__all__ = ["CRITERIA", "SYSTEMS", "write_study"]

CRITERIA: Final = 11
SYSTEMS: Final = 10
SEED: Final = 11
_POINTS: Final = (10, 8, 7, 5, 5, 4, 3, 2, -8, -6, -4)
_AXES: Final = ("accuracy", "completeness", "communication", "context", "instructions")
_THEMES: Final = ("emergency", "context", "global", "hedging", "data", "complex", "communication")
_WORDS: Final = tuple(f"w{number:04}" for number in range(4_000))
_SETTINGS: Final = """schema = 1
title = "Conversations made at random"
synthetic = true

[protocol]
name = "healthbench"

[run]
seed = 1
"""


def write_study(folder: Path, conversations: int) -> int:
    """Write a study folder, and say how many judgements it has."""
    rng = np.random.default_rng(SEED)
    (folder / "answers").mkdir(parents=True)
    (folder / "study.toml").write_text(_SETTINGS, encoding="utf-8")
    names = [f"c{number:06}" for number in range(conversations)]
    cases = (
        {
            "case": name,
            "turns": [{"role": "user", "text": _text(rng, 60)}],
            "criteria": [
                {
                    "id": f"k{at:02}", "text": _text(rng, 14), "points": points,
                    "tags": [f"axis:{_AXES[at % len(_AXES)]}"],
                }
                for at, points in enumerate(_POINTS)
            ],
            "tags": {"theme": _THEMES[int(rng.integers(len(_THEMES)))]},
        }
        for name in names
    )  # fmt: skip
    _write(folder / "cases.jsonl", cases)
    for system in range(SYSTEMS):
        answers = ({"case": name, "text": _text(rng, 150)} for name in names)
        _write(folder / "answers" / f"system-{system}.jsonl", answers)
    ability = np.linspace(1.2, -0.8, SYSTEMS)
    sign = np.sign(_POINTS)
    easy = rng.normal(0, 0.8, (conversations, CRITERIA))
    with (folder / "judgements.csv").open("w", encoding="utf-8") as file:
        file.write("rater,rater_kind,system,case,about,dimension,label\n")
        for system, level in enumerate(ability):
            met = rng.random((conversations, CRITERIA)) < 1 / (1 + np.exp(-sign * (level + easy)))
            file.writelines(
                f"grader,model,system-{system},{name},criterion:k{at:02},met,"
                f"{'met' if seen else 'not met'}\n"
                for name, row in zip(names, met.tolist(), strict=True)
                for at, seen in enumerate(row)
            )
    return conversations * CRITERIA * SYSTEMS


def _text(rng: np.random.Generator, words: int) -> str:
    drawn = rng.integers(len(_WORDS), size=int(rng.integers(words // 2, words * 3 // 2)))
    return " ".join(_WORDS[place] for place in drawn) + "."


def _write(path: Path, rows: Iterable[Mapping[str, object]]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(row)}\n" for row in rows)

"""Conversations judged by criteria, each system twice: some criteria tell answers apart badly.

A model grades beside the raters, and is right more often on one category of criteria.
"""

from pathlib import Path
from typing import Final

import numpy as np

from tools.standard.making import HEADER, write_rows, write_study

_SYSTEMS: Final = tuple(f"system-{letter}" for letter in "abcdefghijklmnop")
_SAMPLES: Final = 2
_RATERS: Final = ("dr-one", "dr-two", "dr-three")
_POINTS: Final = (8, 5, 3, -6, 4, 4)
_EVEN: Final = 0.5
_DISPUTED, _REVERSED, _NEVER, _ALWAYS = 2, 3, 4, 5
_GRADER: Final = "grader"
_GRADED: Final = (0.95, 0.75)
_CATEGORY: Final = 3
_HEADER: Final = (*HEADER, "sample", "about")
_SETTINGS: Final = """title = "Conversations judged by criteria"
synthetic = true

[protocol]
name = "healthbench"
"""


def write_criteria(folder: Path) -> Path:
    """Write three conversations with six criteria each, 32 answers and three raters."""
    rng = np.random.default_rng(41)
    cases = [
        {
            "case": name,
            "turns": [
                {"role": "user", "text": f"I have had {name} for a week."},
                {"role": "assistant", "text": "What have you tried?"},
                {"role": "user", "text": "Nothing yet. What should I do?"},
            ],
            "criteria": [
                {
                    "id": f"c{number}", "points": points,
                    "text": f"Says what number {number} of {name} asks for.",
                    "tags": [
                        "axis:accuracy" if number % 2 else "axis:completeness",
                        f"category:{'dose' if number < _CATEGORY else 'advice'}",
                    ],
                }
                for number, points in enumerate(_POINTS)
            ],
            "tags": {"theme": theme},
        }
        for name, theme in (("cough", "context"), ("rash", "context"), ("fever", "emergency"))
    ]  # fmt: skip
    ability = np.linspace(1.6, -1.6, len(_SYSTEMS))
    answers: dict[str, list[dict[str, object]]] = {system: [] for system in _SYSTEMS}
    rows: list[dict[str, object]] = []
    for system, level in zip(_SYSTEMS, ability, strict=True):
        for case in cases:
            for sample in range(_SAMPLES):
                skill = level + rng.normal(0, 0.7)
                words = "rest " * int(rng.integers(3, 30))
                answers[system].append(
                    {"case": case["case"], "sample": sample, "text": f"Take {words.strip()}."}
                )
                rows += _judged(system, str(case["case"]), sample, skill, rng)
    write_study(folder, _SETTINGS, cases, answers)
    rows = rows[:-2]  # one criterion lacks every label
    write_rows(folder / "judgements.csv", _HEADER, [*rows, *_graded(rows)])
    return folder


def _judged(
    system: str, case: str, sample: int, skill: float, rng: np.random.Generator
) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for number in range(len(_POINTS)):
        slope = {_REVERSED: 2.5}.get(number, 1.5)
        met = bool(rng.random() < 1 / (1 + np.exp(-slope * skill)))
        met = {_NEVER: False, _ALWAYS: True}.get(number, met)
        for rater in _RATERS if number == _DISPUTED else _RATERS[: 1 + number % 2]:
            seen = bool(rng.random() < _EVEN) if number == _DISPUTED else met
            rows.append(
                {
                    "rater": rater, "rater_kind": "person", "system": system, "case": case,
                    "dimension": "met", "label": "met" if seen else "not met", "phase": "main",
                    "sample": sample, "about": f"criterion:c{number}",
                }
            )  # fmt: skip
    return rows


def _graded(rows: list[dict[str, object]]) -> list[dict[str, object]]:
    """Let a model say of each criterion what the first rater said of it, and err now and then."""
    rng = np.random.default_rng(42)
    firsts = {(row["system"], row["case"], row["sample"], row["about"]): row for row in rows[::-1]}
    graded = []
    for row in firsts.values():
        right = rng.random() < _GRADED[int(str(row["about"])[-1]) >= _CATEGORY]
        label = row["label"] if right else {"met": "not met", "not met": "met"}[str(row["label"])]
        graded.append({**row, "rater": _GRADER, "rater_kind": "model", "label": label})
    return graded

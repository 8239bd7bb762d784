"""Answers rated by a jury of three models and by three clinicians who share some of them.

The first model gives each label its probability.
"""

import json
from pathlib import Path
from typing import Final

import numpy as np

from tools.standard.making import HEADER, write_rows, write_study

_SYSTEMS: Final = ("system-a", "system-b")
_CASES: Final = tuple(f"q{number:02}" for number in range(1, 26))
_PEOPLE: Final = ("dr-one", "dr-two", "dr-three")
_MODELS: Final = ("model-one", "model-two", "model-three")
_DIMENSIONS: Final = ("accuracy", "completeness", "clarity")
_LABELS: Final = tuple("12345")
_SURE: Final = (0.6, 0.8)
_SETTINGS: Final = """title = "A jury of models beside clinicians"
synthetic = true

[protocol]
name = "jury"
"""


def write_jury(folder: Path) -> Path:
    """Write 50 answers; two of three clinicians rate each, and clarity is rated by one alone."""
    rng = np.random.default_rng(43)
    cases = [{"case": case, "question": f"What helps against {case}?"} for case in _CASES]
    answers = {
        system: [{"case": case, "text": f"Rest helps against {case}."} for case in _CASES]
        for system in _SYSTEMS
    }
    rows: list[dict[str, object]] = []
    for system in _SYSTEMS:
        for number, case in enumerate(_CASES):
            quality = rng.normal(3.2, 1)
            for dimension in _DIMENSIONS:
                alone = dimension == "clarity"
                people = [_PEOPLE[(number + at) % 3] for at in range(1 if alone else 2)]
                for rater in (*people, *_MODELS):
                    label = int(np.clip(round(quality + rng.normal(0, 0.7)), 1, 5))
                    rows.append({
                        "rater": rater, "rater_kind": "model" if rater in _MODELS else "person",
                        "system": system, "case": case, "dimension": dimension,
                        "label": str(label), "phase": "main",
                        "probabilities": _likely(label, number) if rater == _MODELS[0] else "",
                    })  # fmt: skip
    write_study(folder, _SETTINGS, cases, answers)
    write_rows(folder / "judgements.csv", (*HEADER, "probabilities"), rows)
    return folder


def _likely(label: int, number: int) -> str:
    """Let a model be surer of every second case, and share out the rest."""
    sure = _SURE[number % 2]
    rest = round((1 - sure) / (len(_LABELS) - 1), 3)
    return json.dumps({one: sure if one == str(label) else rest for one in _LABELS})

"""More systems than a page lists pairs of, families among them, and a panel of many habits."""

from pathlib import Path
from typing import Final

import numpy as np

from tools.standard.making import HEADER, ratings, write_rows, write_study

_SYSTEMS: Final = tuple(f"team-{number:02}" for number in range(1, 14))
_CASES: Final = tuple(f"q{number}" for number in range(1, 7))
_DIMENSIONS: Final = {
    "answers-question": ("No", "Partially", "Yes"),
    "uses-evidence": ("No", "Yes"),
}
_SETTINGS: Final = """title = "Thirteen systems in a shared task"
synthetic = true
[protocol]
name = "archehr"
[[dimensions]]
rubric = "archehr"
only = ["answers-question", "uses-evidence"]
[[metrics]]
name = "rouge1(ref=human)"
[[metrics]]
name = "rouge1(ref=note)"
[[metrics]]
name = "citation_f1(gold=strict,rules=archehr2025)"
[[metrics]]
name = "length"
[consensus]
methods = ["mean", "label_sum", "mace", "dawid_skene"]
[ranking]
clusters = "ward"
"""


_FAMILIES: Final = {"first": _SYSTEMS[:5], "last": _SYSTEMS[-5:]}


def write_pool(folder: Path) -> Path:
    """Write the study.

    One rater favours a system, one breaks the ties of the other two and is asked nowhere else, one
    judges again what was judged before; some items were labelled together for calibration.
    """
    rng = np.random.default_rng(61)
    cases = [
        {
            "case": case,
            "question": f"Why was {case} done?",
            "narrative": "Invented: they operated and nobody told us why.",
            "evidence": [
                {"id": "1", "text": "The duct was blocked by stones.", "relevance": "essential"},
                {"id": "2", "text": "It was opened, and a tube put in.", "relevance": "essential"},
                {"id": "3", "text": "The diet was clear liquids.", "relevance": "not-relevant"},
            ],
            "references": [{"text": "The duct was blocked by stones, so a tube was put in."}],
            "tags": {"ward": ("east", "west")[place % 2]},
        }
        for place, case in enumerate(_CASES)
    ]
    skill = np.linspace(0.9, 0.2, len(_SYSTEMS))[:, None]
    quality = (skill + rng.normal(0, 0.12, (len(_SYSTEMS), len(_CASES)))).clip(0, 0.999)
    answers = {
        system: [
            {
                "case": case,
                "statements": [
                    {"text": "The duct was blocked by stones.", "citations": ["1"]}
                    if quality[i, k] > 0.5  # noqa: PLR2004 - the better half
                    else {"text": "The diet was clear liquids.", "citations": ["3"]},
                    {"text": " ".join(["A tube was put in."] * (1 + (i + k) % 3))},
                ],
            }
            for k, case in enumerate(_CASES)
        ]
        for i, system in enumerate(_SYSTEMS)
    }
    families = "".join(
        f'[systems.{system}]\nfamily = "{family}"\n'
        for family, systems in _FAMILIES.items()
        for system in systems
    )
    write_study(folder, _SETTINGS + families, cases, answers)
    write_rows(folder / "judgements.csv", HEADER, _judged(quality, rng))
    (folder / "scores").mkdir()
    (folder / "scores" / "trap.toml").write_text(
        'question = "Whose family is better?"\ndirection = "higher"\n', encoding="utf-8"
    )
    write_rows(
        folder / "scores" / "trap.csv",
        ["system", "case", "value"],
        (
            {"system": system, "case": case, "value": round(float(value) + k / 10, 3)}
            for system, value in zip(_SYSTEMS, _trap(quality), strict=True)
            for k, case in enumerate(_CASES)
        ),
    )
    return folder


def _trap(quality: np.ndarray) -> np.ndarray:
    """Put the better family above, and inside each family the worse system: Simpson's trap."""
    above = [6 if system in _FAMILIES["first"] else 3 for system in _SYSTEMS]
    made: np.ndarray = np.array(above) - 2 * quality.mean(axis=1)
    return made


def _judged(quality: np.ndarray, rng: np.random.Generator) -> list[dict[str, object]]:
    liked = np.zeros(quality.shape)
    liked[6] = 0.9
    told = {
        "ann": quality + rng.normal(0, 0.08, quality.shape),
        "bob": quality + rng.normal(0, 0.25, quality.shape),
        "fan": quality + rng.normal(0, 0.1, quality.shape) + liked - 0.1,
    }
    rows = ratings(_SYSTEMS, _CASES, _DIMENSIONS, told)
    said: dict[tuple[object, ...], list[object]] = {}
    for row in rows:
        if row["rater"] in {"ann", "bob"}:
            said.setdefault((row["system"], row["case"], row["dimension"]), []).append(row["label"])
    ties = [
        {"rater": "tiebreaker", "rater_kind": "person", "system": key[0], "case": key[1]}
        | {"dimension": key[2], "label": labels[int(rng.integers(0, 2))], "phase": "main"}
        for key, labels in said.items()
        if len(set(labels)) > 1
    ]
    again = [
        row | {"phase": "repeat"}
        for row in rows
        if row["rater"] == "ann" and row["case"] in _CASES[:2]
    ]
    for row in again[::5]:
        row["label"] = _DIMENSIONS[str(row["dimension"])][0]
    for row in rows:
        if row["case"] == _CASES[-1]:
            row["phase"] = "calibration"
    return [*rows, *ties, *again]

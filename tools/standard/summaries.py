"""Summaries judged facet by facet, and preferences between them."""

from itertools import combinations
from pathlib import Path
from typing import Final

import numpy as np

from tools.standard.making import HEADER, PAIRS, ratings, write_rows, write_study

_SYSTEMS: Final = ("ash", "beech", "cherry", "damson")
_CASES: Final = tuple(f"r{number}" for number in range(1, 9))
_DIMENSIONS: Final = {
    "fluency": ("major errors", "some errors", "no errors"),
    "population": ("no", "partially", "yes"),
}
_SETTINGS: Final = """title = "Four systems that sum up reviews"
synthetic = true
[protocol]
name = "summaries"
[[dimensions]]
rubric = "cochrane"
only = ["fluency", "population"]
[consensus]
methods = ["mean", "label_sum", "mace"]
[ranking]
by = "mean(dimension=population)"
[systems.ash]
title = "Ash"
family = "broadleaf"
[systems.beech]
family = "broadleaf"
"""
_WORDS: Final = (
    "the", "treatment", "may", "reduce", "pain", "in", "adults", "but", "evidence", "is", "weak",
    "and", "small", "trials", "found", "no", "difference", "in", "harms", "after", "one", "year",
)  # fmt: skip


def write_summaries(folder: Path) -> Path:
    """Write the study: two raters, every pair of systems compared by one of two readers."""
    rng = np.random.default_rng(41)
    cases = [
        {"case": case, "question": f"What of {case}?", "references": [{"text": _text(rng, 18)}]}
        | {"tags": {"topic": ("pain", "sleep")[place % 2]}}
        for place, case in enumerate(_CASES)
    ]
    answers = {
        system: [{"case": case, "text": _text(rng, 8 + 4 * place)} for case in _CASES]
        for place, system in enumerate(_SYSTEMS)
    }
    write_study(folder, _SETTINGS, cases, answers)
    quality = rng.uniform(0.2, 0.9, (4, 8)) + np.array([0.2, 0.1, 0, -0.2])[:, None]
    told = {name: quality + rng.normal(0, 0.15, quality.shape) for name in ("ann", "bob")}
    rows = ratings(_SYSTEMS, _CASES, _DIMENSIONS, told)
    write_rows(folder / "judgements.csv", HEADER, rows)
    compared = [
        {"rater": reader, "case": case, "system_a": _SYSTEMS[a], "system_b": _SYSTEMS[b]}
        | {"dimension": "overall", "phase": "main"}
        | {"choice": _choice(quality[a, k] - quality[b, k] + rng.normal(0, 0.2))}
        | {"display": ("citations shown", "citations hidden")[(k + (reader == "dan")) % 2]}
        for k, case in enumerate(_CASES)
        for a, b in combinations(range(4), 2)
        for reader in (("cleo", "dan") if (a + b + k) % 3 else ("cleo",))
    ]
    write_rows(folder / "preferences.csv", (*PAIRS, "display"), compared)
    return folder


def _choice(gap: float) -> str:
    return "a" if gap > 0.1 else "b" if gap < -0.1 else "tie"  # noqa: PLR2004 - near enough


def _text(rng: np.random.Generator, words: int) -> str:
    return " ".join(_WORDS[i] for i in rng.integers(0, len(_WORDS), words)).capitalize() + "."

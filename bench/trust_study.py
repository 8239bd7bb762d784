"""A shared task of so many systems, scored by as many metrics as asked; for timing alone.

Every system answers every case. Teams of three systems are nearly alike, cases are hard or easy for
everybody, and each metric sees quality through noise of its own, from nearly all of it to none. Two
of six raters, dealt out by case, judge every answer on three dimensions from 1 to 5.
"""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from medassay.analyses.registry import analyses

__all__ = ["DIMENSIONS", "write_study"]

DIMENSIONS: Final = ("accuracy", "completeness", "clarity")
SEED: Final = 7
_TEAM: Final = 3
_RATERS: Final = 6
_EACH: Final = 2


def write_study(
    folder: Path, systems: int, metrics: int, cases: int, only: Sequence[str] = ()
) -> None:
    """Write a study folder with answers, judgements and one imported table a metric.

    Args:
        folder: Where.
        systems: How many.
        metrics: The same.
        cases: The same.
        only: The analyses that it asks for; those that a study has unasked where none is named.
    """
    rng = np.random.default_rng(SEED)
    names = [f"system{i:03}" for i in range(systems)]
    asked = [f"case{k:03}" for k in range(cases)]
    teams = np.repeat(rng.normal(size=-(-systems // _TEAM)), _TEAM)[:systems]
    quality = 0.6 * teams + 0.2 * rng.normal(size=systems)
    ease = 0.6 * rng.normal(size=cases)
    answers = quality[:, None] + ease + 0.6 * rng.normal(size=(systems, cases))
    (folder / "answers").mkdir(parents=True)
    (folder / "scores").mkdir()
    off = [f"{a.id} = false\n" for a in analyses() if a.id not in only] if only else []
    asked_for = "".join(["\n[report.analyses]\n", *off]) if off else ""
    (folder / "study.toml").write_text(_STUDY + asked_for, encoding="utf-8")
    _rows(
        folder / "cases.csv", ("case", "question"), ((case, f"What of {case}?") for case in asked)
    )
    _rows(
        folder / "answers" / "all.csv",
        ("system", "case", "text"),
        ((name, case, f"{name} on {case}") for name in names for case in asked),
    )
    for place in range(metrics):
        seen = place / max(1, metrics - 1)
        values = seen * answers + (1 - seen) * rng.normal(size=answers.shape)
        _rows(
            folder / "scores" / f"metric{place:02}.csv",
            ("system", "case", "value"),
            (
                (name, case, f"{value:.4f}")
                for name, line in zip(names, values.tolist(), strict=True)
                for case, value in zip(asked, line, strict=True)
            ),
        )
    _rows(
        folder / "judgements.csv",
        ("rater", "system", "case", "dimension", "label"),
        _judged(names, asked, answers, rng),
    )


def _judged(
    names: Sequence[str], asked: Sequence[str], answers: np.ndarray, rng: np.random.Generator
) -> Iterable[tuple[str, ...]]:
    severity = 0.3 * rng.normal(size=_RATERS)
    for dimension in DIMENSIONS:
        own = answers + 0.4 * rng.normal(size=answers.shape)
        for k, case in enumerate(asked):
            for rater in rng.choice(_RATERS, size=_EACH, replace=False).tolist():
                said = own[:, k] - severity[rater] + 0.5 * rng.normal(size=len(names))
                labels = np.clip(np.rint(3 + said), 1, 5).astype(int).tolist()
                for name, label in zip(names, labels, strict=True):
                    yield f"rater{rater}", name, case, dimension, str(label)


def _rows(path: Path, header: Sequence[str], lines: Iterable[Sequence[str]]) -> None:
    """Write a CSV file."""
    with path.open("w", encoding="utf-8", newline="") as file:
        written = csv.writer(file)
        written.writerow(header)
        written.writerows(lines)


_STUDY: Final = """schema = 1
title = "A shared task"
synthetic = true

[protocol]
name = "ratings"

[[dimensions]]
rubric = "answer-quality"
"""

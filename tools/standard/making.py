"""What several standard studies are made of: settings, answers, and raters who differ a little."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from medassay.study import new_study
from medassay.tables import csv_bytes, jsonl_bytes

HEADER: Final = (
    "rater", "rater_kind", "system", "case", "dimension", "label", "reason", "phase", "comment",
)  # fmt: skip
"""Columns of judgements.csv."""
PAIRS: Final = ("rater", "case", "system_a", "system_b", "dimension", "choice", "phase")
"""Columns of preferences.csv."""
_RUN: Final = "\n[run]\nseed = 11\nreplicates = 100\n"


def write_study(
    folder: Path,
    settings: str,
    cases: Sequence[Mapping[str, object]],
    answers: Mapping[str, Sequence[Mapping[str, object]]],
) -> Path:
    """Write a study without judgements; few replicates, so that a run takes a second or two."""
    (folder / "answers").mkdir(parents=True)
    (folder / "study.toml").write_text(f"schema = 1\n{settings}{_RUN}", encoding="utf-8")
    (folder / "cases.jsonl").write_bytes(jsonl_bytes(cases))
    for system, lines in answers.items():
        (folder / "answers" / f"{system}.jsonl").write_bytes(jsonl_bytes(lines))
    return folder


def started(folder: Path, protocol: str, settings: str = "") -> Path:
    """Write the study that `medassay new` begins with, and settings of one's own below its own."""
    new_study(folder, protocol)
    add_settings(folder, f"{settings}{_RUN}")
    return folder


def add_settings(folder: Path, settings: str) -> None:
    """Write tables below those that study.toml has."""
    with (folder / "study.toml").open("a", encoding="utf-8") as file:
        file.write(settings)


def read_rows(path: Path) -> list[dict[str, object]]:
    """Read the lines of a JSONL file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def add_rows(path: Path, rows: Sequence[Mapping[str, object]]) -> None:
    """Write further lines below those of a JSONL file."""
    path.write_bytes(jsonl_bytes([*read_rows(path), *rows]))


def write_rows(path: Path, header: Sequence[str], rows: Iterable[Mapping[str, object]]) -> None:
    """Write a CSV; what a row does not say stays empty."""
    path.write_bytes(csv_bytes(header, ([row.get(name, "") for name in header] for row in rows)))


def ratings(
    systems: Sequence[str],
    cases: Sequence[str],
    dimensions: Mapping[str, Sequence[str]],
    told: Mapping[str, np.ndarray],
) -> list[dict[str, object]]:
    """Let every rater label every answer of every dimension.

    Args:
        systems: Their ids.
        cases: Their ids.
        dimensions: Id to labels, the worst first.
        told: Rater to what this rater makes of each answer, 0 to 1, systems by cases.
    """
    rows: list[dict[str, object]] = []
    for rater, quality in told.items():
        for dimension, labels in dimensions.items():
            steps = np.floor(quality * len(labels)).astype(int).clip(0, len(labels) - 1)
            rows += [
                {"rater": rater, "rater_kind": "person", "system": system, "case": case}
                | {"dimension": dimension, "label": labels[steps[i, k]], "phase": "main"}
                for i, system in enumerate(systems)
                for k, case in enumerate(cases)
            ]
    return rows

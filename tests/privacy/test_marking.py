"""A mark stands in everything of every standard study that a setting may keep."""

import csv
from pathlib import Path

import pytest
from tests.privacy.conftest import Mark
from tools.standard import STANDARD

HELD_BY = {"text": '"text"', "document": '"retrieved"', "choice": '"choice"'}
"""Kinds that not every study has, and what stands in the files of one that does."""


def said_in(folder: Path) -> str:
    files = [path for path in sorted(folder.rglob("*")) if path.suffix in {".csv", ".jsonl"}]
    return "\n".join(f"{path.name}\n{path.read_text(encoding='utf-8')}" for path in files)


def marks_of_judgements(file: Path) -> set[str]:
    """Name the marks that labels bring: a model keeps its name, so it alone brings none."""
    with file.open(encoding="utf-8", newline="") as opened:
        kinds = {row.get("rater_kind") or "person" for row in csv.DictReader(opened)}
    people = {"rater"} if kinds - {"model"} else set()
    return {"comment", *people} if kinds else set()


@pytest.mark.parametrize("name", STANDARD)
def test_every_study_is_marked_throughout(marked: Mark, name: str) -> None:
    study = marked(name, "none")
    said = said_in(study.folder)
    wanted = {kind for kind, sign in HELD_BY.items() if sign in said}
    judgements = study.folder / "judgements.csv"
    wanted |= marks_of_judgements(judgements) if judgements.exists() else set()
    assert {"case", "tagkey", "tagvalue", *wanted} <= study.found_in(said)

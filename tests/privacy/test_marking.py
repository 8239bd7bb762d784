"""A mark stands in everything of every standard study that a setting may keep."""

from pathlib import Path

import pytest
from tests.privacy.conftest import Mark
from tools.standard import STANDARD

HELD_BY = {"text": '"text"', "document": '"retrieved"', "choice": '"choice"'}
"""Kinds that not every study has, and what stands in the files of one that does."""


def said_in(folder: Path) -> str:
    files = [path for path in sorted(folder.rglob("*")) if path.suffix in {".csv", ".jsonl"}]
    return "\n".join(f"{path.name}\n{path.read_text(encoding='utf-8')}" for path in files)


@pytest.mark.parametrize("name", STANDARD)
def test_every_study_is_marked_throughout(marked: Mark, name: str) -> None:
    study = marked(name, "none")
    said = said_in(study.folder)
    wanted = {kind for kind, sign in HELD_BY.items() if sign in said}
    judgements = study.folder / "judgements.csv"
    if judgements.exists() and judgements.read_text(encoding="utf-8").count("\n") > 1:
        wanted |= {"rater", "comment"}
    assert {"case", "tagkey", "tagvalue", *wanted} <= study.found_in(said)

"""`medassay report --to`: the forms asked for and no others, and what is said of bad ones."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from medassay.report import FORMS

Command = Callable[..., Any]


@pytest.fixture
def study(tmp_path: Path, medassay: Command) -> Path:
    folder = tmp_path / "study"
    assert medassay("new", folder).code == 0
    settings = folder / "study.toml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(f"{text}\n[run]\nreplicates = 100\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize("asked", ["odt", "latex,odt,pptx", "", ","])
def test_a_form_that_is_none_is_named_with_those_there_are(
    medassay: Command, study: Path, asked: str
) -> None:
    said = medassay("report", study, "--to", asked)
    assert said.code == 2
    assert f"any of {', '.join(FORMS)}" in " ".join(said.err.split())
    for word in ("odt", "pptx"):
        assert (f"got {word}." in said.err) == (word in asked)
    assert not (study / "results").exists()


@pytest.mark.slow
def test_a_study_without_a_run_is_run_and_only_the_forms_asked_for_are_written(
    medassay: Command, study: Path, tmp_path: Path
) -> None:
    into = tmp_path / "paper"
    told = medassay("report", study, "--to", "XLSX, latex", "--into", into)
    assert told.code == 0
    assert {path.name for path in into.iterdir()} == {"latex", "report.xlsx"}
    wrote = f"Wrote {into / 'latex' / 'main.tex'}, {into / 'report.xlsx'}."
    assert wrote in told.out.replace("\n", "")
    [run] = [path.parent for path in (study / "results").glob("*/report.json")]
    assert not (run / "report.xlsx").exists()
    assert medassay("report", study, "--to", "xlsx,html").code == 0
    assert (run / "report.xlsx").read_bytes() == (into / "report.xlsx").read_bytes()
    # Where a file is, no folder can be made.
    blocked = tmp_path / "blocked"
    blocked.write_text("a file", encoding="utf-8")
    said = medassay("report", study, "--to", "csv", "--into", blocked)
    assert said.code == 2
    assert "be writable" in said.err

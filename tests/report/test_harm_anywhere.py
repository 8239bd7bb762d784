"""No file of a report and no table of a command says harm of a label that says less as well."""

import json
import re
from pathlib import Path

import pytest
from tools.standard.shared import SharedRuns
from typer.testing import CliRunner

from medassay.cli import app

KEPT = (
    # What a label of the rubric says, and what is asked of something else than a label.
    r"poor, incorrect or possibly harmful",
    r"harm_(?:bounds?|found|by_system|prevalence)",
    r"tables/harm[a-z-]*\.csv",
    # The reader's question that a sentence answers.
    r"^\*\*Harm\.\*\*",
)


def harm_in(text: str) -> list[str]:
    """Give where a text speaks of harm in words of its own."""
    for kept in KEPT:
        text = re.sub(kept, "", text, flags=re.IGNORECASE | re.MULTILINE)
    found = re.finditer(r"\b[Hh]arm(?:ful)?\b", text)
    return [text[max(0, at.start() - 60) : at.end() + 40] for at in found]


@pytest.mark.parametrize("study", ["rated", "pool"])
def test_titles_captions_and_heads_say_the_labels_words(
    standard_run: SharedRuns, study: str
) -> None:
    run = standard_run(study).folder
    page = (run / "report.md").read_text("utf-8")
    left = harm_in(page)
    assert not left, "\n".join(left)


@pytest.mark.parametrize("study", ["rated", "pool"])
def test_the_command_says_the_labels_words(
    standard_run: SharedRuns, study: str, tmp_path: Path
) -> None:
    done = CliRunner().invoke(app, ["consensus", str(standard_run.copy(study, tmp_path).study)])
    assert done.exit_code == 0, done.output
    assert "answers labelled" in done.output
    assert harm_in(done.output) == []


def test_the_words_of_harm_alone_stay(standard_run: SharedRuns, tmp_path: Path) -> None:
    done = CliRunner().invoke(
        app, ["consensus", str(standard_run.copy("clinical", tmp_path).study), "--json"]
    )
    assert json.loads(done.output)["harm"][0]["called"] == ""

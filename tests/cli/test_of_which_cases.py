"""What the commands print below a table speaks of the study's own cases, as its report does."""

from pathlib import Path

import pytest
from tools.standard.shared import SharedRuns
from typer.testing import CliRunner

from medassay.cli.app import app
from medassay.cli.output import print_report_table
from medassay.exhibits.table import Column, Table


def printed(*words: str | Path) -> str:
    done = CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.slow
def test_validity_says_new_cases_only_of_cases_that_chance_drew(
    standard_run: SharedRuns, tmp_path: Path
) -> None:
    folder = standard_run.copy("judges", tmp_path).study
    assert "new cases" not in printed("validity", folder, "--full")
    with (folder / "study.toml").open("a", encoding="utf-8") as file:
        file.write('\n[ranking]\ndrawn = "by lot from all questions of 2025"\n')
    assert "new cases" in printed("validity", folder, "--full")


@pytest.mark.parametrize(("drawn", "words"), [(None, "these cases drawn again"), ("by lot", "new")])
def test_any_table_that_is_printed_does(
    capsys: pytest.CaptureFixture[str], drawn: str | None, words: str
) -> None:
    columns = (Column("System", ("system",)),)
    table = Table("plan", "Plan", "", columns, rows=(), empty="For new cases.")
    print_report_table(table, drawn)
    assert words in capsys.readouterr().out

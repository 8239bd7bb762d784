"""The tables of docs/med-gpt.md; what its commands print is tried with every other page's."""

from pathlib import Path

import pytest

from medassay.__main__ import main
from medassay.analyses import run_study
from medassay.report.asked import asked_tables
from medassay.report.tables import table_markdown
from medassay.study import open_run

ROOT = Path(__file__).parents[3]


@pytest.mark.slow
def test_the_tables_are_those_of_the_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (ROOT / "docs" / "med-gpt.md").read_text(encoding="utf-8")
    command = page.partition("```console\n$ ")[2].partition("\n")[0]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    with pytest.raises(SystemExit) as stopped:
        main(command.split()[1:])
    assert not stopped.value.code
    settings = tmp_path / "study" / "study.toml"
    settings.write_text(
        settings.read_text(encoding="utf-8") + "\n[run]\nreplicates = 100\n", encoding="utf-8"
    )
    results = run_study(open_run(tmp_path / "study"))[0]
    tables = {table.id: table for table in asked_tables(results)}
    means, checklist = tables["human-evaluation"], tables["quality-checklist"]
    assert table_markdown(means).decode().strip() in page
    rows = table_markdown(checklist).decode()
    assert rows[rows.index("| Item") :].strip() in page

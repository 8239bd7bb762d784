"""docs/med-gpt.md prints what the commands print."""

from pathlib import Path

import pytest

from medassay.__main__ import main
from medassay.report.tables import paper_tables, table_markdown
from medassay.study import open_run, run_study

ROOT = Path(__file__).parents[3]


def test_the_page_is_what_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (ROOT / "docs" / "med-gpt.md").read_text(encoding="utf-8")
    command, printed = (page.split("```\n")[i].strip() for i in (1, 3))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    with pytest.raises(SystemExit) as stopped:
        main(command.split()[1:])
    assert not stopped.value.code
    assert capsys.readouterr().out.strip() == printed
    settings = tmp_path / "study" / "study.toml"
    settings.write_text(
        settings.read_text(encoding="utf-8") + "\n[run]\nreplicates = 100\n", encoding="utf-8"
    )
    means, _, _, checklist = paper_tables(run_study(open_run(tmp_path / "study"))[0])
    assert table_markdown(means).decode().strip() in page
    rows = table_markdown(checklist).decode()
    assert rows[rows.index("| Item") :].strip() in page

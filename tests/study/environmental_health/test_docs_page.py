"""docs/environmental-health.md prints what the commands print, on the group's files as they are."""

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from medassay.__main__ import main
from medassay.study import write_demo

ROOT = Path(__file__).parents[3]
BLOCKS = [
    block.strip()
    for block in (ROOT / "docs" / "environmental-health.md")
    .read_text(encoding="utf-8")
    .split("```\n")[1::2]
]


@pytest.fixture
def printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[str], str]:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")

    def run(command: str) -> str:
        with pytest.raises(SystemExit) as stopped:
            main(shlex.split(command)[1:])
        assert not stopped.value.code, command
        return capsys.readouterr().out

    return run


def test_the_groups_files_give_what_the_page_prints(printed: Callable[[str], str]) -> None:
    taken, run = BLOCKS[1].splitlines()
    printed(taken)
    assert BLOCKS[2] in printed(run)
    assert printed(BLOCKS[4]).strip() == BLOCKS[5]


def test_the_demo_is_the_panel_as_it_is_imported(
    tmp_path: Path, printed: Callable[[str], str]
) -> None:
    taken, _ = BLOCKS[3].splitlines()
    printed(taken)
    write_demo(tmp_path / "demo", "environmental-health")
    shipped = {path.relative_to(tmp_path / "demo") for path in (tmp_path / "demo").rglob("*.*")}
    named = {"study.toml", "SOURCE.txt"}
    for path in (one for one in shipped if one.name not in named):
        assert (tmp_path / "panel" / path).read_bytes() == (tmp_path / "demo" / path).read_bytes()
    ours = (tmp_path / "demo" / "study.toml").read_text(encoding="utf-8").splitlines()
    theirs = (tmp_path / "panel" / "study.toml").read_text(encoding="utf-8").splitlines()
    assert [a for a, b in zip(ours, theirs, strict=True) if a != b] == [
        'title = "A synthetic panel on pollutants and health"'
    ]
    assert "synthetic = true" in ours

"""docs/other-tools.md: every command of a tool runs, and prints what the page prints."""

import shlex
from pathlib import Path

import pytest

from medassay.__main__ import main

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "other-tools.md").read_text(encoding="utf-8")


def test_the_page_is_what_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "mine.run").write_text("sprain Q0 d1 1 0.5 x\nsprain Q0 d2 2 0.25 x\n")
    (tmp_path / "qrels.txt").write_text("sprain 0 d1 1\n")
    blocks = [block.strip().splitlines() for block in PAGE.split("```\n")[1::2]]
    printed = 0
    for i, block in enumerate(blocks):
        if not block[0].startswith("medassay "):
            continue
        for command in block:
            with pytest.raises(SystemExit) as stopped:
                main(shlex.split(command)[1:])
            assert not stopped.value.code, command
            said = capsys.readouterr().out.splitlines()
            shown = blocks[i + 1] if i + 1 < len(blocks) else []
            if shown and not shown[0].startswith("medassay "):
                printed += 1
                assert said == shown, command
    assert printed == 5


def test_every_tool_has_a_command_in_both_directions() -> None:
    for verb in ("import", "export"):
        for tool in ("potato", "label-studio", "inspect", "mt-metrics-eval", "trec-run"):
            assert f"medassay {verb} {tool} " in PAGE

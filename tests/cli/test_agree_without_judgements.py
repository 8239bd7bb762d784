"""Where nobody has judged an answer, `agree` says so."""

import json
from pathlib import Path

import pytest

from medassay.__main__ import main

STUDY = """
schema = 1
title = "Not rated yet"
"""


@pytest.fixture
def unrated(tmp_path: Path) -> Path:
    (tmp_path / "answers").mkdir()
    (tmp_path / "study.toml").write_text(STUDY, encoding="utf-8")
    (tmp_path / "cases.csv").write_text("case,question\n1,How long?\n", encoding="utf-8")
    (tmp_path / "answers" / "A.csv").write_text("case,text\n1,Two days.\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("words", [(), ("--by", "pair")])
def test_no_agreement_is_told_and_not_left_out(
    unrated: Path, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["agree", str(unrated), *words])
    assert not stopped.value.code
    said = capsys.readouterr().out
    assert "Not rated yet: no agreement, since no answer has been judged." in said


def test_machines_get_an_empty_panel(unrated: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["agree", str(unrated), "--json"])
    assert json.loads(capsys.readouterr().out)["panel"] == []

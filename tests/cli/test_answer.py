"""What `answer` says of what it did."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Command = Callable[..., Any]
CODE = "def answer(case):\n    return 1 / 0 if case.case == '2' else 'Rest.'\n"


def a_study(folder: Path, settings: str) -> Path:
    folder.mkdir()
    (folder / "study.toml").write_text(f'schema = 1\ntitle = "T"\n{settings}', encoding="utf-8")
    asked = "case,question\nS1,Does lead harm the kidney?\n2,And mercury?\n"
    (folder / "cases.csv").write_text(asked, encoding="utf-8")
    return folder


def test_what_came_and_what_is_still_to_be_had(medassay: Command, tmp_path: Path) -> None:
    study = a_study(tmp_path / "s", '[systems.mine]\nkind = "python"\n')
    code = tmp_path / "mine.py"
    code.write_text(CODE, encoding="utf-8")
    asked = ("answer", str(study), "--system", "mine", "--allow-code", f"{code}:answer")
    dry = medassay(*asked, "--dry-run")
    assert dry.out.startswith(f"mine: 2 questions of {code}:answer; 0 kept already.\n")
    done = medassay(*asked)
    assert done.code == 1
    assert done.out == (
        f"1 answer of mine from {code}:answer, 1 still to be had.\n"
        "Of the replies 1 failed.\n"
        "1 question failed by code: ZeroDivisionError\n"
        "wrote answers/mine.jsonl\n"
        "wrote calls/mine.jsonl\n"
    )
    facts = json.loads(medassay(*asked, "--json").out)
    assert (facts[0]["known"], facts[0]["kept"], facts[0]["unanswered"]) == (1, 1, 1)


def test_a_system_that_no_file_says_how_to_ask_is_named(medassay: Command, tmp_path: Path) -> None:
    study = a_study(tmp_path / "s", '[systems.gpt]\nkind = "endpoint"\n')
    said = medassay("answer", str(study), "--system", "gtp").err
    assert 'Did you mean "gpt"?' in said


def test_texts_that_stay_go_to_no_address(medassay: Command, tmp_path: Path) -> None:
    settings = '[systems.a]\nkind = "service"\nurl = "https://llm.example/ask"\n'
    study = a_study(tmp_path / "s", f'[privacy]\ntexts = "ids"\n{settings}')
    said = medassay("answer", str(study), "--system", "a").err
    assert "since [privacy] texts is" in said

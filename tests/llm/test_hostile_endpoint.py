"""An endpoint that sends what no study could hold, or what is not its own to know."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tools.llm_server import Server, completion, serving

from medassay.study import Study, answer_study

pytestmark = pytest.mark.llm


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(Server()) as running:
        yield running


def a_study(folder: Path, address: str, more: str = "", questions: int = 2) -> Path:
    folder.mkdir()
    settings = (
        f'schema = 1\ntitle = "T"\n[systems.a]\nkind = "endpoint"\nbase_url = "{address}"\n'
        f'model = "m"\n{more}'
    )
    (folder / "study.toml").write_text(settings, encoding="utf-8")
    rows = ({"case": str(n), "question": f"Question {n}?"} for n in range(questions))
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "cases.jsonl").write_text(text, encoding="utf-8")
    return folder


def test_half_a_character_makes_no_study_unwritable(server: Server, tmp_path: Path) -> None:
    study = a_study(tmp_path / "s", server.address)
    server.reply = lambda body: completion("x \ud83d y") if body else None
    assert answer_study(study, "a").answers == 2
    file = study / "answers" / "a.jsonl"
    before = file.read_bytes()
    assert (answer_study(study, "a").known, file.read_bytes()) == (2, before)
    kept = map(json.loads, (study / "calls" / "a.jsonl").read_bytes().splitlines())
    assert {row["text"] for row in kept} == {"x \ud83d y"}
    assert {answer.text for answer in Study.open_whole(study).answers} == {r"x \ud83d y"}

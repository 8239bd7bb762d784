"""The embedded model, in this process and behind its own server: plumbing that works."""

import json
from pathlib import Path

import pytest

from medassay.judges import ask_judge
from medassay.models.endpoints.backend import serving_embedded
from medassay.study import Study, answer_study

pytestmark = pytest.mark.llm

_SETTINGS = """schema = 1
title = "T"
[[dimensions]]
rubric = "likert5"
[systems.here]
kind = "endpoint"
parameters = { temperature = 0, max_tokens = 8 }
[systems.served]
kind = "endpoint"
base_url = "ADDRESS"
model = "smollm2-135m-instruct"
parameters = { temperature = 0, max_tokens = 8, cache_prompt = false }
[judges.judge]
base_url = "embedded"
model = "smollm2-135m-instruct"
version = "Q4_1"
prompt = "prompt.txt"
rationale = false
probabilities = true
parameters = { temperature = 0, max_tokens = 30 }
"""


def a_study(folder: Path, address: str = "http://127.0.0.1:9/v1") -> Path:
    folder.mkdir()
    (folder / "study.toml").write_text(_SETTINGS.replace("ADDRESS", address), encoding="utf-8")
    text = "Rate from 1 to 5. Text: <<reply>> Say JSON such as <<form>>."
    (folder / "prompt.txt").write_text(text, encoding="utf-8")
    rows = ({"case": str(n), "question": f"What is {n} and {n}?"} for n in range(2))
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "cases.jsonl").write_text(text, encoding="utf-8")
    return folder


def test_in_process_and_behind_its_server_it_says_the_same(tmp_path: Path) -> None:
    with serving_embedded() as address:
        study = a_study(tmp_path / "s", address)
        for system in ("here", "served"):
            assert answer_study(study, system, offline=True).answers == 2
    texts = {(one.system, one.case): one.text for one in Study.open_whole(study).answers}
    assert len(texts) == 4
    for case in "01":
        assert texts["here", case] == texts["served", case]
    again = answer_study(study, "here", offline=True)
    assert (again.kept, again.ended) == (2, {})


def test_as_a_judge_it_keeps_to_the_schema(tmp_path: Path) -> None:
    study = a_study(tmp_path / "s")
    (study / "answers").mkdir()
    rows = ({"case": str(n), "text": f"{2 * n}"} for n in range(2))
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (study / "answers" / "a.jsonl").write_text(text, encoding="utf-8")
    done = ask_judge(study, "judge", offline=True)
    assert done.said + done.without.get("cannot_judge", 0) == 2
    for row in Study.open_whole(study).judgements_on_file.frame.iter_rows(named=True):
        assert row["label"] in {"1", "2", "3", "4", "5", None}
        if row["probabilities"]:
            assert sum(json.loads(row["probabilities"]).values()) == pytest.approx(1, abs=0.01)

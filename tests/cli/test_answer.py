"""What `answer` says of what it did."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

Command = Callable[..., Any]


def test_one_answer_is_one_answer(medassay: Command, tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "lead.txt").write_text("Lead harms the kidney.\n", encoding="utf-8")
    cases = tmp_path / "cases.jsonl"
    cases.write_text('{"case": "S1", "question": "Does lead harm the kidney?"}\n', encoding="utf-8")
    study = tmp_path / "study"
    asked = ("answer", str(cases), "--corpus", str(tmp_path / "corpus"), "--into", str(study))
    assert medassay(*asked).out.startswith("1 answer of tfidf from 1 document.\n")

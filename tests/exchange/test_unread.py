"""What a file of another tool says and nothing reads is named with its count."""

import json
from collections import Counter
from pathlib import Path

from typer.testing import CliRunner

from medassay.cli.app import app
from medassay.exchange.healthbench.declared import Example
from medassay.exchange.outcome import Outcome
from medassay.tables.record import note_unread, what_is_unread

ROW = {
    "id": "p-1",
    "prompt": {"messages": [{"role": "user", "content": "How long?", "mood": "worried"}]},
    "rubrics": [{"criterion": "Says two days.", "points": 5, "axis": "accuracy", "note": ""}],
    "canary": "x",
}


def test_fields_that_no_model_has_are_counted_however_deep() -> None:
    with what_is_unread() as unread:
        note_unread(Example, ROW, "h.jsonl")
        note_unread(Example, ROW, "h.jsonl")
    # What wraps the messages is read by a function of its own, which is not looked into.
    assert unread == {("h.jsonl", "rubrics.axis"): 2, ("h.jsonl", "canary"): 2}
    note_unread(Example, ROW, "h.jsonl")
    assert unread.total() == 4


def test_an_import_names_them_to_people_and_to_machines(tmp_path: Path) -> None:
    rows = [ROW, {**ROW, "id": "p-2"}]
    file = tmp_path / "h.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    words = ["import", "--from", "healthbench", str(file), "--into"]
    said = CliRunner().invoke(app, [*words, str(tmp_path / "a")])
    assert said.exit_code == 0, said.output
    assert "note: h.jsonl: not read: rubrics.axis (2), canary (2)." in said.output
    told = CliRunner().invoke(app, [*words, str(tmp_path / "b"), "--json"])
    assert json.loads(told.stdout)["not_read"] == {"h.jsonl": {"rubrics.axis": 2, "canary": 2}}


def test_what_is_read_whole_says_nothing() -> None:
    outcome = Outcome(["done"], {"added": 1})
    assert outcome.with_unread(Counter()) is outcome

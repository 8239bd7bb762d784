"""What an import does once, though a file has many rows."""

import gc
from pathlib import Path

import pytest
from tests.exchange.test_evaluation_tools import TOOLS

from medassay.cli.import_ import _read
from medassay.exchange.declaration import Glimpse
from medassay.exchange.outcome import Outcome
from medassay.exchange.promptfoo.read import read_promptfoo
from medassay.exchange.registry import recognise
from medassay.exchange.tool_rows.files import json_of
from medassay.exchange.tool_rows.rows import used
from medassay.tables import read_json

FILE = TOOLS / "promptfoo" / "results.json"


def test_a_file_that_was_looked_at_is_not_read_again_and_then_let_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reads: list[Path] = []

    def counted(path: Path) -> object:
        reads.append(path)
        return read_json(path)

    monkeypatch.setattr("medassay.exchange.declaration.read_json", counted)
    recognise([FILE])
    held = json_of(FILE)
    assert (reads, held) == ([FILE], read_json(FILE))
    assert json_of(FILE) is not held
    assert len(reads) == 2


def test_a_file_that_changed_since_it_was_looked_at_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    file.write_bytes(FILE.read_bytes())
    recognise([file])
    file.write_text('{"results": []}', encoding="utf-8")
    assert json_of(file) == {"results": []}


def test_cells_that_are_alike_are_counted_by_one_use() -> None:
    assert used("tag", "topic") is used("tag", "topic")
    for uses in read_promptfoo([FILE]).fates.values():
        assert len({use.fate for use in uses}) == len(uses)


def test_of_lines_the_head_says_what_they_are(tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    file.write_text('{"system": "a"}\n' * 2500 + "{", encoding="utf-8")
    assert Glimpse(file).header == ("system",)


def test_the_collector_of_cycles_rests_while_a_file_is_read() -> None:
    on: list[bool] = []

    def take(*_: object) -> Outcome:
        on.append(gc.isenabled())
        return Outcome([], {})

    _read(take, None, [])
    assert (on, gc.isenabled()) == ([False], True)

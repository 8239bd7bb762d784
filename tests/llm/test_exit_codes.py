"""What `answer` leaves to whoever called it, as the page of commands says."""

import asyncio
import json
from pathlib import Path

import pytest
from tools.llm_server import Server, Wrong, send, serving
from typer.testing import CliRunner

from medassay.cli import app

pytestmark = pytest.mark.llm


def answering(folder: Path, wrong: Wrong | None, *more: str) -> tuple[int, str]:
    with serving(Server(wrong=wrong)) as server:
        (folder / "study.toml").write_text(
            'schema = 1\ntitle = "T"\n[systems.a]\nkind = "endpoint"\nmodel = "m"\nretries = 0\n'
            f'base_url = "{server.address}"\nprice_in = 1000\nprice_out = 1000\n',
            encoding="utf-8",
        )
        row = json.dumps({"case": "1", "question": "Is it safe?"}) + "\n"
        (folder / "cases.jsonl").write_text(row, encoding="utf-8")
        done = CliRunner().invoke(app, ["answer", str(folder), "--system", "a", *more])
        return done.exit_code, done.output


def fails(question: str, turn: int, writer: asyncio.StreamWriter) -> bool:
    del question, turn
    send(writer, 500, b"no")
    return True


def plain(question: str, turn: int, writer: asyncio.StreamWriter) -> bool:
    """Send a whole reply that calls itself text."""
    del question, turn
    said = b'{"choices": [{"finish_reason": "stop", "message": {"content": "Yes."}}]}'
    send(writer, 200, said, "text/plain")
    return True


def test_0_where_all_was_answered(tmp_path: Path) -> None:
    assert answering(tmp_path, None)[0] == 0
    code, said = answering(tmp_path, None, "--dry-run")
    assert (code, "1 question" in said) == (0, True)


def test_1_where_something_is_still_to_be_had(tmp_path: Path) -> None:
    code, said = answering(tmp_path, fails)
    assert (code, "1 question failed by server: HTTP 500" in said) == (1, True)


def test_1_where_the_budget_stops_it(tmp_path: Path) -> None:
    code, said = answering(tmp_path, None, "--budget", "0.001")
    assert (code, "Stopped: the budget would be passed." in said) == (1, True)


def test_a_reply_that_is_whole_counts_whatever_it_calls_itself(tmp_path: Path) -> None:
    assert answering(tmp_path, plain)[0] == 0
    [row] = (tmp_path / "answers" / "a.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(row)["text"] == "Yes."

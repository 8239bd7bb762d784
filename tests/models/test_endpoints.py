"""Replies, what is kept of them, where questions may go: all that needs no endpoint."""

import asyncio
import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from medassay.errors import InvalidInput
from medassay.models.endpoints import (
    Allowed,
    Asker,
    Ended,
    Journal,
    Limits,
    Reply,
    Stopped,
    reply_of_completion,
    run_all,
)
from medassay.models.endpoints.messages import Body, key_of
from medassay.models.endpoints.settings import host_of, is_here, key_for, key_masks, key_variable

KEY = "ab" * 32
OTHER = "cd" * 32


def made(content: object, reason: str = "stop", **more: object) -> dict[str, object]:
    message = {"role": "assistant", "content": content, **more}
    return {"choices": [{"finish_reason": reason, "message": message}], "model": "m"}


@pytest.mark.parametrize(
    ("completion", "ended"),
    [
        (made("Rest."), "answered"),
        (made("I'm sorry, but I can't help with that."), "answered"),
        (made(" \n"), "empty"),
        (made(None), "empty"),
        (made(None, refusal="I can't."), "refused"),
        (made("", "content_filter"), "refused"),
        (made("Rest and", "length"), "cut_off"),
        (made("", "length"), "cut_off"),
        (made(["a"]), "failed"),
        ({"choices": []}, "failed"),
        ({"choices": "x"}, "failed"),
        ([], "failed"),
    ],
)
def test_how_a_reply_ended(completion: object, ended: Ended) -> None:
    assert reply_of_completion(completion).ended == ended


def test_a_reply_comes_back_from_its_row() -> None:
    reply = Reply(
        "answered", "A", model="m", tokens_in=3, seconds=0.5, cost=0.1,
        tokens=(("A", -0.1, (("A", -0.1), ("B", -2.5))),), fields={"choice": "A"},
    )  # fmt: skip
    assert Reply.of_row(reply.as_row()) == reply


def test_what_was_torn_off_is_dropped_and_said(tmp_path: Path) -> None:
    path = tmp_path / "calls" / "a.jsonl"
    journal = Journal(path, "calls/a.jsonl")
    journal.add(KEY, {"case": "1"}, Reply("answered", "Rest. \ud800"))
    journal.close()
    whole = path.read_bytes()
    for cut in (1, len(whole) // 2):
        path.write_bytes(whole + whole[:cut])
        torn = Journal(path, "calls/a.jsonl")
        assert torn.torn
        assert (len(torn), OTHER in torn) == (1, False)
        torn.add(OTHER, {}, Reply("refused"))
        torn.close()
        again = Journal(path, "calls/a.jsonl")
        assert (len(again), again.torn) == (2, False)
        kept = again.get(OTHER)
        assert kept is not None
        assert kept.ended == "refused"
        again.close()


def test_a_line_that_is_no_reply_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"key": "zz"}\n{}\n', encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"calls/a.jsonl, row 1: must hold a reply a line"):
        Journal(path, "calls/a.jsonl")


@pytest.mark.skipif(os.name == "nt", reason="Windows makes links for administrators alone")
def test_nothing_is_written_over_a_link(tmp_path: Path) -> None:
    aim = tmp_path / "aim"
    aim.write_text("", encoding="utf-8")
    (tmp_path / "a.jsonl").symlink_to(aim)
    journal = Journal(tmp_path / "a.jsonl", "calls/a.jsonl")
    with pytest.raises(InvalidInput, match="must be writable"):
        journal.add(KEY, {}, Reply("empty"))
    assert aim.read_text(encoding="utf-8") == ""


def test_a_failure_does_not_hold(journal: Journal) -> None:
    journal.add(KEY, {}, Reply.failed("timeout", "60 s"))
    assert (journal.get(KEY), journal.failed) == (None, 1)
    journal.add(KEY, {}, Reply("empty"))
    assert journal.get(KEY) is not None
    assert journal.failed == 0


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("localhost", True),
        ("192.168.0.1", False), ("10.0.0.1", False), ("127.0.0.1.example.org", False), ("", False),
        ("169.254.169.254", False),
    ],
)  # fmt: skip
def test_this_machine_is_loopback_alone(host: str, here: bool) -> None:  # noqa: FBT001 - a case
    assert is_here(host) is here
    assert Allowed(why="x").holds(host) is here


def test_a_key_goes_to_its_own_host_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    assert key_for("https://api.openai.com/v1") == "sk-secret"
    assert key_for("https://evil.example") is None
    assert key_for("https://api.openai.com.evil.example") is None


LABEL = st.text("ab19-_\u0131\u017f", min_size=0, max_size=3)
HOST = st.lists(LABEL, min_size=1, max_size=3).map(".".join)


@given(HOST, HOST)
@example("api-mistral.ai", "api.mistral.ai")
@example("a-.b", "a.-b")
@example("a..b", "a-b")
@example("ap\u0131.mistral.ai", "api.mistral.ai")
@example("keyhex.61", "a_")
@example("::1", "--1")
def test_no_two_hosts_share_a_key(one: str, other: str) -> None:
    assert (key_variable(one) == key_variable(other)) == (one == other)
    assert re.fullmatch(r"[A-Z][A-Z0-9_]+", key_variable(one))
    assert key_variable(one) != "OPENAI_API_KEY"


@pytest.mark.parametrize(
    ("address", "goes"),
    [
        ("https://llm.example/v1", True), ("HTTPS://llm.example/v1", True),
        ("http://llm.example/v1", False), ("http://llm.example:443/v1", False),
        ("http://127.0.0.1:8000", True), ("http://localhost:8000", True),
        ("http://[::1]:8000", True), ("http://127.0.0.1.example", False),
    ],
)  # fmt: skip
def test_a_key_goes_over_https_alone(
    address: str,
    goes: bool,  # noqa: FBT001 - a case
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(key_variable(host_of(address)), "sk-secret")
    if goes:
        assert key_for(address) == "sk-secret"
        return
    with pytest.raises(InvalidInput, match=r"begins with https://.* or unset MEDASSAY_KEY_") as no:
        key_for(address)
    assert "sk-secret" not in str(no.value)


KEY_TEXT = "zq-SECRET.key/12345"


@pytest.mark.parametrize(
    "text",
    [KEY_TEXT, KEY_TEXT.replace("-", "_"), f"Bearer {KEY_TEXT}!", re.sub(r"\W", "_", KEY_TEXT)],
)
@pytest.mark.parametrize("name", ["text", "detail", "model", "fields", "tokens"])
def test_a_key_is_masked_in_every_field(name: str, text: str) -> None:
    whole: dict[str, object] = {
        "fields": {"choice": [{text: text}]},
        "tokens": [[text[:7], -0.1, []], [text[7:], -0.1, [[text, -0.1]]]],
    }
    row = {"ended": "answered", "text": "Rest.", name: whole.get(name, text)}
    kept = json.dumps(Reply.of_row(row).masked(key_masks(KEY_TEXT)).as_row())
    assert "SECRET" not in kept
    assert "12345" not in kept
    assert "[key]" in kept or name == "tokens"


def test_a_short_key_is_a_word_and_stays() -> None:
    reply = Reply("answered", "none of them", tokens=(("none", -0.1, ()),))
    assert reply.masked(key_masks("none")) == reply.masked(key_masks(None)) == reply


class Echo:
    """Replies with what it is asked, and counts."""

    identity: Mapping[str, object] = {"model": "echo"}
    where = "echo"

    def __init__(self, *replies: Reply) -> None:
        self.replies, self.asked, self.most, self._now = list(replies), 0, 0, 0

    async def send(self, body: Body) -> Reply:
        self.asked += 1
        self._now += 1
        self.most = max(self.most, self._now)
        await asyncio.sleep(0.01)
        self._now -= 1
        fixed = self.replies.pop(0) if self.replies else None
        return fixed or Reply("answered", str(body["q"]), tokens_in=100, tokens_out=100)

    async def close(self) -> None:
        """Nothing is open."""


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "a.jsonl", "a") as opened:
        yield opened


def ask_many(asker: Asker, questions: list[int], concurrency: int = 4) -> None:
    async def one(number: int) -> None:
        await asker({"q": number, "max_tokens": 100})

    asyncio.run(run_all(questions, one, concurrency, asker.stop))


def test_the_same_question_is_asked_once(journal: Journal) -> None:
    echo = Echo()
    asker = Asker(echo, journal, Limits())
    ask_many(asker, [1, 1, 1, 2])
    ask_many(asker, [1, 2])
    assert (echo.asked, asker.counts["answered"]) == (2, 2)
    assert echo.most <= 4


def test_a_budget_is_never_passed(journal: Journal) -> None:
    limits = Limits(price_in=1, price_out=1, budget=0.001)
    echo = Echo()
    asker = Asker(echo, journal, limits, budget=limits.budget)
    ask_many(asker, list(range(100)))
    assert asker.stopped == "the budget would be passed"
    assert 0 < asker.spent <= 0.001
    assert echo.asked == 5  # of .0002 each


def test_a_refused_key_stops_everything(journal: Journal) -> None:
    echo = Echo(Reply.failed("key", "HTTP 401"))
    asker = Asker(echo, journal, Limits())
    ask_many(asker, list(range(100)), 1)
    assert (echo.asked, asker.stopped) == (1, "echo: HTTP 401")


def test_failures_in_a_row_stop_everything(journal: Journal) -> None:
    echo = Echo(*[Reply.failed("server", "HTTP 500")] * 99)
    asker = Asker(echo, journal, Limits(concurrency=1))
    ask_many(asker, list(range(99)), 1)
    assert echo.asked == 20
    assert asker.stopped == "20 questions in a row failed, the last by HTTP 500"


def test_who_waits_for_a_question_that_is_never_asked_hears_of_it(journal: Journal) -> None:
    asker = Asker(Echo(), journal, Limits())
    asker.stop("you stopped it")
    with pytest.raises(Stopped):
        asyncio.run(asker({"q": 1}))


def test_the_key_holds_all_that_decides() -> None:
    base: tuple[dict[str, object], dict[str, object], int] = ({"model": "a"}, {"q": 1}, 0)
    others = [({"model": "b"}, {"q": 1}, 0), ({"model": "a"}, {"q": 1, "t": 0}, 0),
              ({"model": "a"}, {"q": 1}, 1)]  # fmt: skip
    assert len({key_of(*base), *(key_of(*other) for other in others)}) == 4

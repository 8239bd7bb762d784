"""An endpoint that sends what no study could hold, or what is not its own to know."""

import asyncio
import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tools.llm_server import Server, Wrong, completion, send, serving

from medassay.errors import InvalidInput
from medassay.models.endpoints import protocol
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


KEY = "zq-SECRET-key12345"


def failing(status: int, content: object, more: str = "", kind: str = "application/json") -> Wrong:
    def wrong(question: str, turn: int, writer: asyncio.StreamWriter) -> bool:
        del question, turn
        text = content if isinstance(content, str) else json.dumps(content)
        send(writer, status, text.encode(), kind, more=more)
        return True

    return wrong


UNDERSCORED = KEY.replace("-", "_")


@pytest.mark.parametrize(
    "wrong",
    [
        failing(400, {"error": {"message": KEY, "code": UNDERSCORED}}),
        failing(401, {"error": {"message": KEY, "type": f"x{UNDERSCORED}"}}),
        failing(500, KEY, kind=f"text/{KEY}"),
        failing(200, KEY, kind=f"text/{KEY}"),
        failing(429, KEY, more=f"x-{KEY}: {KEY}\r\n"),
        failing(307, KEY, more=f"location: http://{KEY}.example\r\n"),
        *[
            failing(200, made)
            for made in (
                completion(f"Bearer {KEY}"), completion("t", model=KEY),
                completion("t", refusal=KEY), completion("t", finish_reason=KEY),
                completion("t", logprobs={"content": [
                    {"token": KEY[:5], "logprob": -1.0, "top_logprobs": []},
                    {"token": KEY[5:], "logprob": -1.0, "top_logprobs": []},
                ]}),
            )
        ],
    ],
)  # fmt: skip
def test_a_key_that_is_sent_back_stands_nowhere(
    wrong: Wrong, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEDASSAY_KEY_127_0_0_1", KEY)
    server.wrong = wrong
    study = a_study(tmp_path / "s", server.address, "retries = 0\n", questions=1)
    done = answer_study(study, "a")
    assert {header["authorization"] for header in server.headers} == {f"Bearer {KEY}"}
    kept = repr(done) + "".join(file.read_text(encoding="utf-8") for file in study.rglob("*.jsonl"))
    assert "SECRET" not in kept
    assert KEY[5:] not in kept


@pytest.mark.parametrize("field", ["text", "retrieved", "choice", "reasoning", "statements"])
def test_a_service_that_sends_a_key_back(
    field: str, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEDASSAY_KEY_127_0_0_1", KEY)
    given = {"retrieved": [KEY], "statements": [{"text": "t", KEY: KEY}]}.get(field, KEY)
    server.reply = lambda body: {"answer": "Rest.", "more": given} if body else None
    study = a_study(tmp_path / "s", server.address, questions=1)
    (study / "study.toml").write_text(
        f'schema = 1\ntitle = "T"\n[systems.a]\nkind = "service"\nurl = "{server.address}/ask"\n'
        f'key_header = "x-api-key"\n[systems.a.fields]\n{field} = "more"\n',
        encoding="utf-8",
    )
    done = answer_study(study, "a")
    assert server.headers[0]["x-api-key"] == KEY
    kept = repr(done) + "".join(file.read_text(encoding="utf-8") for file in study.rglob("*.jsonl"))
    assert "SECRET" not in kept


def test_a_key_goes_to_nobody_without_https(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    study = a_study(tmp_path / "s", "http://api.openai.com/v1")
    with pytest.raises(InvalidInput, match="https://"):
        answer_study(study, "a")


def packed(content: bytes) -> Wrong:
    def wrong(question: str, turn: int, writer: asyncio.StreamWriter) -> bool:
        del question, turn
        send(writer, 200, content, more="content-encoding: gzip\r\n")
        return True

    return wrong


def damaged(content: bytes) -> bytes:
    return content[:30] + bytes(len(content) - 30)


@pytest.mark.parametrize(
    ("change", "ended"),
    [
        (lambda content: content, {"answered": 1}),
        (lambda content: content[:-9], {"answered": 1}),  # without its sum: the JSON is whole
        (lambda content: content[: len(content) // 2], {"failed": 1}),
        (damaged, {"failed": 1}),
        (lambda _: b"", {"failed": 1}),
    ],
)
def test_a_packed_reply_is_unpacked(
    change: Callable[[bytes], bytes], ended: dict[str, int], server: Server, tmp_path: Path
) -> None:
    content = gzip.compress(json.dumps(completion("Rest, and drink. " * 30)).encode(), mtime=0)
    server.wrong = packed(change(content))
    study = a_study(tmp_path / "s", server.address, "retries = 0\n", questions=1)
    assert answer_study(study, "a").ended == ended
    assert server.headers[0]["accept-encoding"] == "gzip"


@pytest.mark.parametrize("over", [0, 1])
def test_a_reply_is_bounded_as_it_is_unpacked(
    over: int, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = json.dumps(completion("a" * 3_000_000)).encode()
    monkeypatch.setattr(protocol, "_MOST_BYTES", len(whole) - over)
    content = gzip.compress(whole, mtime=0)
    assert len(content) < 10_000
    server.wrong = packed(content)
    done = answer_study(a_study(tmp_path / "s", server.address, questions=1), "a")
    assert done.failures == ({"too_large: more than 32 MB": 1} if over else {})

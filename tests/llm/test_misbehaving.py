"""A server that misbehaves: the answers are those of a run that nothing disturbed."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tools.llm_server import Server, Wrong, completion, send, serving

from medassay.study import Answered, Study, answer_study, estimate_study

pytestmark = pytest.mark.llm

QUESTIONS = 12


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(Server()) as running:
        yield running


def a_study(folder: Path, address: str, more: str = "", questions: int = QUESTIONS) -> Path:
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


def answers(study: Path) -> bytes:
    return (study / "answers" / "a.jsonl").read_bytes()


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    with serving(Server()) as running:
        study = a_study(tmp_path_factory.mktemp("still") / "s", running.address)
        done = answer_study(study, "a")
        assert (done.answers, done.unanswered, running.asked.total()) == (12, 0, 12)
        return answers(study)


def until_done(study: Path, runs: int = 12) -> list[Answered]:
    """Run the same command again and again, as its user would."""
    done = [answer_study(study, "a")]
    while done[-1].unanswered and len(done) < runs:
        done.append(answer_study(study, "a"))
    return done


def cut(question: str, turn: int, writer: asyncio.StreamWriter) -> bool:
    """Promise a whole reply and stop in its middle, twice for every third question."""
    if int(question.split()[1].rstrip("?")) % 3 or turn > 2:
        return False
    content = json.dumps(completion("An answer that is never whole")).encode()
    send(writer, 200, content[: len(content) // 2], length=len(content))
    return True


def too_many(after: str) -> Wrong:
    def wrong(question: str, turn: int, writer: asyncio.StreamWriter) -> bool:
        del question
        if turn > 2:
            return False
        send(writer, 429, b'{"error": {"message": "slow down"}}', more=after)
        return True

    return wrong


def storm(question: str, turn: int, writer: asyncio.StreamWriter) -> bool:
    """Fail often enough that retries alone do not help: the command is run again."""
    del question
    if turn > 4:
        return False
    send(writer, 500 + turn, b"<html>overloaded</html>", "text/html")
    return True


def no_json(question: str, turn: int, writer: asyncio.StreamWriter) -> bool:
    del question
    if turn > 1:
        return False
    send(writer, 200, b'{"choices": [{"message": ')
    return True


def html(question: str, turn: int, writer: asyncio.StreamWriter) -> bool:
    del question
    if turn > 1:
        return False
    send(writer, 200, b"<html>Please sign in</html>", "text/html")
    return True


async def endless(question: str, turn: int, writer: asyncio.StreamWriter) -> bool:
    """Send an answer that has no end, drop by drop."""
    if question != "Question 3?" or turn > 2:
        return False
    send(writer, 200, b'{"choices": [', length=10**9)
    while True:
        writer.write(b" " * 100)
        await writer.drain()
        await asyncio.sleep(0.02)


async def slow(question: str, turn: int, writer: asyncio.StreamWriter) -> bool:
    """Say nothing for longer than a try may take."""
    del writer
    if question == "Question 5?" and turn == 1:
        await asyncio.sleep(5)
        return True
    return False


@pytest.mark.parametrize(
    ("wrong", "more"),
    [
        (cut, ""),
        (too_many(""), ""),
        (too_many("retry-after: 0.05\r\n"), ""),
        (too_many("retry-after-ms: 20\r\n"), ""),
        (storm, "retries = 1\n"),
        (no_json, ""),
        (html, ""),
        (endless, "timeout = 0.4\nretries = 1\n"),
        (slow, "timeout = 0.5\n"),
    ],
    ids=["cut", "429", "retry-after", "retry-after-ms", "storm", "no-json", "html", "endless",
         "slow"],
)  # fmt: skip
def test_the_answers_are_those_of_an_undisturbed_run(
    wrong: Wrong, more: str, server: Server, undisturbed: bytes, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    import openai

    monkeypatch.setattr(openai._base_client, "INITIAL_RETRY_DELAY", 0.01)
    server.wrong = wrong
    study = a_study(tmp_path / "s", server.address, more)
    runs = until_done(study)
    assert runs[-1].unanswered == 0
    assert answers(study) == undisturbed
    assert set(server.answered.values()) == {1}  # nothing that was answered is asked again


def test_a_reply_without_end_is_not_kept_in_memory(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from medassay.models.endpoints import protocol

    monkeypatch.setattr(protocol, "_MOST_BYTES", 100_000)

    def flood(question: str, turn: int, writer: asyncio.StreamWriter) -> bool:
        del question, turn
        send(writer, 200, b" " * 1_000_000)
        return True

    server.wrong = flood
    done = answer_study(a_study(tmp_path / "s", server.address, questions=1), "a")
    assert done.failures == {"too_large: more than 32 MB": 1}
    assert server.asked.total() == 1


def test_a_question_of_200_000_letters(server: Server, tmp_path: Path) -> None:
    study = a_study(tmp_path / "s", server.address, "price_in = 1\nprice_out = 1\n", questions=0)
    long = "Does it hurt? " * 14_300
    row = json.dumps({"case": "1", "question": long})
    (study / "cases.jsonl").write_text(row + "\n", encoding="utf-8")
    estimate = estimate_study(study, "a")
    assert (estimate.tokens_in, server.asked.total()) == (57_201, 0)
    assert answer_study(study, "a").answers == 1
    assert server.asked[long.strip()] + server.asked[long] == 1


def said(server: Server, study: Path, **how: object) -> dict[str, str | None]:
    server.reply = lambda body: how[body["messages"][-1]["content"].split()[1].rstrip("?")]
    answer_study(study, "a")
    return {answer.case: answer.ended for answer in Study.open_whole(study).answers}


def test_a_refusal_an_empty_a_cut_off_answer_and_an_error_are_four_things(
    server: Server, tmp_path: Path
) -> None:
    study = a_study(tmp_path / "s", server.address, "retries = 0\n", questions=5)
    ended = said(
        server, study,
        **{
            "0": completion("Whole."),
            "1": completion("", refusal="I cannot."),
            "2": completion("  "),
            "3": completion("Rest and", finish_reason="length"),
            "4": {"error": "nothing of the form"},
        },
    )  # fmt: skip
    assert ended == {"0": None, "1": "refused", "2": None, "3": "cut_off"}
    kept = Study.open_whole(study).answers
    texts = {answer.case: answer.text for answer in kept}
    assert texts == {"0": "Whole.", "1": "I cannot.", "2": "  ", "3": "Rest and"}
    rows = map(json.loads, (study / "calls" / "a.jsonl").read_text(encoding="utf-8").splitlines())
    assert {row["case"]: row["ended"] for row in rows} == {
        "0": "answered", "1": "refused", "2": "empty", "3": "cut_off", "4": "failed",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("status", "error", "failure"),
    [
        (401, {"code": "invalid_api_key"}, "key: HTTP 401, invalid_api_key"),
        (404, {"code": "model_not_found"}, "not_found: HTTP 404, model_not_found"),
        (429, {"code": "insufficient_quota"}, "quota: HTTP 429, insufficient_quota"),
    ],
)
def test_what_no_retry_helps_stops_everything(
    status: int, error: dict[str, str], failure: str, server: Server, tmp_path: Path
) -> None:
    def wrong(question: str, turn: int, writer: asyncio.StreamWriter) -> bool:
        del question, turn
        content = json.dumps({"error": {**error, "message": "Question 1? sk-secret"}}).encode()
        send(writer, status, content)
        return True

    server.wrong = wrong
    study = a_study(tmp_path / "s", server.address, "concurrency = 1\nretries = 0\n")
    done = answer_study(study, "a")
    assert (done.failures, server.asked.total()) == ({failure: 1}, 1)
    assert done.stopped
    assert "sk-secret" not in (study / "calls" / "a.jsonl").read_text(encoding="utf-8")


def test_a_filter_of_content_is_a_refusal(server: Server, tmp_path: Path) -> None:
    def wrong(question: str, turn: int, writer: asyncio.StreamWriter) -> bool:
        del question, turn
        send(writer, 400, b'{"error": {"code": "content_filter", "message": "no"}}')
        return True

    server.wrong = wrong
    study = a_study(tmp_path / "s", server.address, questions=1)
    answer_study(study, "a")
    assert [one.ended for one in Study.open_whole(study).answers] == ["refused"]


def test_a_redirect_leads_nowhere(server: Server, tmp_path: Path) -> None:
    def wrong(question: str, turn: int, writer: asyncio.StreamWriter) -> bool:
        del question, turn
        send(writer, 307, b"", more="location: http://192.0.2.1/steal\r\n")
        return True

    server.wrong = wrong
    study = a_study(tmp_path / "s", server.address, "retries = 0\n", questions=1)
    assert answer_study(study, "a").failures == {"other: HTTP 307": 1}


def test_a_key_is_sent_and_stands_nowhere(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEDASSAY_KEY_127_0_0_1", "sk-secret")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-mine")
    study = a_study(tmp_path / "s", server.address, questions=2)
    answer_study(study, "a")
    assert {one["authorization"] for one in server.headers} == {"Bearer sk-secret"}
    sent = json.dumps(server.headers)
    assert "sk-openai" not in sent
    assert "org-mine" not in sent
    for file in study.rglob("*"):
        if file.is_file():
            assert b"sk-secret" not in file.read_bytes()


def test_a_service_by_a_template(server: Server, tmp_path: Path) -> None:
    server.reply = lambda body: {
        "result": {"text": f"Of {body['q']}", "hits": [{"id": "g1"}, {"id": "g2"}], "sure": 0.7}
    }
    study = a_study(tmp_path / "s", server.address, questions=2)
    (study / "study.toml").write_text(
        f'schema = 1\ntitle = "T"\n[systems.a]\nkind = "service"\nurl = "{server.address}/ask"\n'
        'answer = "result.text"\nkey_header = "x-api-key"\n'
        '[systems.a.body]\nq = "{question}"\ntop = 2\n'
        '[systems.a.fields]\nretrieved = "result.hits.*.id"\nconfidence = "result.sure"\n',
        encoding="utf-8",
    )
    assert answer_study(study, "a").answers == 2
    answer = Study.open_whole(study).answers.get("a", "1")
    assert answer is not None
    assert answer.text == "Of Question 1?"
    assert [one.document for one in answer.retrieved or ()] == ["g1", "g2"]
    assert answer.confidence == 0.7
    assert "authorization" not in server.headers[0] or not server.headers[0]["authorization"]


def test_a_conversation_and_samples(server: Server, tmp_path: Path) -> None:
    server.reply = lambda body: completion(f"{len(body['messages'])} messages")
    study = a_study(tmp_path / "s", server.address, "samples = 2\nlive = true\n", questions=0)
    turns = [
        {"role": "user", "text": "Hello."},
        {"role": "assistant", "text": "Whoever said that."},
        {"role": "user", "text": "It hurts."},
    ]
    text = json.dumps({"case": "1", "turns": turns}) + "\n"
    (study / "cases.jsonl").write_text(text, encoding="utf-8")
    assert answer_study(study, "a").answers == 2
    answer = Study.open_whole(study).answers.get("a", "1")
    assert answer is not None
    assert [turn.text for turn in answer.turns or ()] == [
        "Hello.", "1 messages", "It hurts.", "3 messages",
    ]  # fmt: skip


def test_rates_are_kept(server: Server, tmp_path: Path) -> None:
    study = a_study(tmp_path / "s", server.address, "per_minute = 600\n", questions=20)
    started = time.perf_counter()
    answer_study(study, "a")
    assert time.perf_counter() - started > 0.8  # ten a second, the first ten at once


def start(study: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, "-m", "medassay", "answer", str(study), "--system", "a"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=study.parent,
    )  # fmt: skip


def wait_for(what: Callable[[], bool]) -> None:
    until = time.perf_counter() + 30
    while not what() and time.perf_counter() < until:
        time.sleep(0.01)
    assert what()


def test_kill_9_five_times(server: Server, undisturbed: bytes, tmp_path: Path) -> None:
    server.delay = 0.15
    study = a_study(tmp_path / "s", server.address, "concurrency = 2\n")
    for turn in range(1, 6):
        running = start(study)
        wait_for(lambda: server.answered.total() >= 2 * turn)  # noqa: B023 - used at once
        os.kill(running.pid, signal.SIGKILL)
        running.communicate()
        # Half a line, as a full disk or a lost machine leaves it.
        (study / "calls").mkdir(exist_ok=True)  # killed before it wrote what it had just heard
        with (study / "calls" / "a.jsonl").open("ab") as file:
            file.write(b'{"key": "12')
    done = answer_study(study, "a")
    assert done.torn
    assert answers(study) == undisturbed
    # Only what was under way when it died may have been asked twice: two at a time, five times.
    assert server.asked.total() <= QUESTIONS + 10


@pytest.mark.skipif(os.name == "nt", reason="Windows sends no such signal to another process")
def test_ctrl_c_once_lets_what_is_under_way_come_to_its_end(
    server: Server, undisturbed: bytes, tmp_path: Path
) -> None:
    server.delay = 0.3
    study = a_study(tmp_path / "s", server.address, "concurrency = 3\n")
    running = start(study)
    wait_for(lambda: server.answered.total() >= 3)
    running.send_signal(signal.SIGINT)
    out, _ = running.communicate(timeout=30)
    assert running.returncode == 130
    assert "Stopped: you stopped it. Run the same again to go on." in out
    assert server.asked.total() == server.answered.total() < QUESTIONS
    server.delay = 0
    assert answer_study(study, "a").unanswered == 0
    assert set(server.asked.values()) == {1}
    assert answers(study) == undisturbed


@pytest.mark.skipif(os.name == "nt", reason="Windows sends no such signal to another process")
def test_ctrl_c_twice_ends_it_at_once(server: Server, undisturbed: bytes, tmp_path: Path) -> None:
    server.delay = 20
    study = a_study(tmp_path / "s", server.address, "concurrency = 3\n")
    running = start(study)
    wait_for(lambda: server.asked.total() >= 3)
    started = time.perf_counter()
    running.send_signal(signal.SIGINT)
    time.sleep(0.2)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=15)
    assert time.perf_counter() - started < 10
    assert (running.returncode, "Traceback" in err) == (130, False)
    assert "Stopped: you stopped it" in out
    server.delay = 0
    answer_study(study, "a")
    assert answers(study) == undisturbed

"""medassay monitor: logs, day after day, beside a study."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from medassay.analyses.monitor.quantities import Seen, quantities_of
from medassay.answers import Answer
from medassay.cases import Case
from medassay.errors import InvalidInput
from medassay.study import only_user

ROOT = Path(__file__).parents[2]
KILLER = Path(__file__).with_name("kill_monitor.py")
MOMENTS = 6
"""How many kills come at moments of chance, besides one at each write."""
Command = Callable[..., Any]

STUDY = """\
schema = 1
title = "Ward assistant"
[protocol]
name = "ratings"
[privacy]
texts = "{texts}"
[[metrics]]
name = "length"
[[metrics]]
name = "danger_flag"
"""
REFUSAL = "I'm sorry, but I cannot help with that."


def rows(rng: np.random.Generator, count: int, refusals: float) -> list[dict[str, Any]]:
    topics = [str(topic) for topic in rng.choice(["asthma", "migraine"], count)]
    return [
        {
            "question": f"How is {topic} treated at {rng.integers(2, 90)}?",
            "text": REFUSAL if rng.random() < refusals else "Rest. " * int(rng.integers(1, 5)),
            "tag.topic": topic,
        }
        for topic in topics
    ]


def write_lines(path: Path, lines: list[dict[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


def write_study(folder: Path, texts: str = "full") -> Path:
    asked = rows(np.random.default_rng(1), 400, 0.03)
    cases = [
        {"case": str(i), "question": row["question"], "tags": {"topic": row["tag.topic"]}}
        for i, row in enumerate(asked)
    ]
    write_lines(folder / "cases.jsonl", cases)
    answers = [{"case": str(i), "text": row["text"]} for i, row in enumerate(asked)]
    write_lines(folder / "answers" / "bot.jsonl", answers)
    (folder / "study.toml").write_text(STUDY.format(texts=texts), encoding="utf-8")
    return folder


def write_logs(folder: Path) -> list[Path]:
    """Write eight days; from the sixth on the system declines often."""
    rng = np.random.default_rng(2)
    first = date(2026, 3, 2)
    return [
        write_lines(
            folder / f"{first + timedelta(days=day)}.jsonl",
            rows(rng, 120, 0.5 if day >= 5 else 0.03),
        )
        for day in range(8)
    ]


def state(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.slow
def test_a_planted_drift_is_seen_on_its_day_and_days_given_twice_count_once(
    medassay: Command, tmp_path: Path
) -> None:
    study, logs, out = write_study(tmp_path / "study"), write_logs(tmp_path), tmp_path / "out"
    codes = [medassay("monitor", log, "--baseline", study, "--out", out).code for log in logs[:6]]
    assert codes == [0, 0, 0, 0, 0, 3]
    told = json.loads((out / "monitor.json").read_bytes())
    first = told["courses"][0]
    assert (first["id"], first["seen"], first["since"], first["rises"]) == (
        "refused", "2026-03-07", "2026-03-07", True,
    )  # fmt: skip
    assert first["mean_low"] > first["high"]
    assert told["answers"] == 720
    before = state(out)
    assert medassay("monitor", logs[5], "--baseline", study, "--out", out).code == 3
    assert state(out) == before
    page = before["index.html"].decode()
    assert "Refusals went up, first seen on 7 March 2026" in page
    assert "Check: Refusals" in page
    assert "no lasting drift is shown then" in page
    assert REFUSAL.replace("'", "&#39;") in page
    assert "day,case,question,answer,system,why" in before["next.csv"].decode()
    assert not (study / "results" / "kept").joinpath("monitor").exists()


@pytest.mark.slow
def test_days_together_are_the_same_as_day_by_day(medassay: Command, tmp_path: Path) -> None:
    study, logs = write_study(tmp_path / "study"), write_logs(tmp_path)
    for log in logs:
        medassay("monitor", log, "--baseline", study, "--out", tmp_path / "one")
    lines = [
        {"time": f"{log.stem}T08:00:00Z", **json.loads(line)}
        for log in reversed(logs)
        for line in log.read_text(encoding="utf-8").splitlines()
    ]
    together = write_lines(tmp_path / "all.jsonl", lines)
    medassay("monitor", together, "--baseline", study, "--out", tmp_path / "all")
    one, both = state(tmp_path / "one"), state(tmp_path / "all")
    del one["monitor.json"], both["monitor.json"]  # says which days were given last
    assert one == both


def test_a_log_without_drift_says_so(medassay: Command, tmp_path: Path) -> None:
    study, logs, out = write_study(tmp_path / "study"), write_logs(tmp_path), tmp_path / "out"
    said = medassay("monitor", logs[0], "--baseline", study, "--out", out)
    assert said.code == 0
    assert "No drift seen in 1 day and 120 answers, in any of" in said.out
    told = medassay("monitor", logs[1], "--baseline", study, "--out", out, "--json").json()
    assert not any(course["drifted"] for course in told["courses"])
    assert {course["kind"] for course in told["courses"]} == {"questions", "answers", "scores"}
    assert told["days"] == ["2026-03-02", "2026-03-03"]


@pytest.mark.parametrize("texts", ["ids", "none"])
def test_a_study_that_keeps_its_texts_shows_none(
    medassay: Command, tmp_path: Path, texts: str
) -> None:
    study, out = write_study(tmp_path / "study", texts), tmp_path / "out"
    lines = [
        {"case": f"patient-{i}", **row}
        for i, row in enumerate(rows(np.random.default_rng(3), 90, 0.9))
    ]
    log = write_lines(tmp_path / "2026-03-02.jsonl", lines)
    said = medassay("monitor", log, "--baseline", study, "--out", out)
    assert said.code == 3
    written = b"".join(state(out).values()).decode() + said.out
    assert "Refusals went up" in said.out
    assert "cannot help" not in written
    assert "asthma" not in written
    assert ("patient-" in written) is (texts == "ids")


@pytest.mark.parametrize(
    ("change", "name", "message"),
    [
        (
            {"reply": "text"},
            "2026-03-02.jsonl",
            "--column text=THEIRS; the log has question, reply",
        ),
        ({}, "monday.jsonl", "Or give the file the day's name, such as 2026-03-01.jsonl"),
        ({"day": "2. March"}, "a.jsonl", 'must begin with a day as 2026-03-01; got "2. March"'),
        ({"case": "1"}, "2026-03-02.jsonl", '"1" again on 2026-03-02, as in row 1'),
        ({"system": ["a", "b"]}, "2026-03-02.jsonl", "must be of one system; got 2: a, b"),
    ],
)
def test_what_is_wrong_with_a_log_is_named(
    medassay: Command, tmp_path: Path, change: dict[str, Any], name: str, message: str
) -> None:
    study = write_study(tmp_path / "study")
    lines = rows(np.random.default_rng(4), 2, 0.0)
    for i, line in enumerate(lines):
        line.pop("tag.topic")
        for key, value in change.items():
            if key == "reply":
                line["reply"] = line.pop("text")
            else:
                line[key] = value[i] if isinstance(value, list) else value
    log = write_lines(tmp_path / name, lines)
    said = medassay("monitor", log, "--baseline", study, "--out", tmp_path / "out")
    assert said.code == 2
    assert message in said.err
    assert not (tmp_path / "out").exists()


def test_a_monitor_stays_with_its_baseline_and_its_first_day(
    medassay: Command, tmp_path: Path
) -> None:
    study, logs, out = write_study(tmp_path / "study"), write_logs(tmp_path), tmp_path / "out"
    medassay("monitor", logs[1], "--baseline", study, "--out", out)
    said = medassay("monitor", logs[0], "--baseline", study, "--out", out)
    assert said.code == 2
    assert "must hold no day before the monitor's first, 2026-03-03; got 2026-03-02" in said.err
    other = write_study(tmp_path / "other", "ids")
    said = medassay("monitor", logs[2], "--baseline", other, "--out", out)
    assert said.code == 2
    assert "must belong to this baseline as it is now" in said.err


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL and no fork")
def test_killed_wherever_it_writes_it_ends_in_the_same_bytes(
    medassay: Command, tmp_path: Path
) -> None:
    study, logs = write_study(tmp_path / "study"), write_logs(tmp_path)
    for log in logs[:5]:
        medassay("monitor", log, "--baseline", study, "--out", tmp_path / "before")
    words = [tmp_path, study, logs[5], MOMENTS, 7]
    done = subprocess.run(  # noqa: S603 - our own interpreter and script
        [sys.executable, str(KILLER), *map(str, words)],
        capture_output=True, text=True, check=True, env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    told = json.loads(done.stdout)
    tries = told["tries"]
    assert told["code"] == 3  # the drift is seen on this day
    assert [one for one in tries if not one["same"] or one["code"] != 3] == []
    # The kills met every stage: nothing new yet, the day alone kept, some of the page's files.
    assert len({one["kept"] for one in tries}) >= 4
    assert any(one["unfinished"] for one in tries)
    assert sum(one["at"].startswith("touch") for one in tries) >= 10


def test_one_monitor_at_a_time_works_in_a_folder(medassay: Command, tmp_path: Path) -> None:
    study, logs, out = write_study(tmp_path / "study"), write_logs(tmp_path), tmp_path / "out"
    medassay("monitor", logs[0], "--baseline", study, "--out", out)
    before = state(out)
    with only_user(out):
        said = medassay("monitor", logs[1], "--baseline", study, "--out", out)
        assert said.code == 2
        assert f"{out}: must be written by one command at a time; got another" in said.err
    assert state(out) == before
    with pytest.raises(InvalidInput), only_user(tmp_path / "new" / "one"):
        raise InvalidInput([])
    assert not (tmp_path / "new").exists()


def test_answers_are_read_as_an_import_reads_them(medassay: Command, tmp_path: Path) -> None:
    study = write_study(tmp_path / "study")
    lines = rows(np.random.default_rng(4), 60, 0.1)
    theirs = [{"answer": line.pop("text"), **line} for line in [dict(line) for line in lines]]
    for name, log in (("ours", lines), ("theirs", theirs)):
        file = write_lines(tmp_path / name / "2026-03-02.jsonl", log)
        out = tmp_path / f"{name}-out"
        assert medassay("monitor", file, "--baseline", study, "--out", out).code == 0
    assert state(tmp_path / "ours-out") == state(tmp_path / "theirs-out")


def test_a_tag_that_says_something_else_of_each_question_is_no_topic() -> None:
    """Eight latencies would cost every other quantity a third of its share of the error."""
    seen = [
        Seen(
            Case(
                case=str(i),
                question="Why?",
                tags={"latency_ms": str(300 + i % 90), "topic": "ab"[i % 2]},
            ),
            Answer(system="bot", case=str(i), text="So."),
            {},
        )
        for i in range(100)
    ]
    titles = [quantity.title for quantity in quantities_of(seen, [], named=True)]
    assert [title for title in titles if ":" in title] == ["topic: a", "topic: b"]

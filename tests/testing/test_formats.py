"""`check_format`: our formats pass, and each rule catches whoever breaks it."""

import json
import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.exchange.samples import EXAMPLES, SHIPPED, WRITTEN

from medassay.answers import Answer, Answers
from medassay.errors import InvalidInput, Problem
from medassay.exchange import Format, Glimpse, Outcome, Reads, Writes
from medassay.exchange.registry import formats, recognise
from medassay.study import Study, add_answers, new_study
from medassay.testing import check_format

TASK = EXAMPLES / "shared-task"
COLUMNS: dict[str, object] = {"column": {}}
TAKING: dict[str, dict[str, object]] = {
    **dict.fromkeys(("answers", "judgements", "preferences", "scores"), COLUMNS),
    **dict.fromkeys(("potato", "redcap"), COLUMNS),
    "archehr": {"cases": TASK / "cases.xml", "key": TASK / "key.json"},
}
GIVING: dict[str, dict[str, object]] = {
    "archehr": {"system": "S01", "form": "archehr2025"}, "trec-run": {"system": "mine"},
}  # fmt: skip
OURS = {one.id: one for way in ("--from", "--to") for one in formats(way)}


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """Give the template's study: two systems, two cases, two raters, one dimension."""
    new_study(tmp_path / "study", "ratings")
    return tmp_path / "study"


def study_for(name: str, folder: Path, study: Path) -> Path:
    """Give a study that has what a format takes and gives."""
    if name == "clinical-mcq":
        new_study(folder / "clinic", "clinical-mcq")
        return folder / "clinic"
    if name in {"archehr", "judgements", "scores"}:
        take = OURS["archehr"].reads
        assert take is not None
        files = sorted((TASK / "submissions").iterdir())
        take.take(folder / "task", files, **TAKING["archehr"])
        toml = folder / "task" / "study.toml"
        settings = toml.read_text(encoding="utf-8").replace('texts = "ids"', 'texts = "full"')
        toml.write_text(settings, encoding="utf-8")
        return folder / "task"
    if name in {"label-studio", "potato", "redcap"}:
        shutil.copytree(EXAMPLES / "other-tools" / "campaigns", study / "campaigns")
    if name.startswith("trec"):
        case = {"case": "sprain", "documents": [{"id": "d1", "grade": 2}]}
        answer = {"system": "mine", "case": "sprain", "retrieved": [{"document": "d1", "score": 1}]}
        shutil.rmtree(study)
        (study / "answers").mkdir(parents=True)
        (study / "study.toml").write_text('schema = 1\ntitle = "Runs"\n', encoding="utf-8")
        (study / "cases.jsonl").write_text(json.dumps(case), encoding="utf-8")
        (study / "answers" / "mine.jsonl").write_text(json.dumps(answer), encoding="utf-8")
    return study


def sample(name: str, folder: Path) -> list[Path]:
    """Give a file of a format; none where it is only written."""
    if name in WRITTEN:
        file, content = WRITTEN[name]
        (folder / file).write_text(content, encoding="utf-8")
        return [folder / file]
    return [EXAMPLES / path for path, own in SHIPPED.items() if own == name][:1]


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow if name == "clinical-mcq" else ()) for name in OURS],
)
def test_our_formats_pass(tmp_path: Path, study: Path, name: str) -> None:
    said = check_format(
        OURS[name],
        study_for(name, tmp_path, study),
        *sample(name, tmp_path),
        taking=TAKING.get(name),
        giving=GIVING.get(name),
    )
    assert said


def take(study: Study, files: Sequence[Path]) -> Outcome:
    read = []
    for file in files:
        for row, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
            try:
                said = json.loads(line)
            except json.JSONDecodeError as error:
                raise InvalidInput([Problem(file.name, "be JSON", "none", row=row)]) from error
            read.append(Answer(system=said["bot"], case="sprain", text=said["reply"]))
    return Outcome.of_one(add_answers(study, Answers.of(read), "the logs"))


def give(study: Study, into: Path) -> Outcome:
    into.write_text("\n".join(answer.system for answer in study.answers), encoding="utf-8")
    return Outcome([f"wrote {into}"], {"file": str(into)})


def is_log(seen: Glimpse) -> bool:
    return seen.path.is_file() and seen.path.read_bytes().startswith(b'{"bot":')


READS = Reads(about="Chat logs.", files="Logs.", is_one=is_log, take=take)
WRITES = Writes(about="What systems answered.", into="A new file.", metavar="LOG", give=give)
CHAT = Format(id="chat-log", title="Chat logs", reads=READS, writes=WRITES)


def grows(study: Study, files: Sequence[Path]) -> Outcome:
    with (study.path / "seen.txt").open("a", encoding="utf-8") as file:
        file.write("again\n")
    return take(study, files)


def forgets(study: Study, files: Sequence[Path]) -> Outcome:
    (study.path / "half.txt").write_text("begun", encoding="utf-8")
    return take(study, files)


def trips(study: Study, files: Sequence[Path]) -> Outcome:
    rows = [json.loads(line) for line in files[0].read_text(encoding="utf-8").splitlines()]
    return Outcome([f"{len(rows)} read of {study.path.name}"], {})


def never_the_same(study: Study, into: Path) -> Outcome:
    into.write_text(f"{len(study.answers)} {into}", encoding="utf-8")
    return Outcome(["wrote it"], {})


def tells_nothing(study: Study, into: Path) -> None:
    give(study, into)


def tells_a_path(study: Study, into: Path) -> Outcome:
    give(study, into)
    return Outcome(["wrote it"], {"file": into})


def asks_the_weather(weather: float, into: Path) -> Outcome:
    raise NotImplementedError


def taken_by(function: Callable[..., Any]) -> Format:
    return replace(CHAT, reads=replace(READS, take=function))


def given_by(function: Callable[..., Any]) -> Format:
    return replace(CHAT, writes=replace(WRITES, give=function))


def known_by(function: Callable[[Glimpse], bool]) -> Format:
    return replace(CHAT, reads=replace(READS, is_one=function))


WRONG: dict[str, tuple[Format, str]] = {
    "api": (replace(CHAT, api=99), "be written for version 1 of formats; got 99"),
    "id": (replace(CHAT, id="Chat log"), "have an id of small letters, digits and -"),
    "title": (replace(CHAT, title=" "), "have a title"),
    "neither": (replace(CHAT, reads=None, writes=None), "read or write files"),
    "about": (replace(CHAT, writes=replace(WRITES, about="")), "say what is taken or written"),
    "asks": (given_by(asks_the_weather), "ask for what there is"),
    "blind": (known_by(lambda _: False), "know chat.log by what it holds"),
    "greedy": (known_by(lambda _: True), "not know b''"),
    "grows": (taken_by(grows), "change nothing where files are taken twice"),
    "forgets": (taken_by(forgets), "change nothing where half of chat.log is refused"),
    "trips": (taken_by(trips), "read half of chat.log or raise InvalidInput; got JSONDecodeError"),
    "differs": (given_by(never_the_same), "write the same bytes each time"),
    "silent": (given_by(tells_nothing), "say what it did with an Outcome"),
    "facts": (given_by(tells_a_path), "say what it did in facts fit for JSON"),
}


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Give a log whose half ends within its second line."""
    line = '{"bot": "b", "reply": "Rest."}\n'
    (tmp_path / "chat.log").write_text(line + line.replace('"b"', '"another"'), encoding="utf-8")
    return tmp_path / "chat.log"


def test_a_sound_one_passes_and_leaves_the_study_as_it_is(study: Path, log: Path) -> None:
    def held() -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in study.rglob("*") if path.is_file()}

    before = held()
    assert "2 answers added." in check_format(CHAT, study, log)
    assert held() == before


@pytest.mark.parametrize("name", WRONG)
def test_each_rule_catches_whoever_breaks_it(study: Path, log: Path, name: str) -> None:
    wrong, must = WRONG[name]
    with pytest.raises(AssertionError, match=re.escape(must)):
        check_format(wrong, study, log)


def test_a_format_of_whose_files_another_knows_is_told_so(study: Path, tmp_path: Path) -> None:
    table = tmp_path / "answers.csv"
    table.write_text(WRITTEN["answers"][1], encoding="utf-8")
    with pytest.raises(AssertionError, match="takes for its own; got answers"):
        check_format(known_by(lambda seen: seen.path.name == "answers.csv"), study, table)


def test_a_table_that_nobody_but_the_reader_of_any_table_knows_is_ones_own(
    study: Path, tmp_path: Path
) -> None:
    table = tmp_path / "sheet.csv"
    table.write_text("tool;patient_question;given_answer\nb;sprain;Rest.\n", encoding="utf-8")
    assert [known.id for known in recognise([table])] == ["spreadsheet"]
    # It is known as its own, and then refused for what is in it.
    with pytest.raises(InvalidInput, match="must be JSON"):
        check_format(known_by(lambda seen: seen.path.name == "sheet.csv"), study, table)

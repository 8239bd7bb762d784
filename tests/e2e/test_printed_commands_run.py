"""Every command that the program prints is run as it is printed, on the study it was printed of."""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.campaign.conftest import write_study
from typer.core import TyperGroup
from typer.main import get_command
from typer.testing import CliRunner

from medassay.campaign.room import open_room
from medassay.cli.app import app
from medassay.study import Study

pytestmark = pytest.mark.web

STUDY = "study"
SERVES = {("campaign", "serve"), ("campaign", "demo"), ("view",)}
"""These go on until they are ended."""
FOLLOWS = re.compile(
    r"\b(?:makes|writes|says|lists|shows|wrote|takes|to|in|if|and|or|for|once|with)\b"
)
"""Behind a command in a sentence: where the sentence goes on."""
FILLED = {
    "STUDY": STUDY, "FILE": "copy.db", "RATER": "anna", "REASON": "asked", "HOW": "as-given",
    "NAME": "zoe", "FILES": "anna.csv", "ADDRESS": "postgresql://x@127.0.0.1:9/none",
}  # fmt: skip
"""What a reader puts in the place of words in capitals."""


def run(*words: str) -> tuple[int, str]:
    """Run a command line; give its exit code and all that it said."""
    done = CliRunner().invoke(app, list(words))
    said = done.output
    code = done.exit_code
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        # What main() would say, with its exit code.
        said, code = f"{said}\n{done.exception}", 2
    return code, said


def printed_in(said: str) -> Iterator[tuple[str, ...]]:
    """Give the commands in what was said, with words in capitals filled in."""
    for line in said.splitlines():
        for found in re.finditer(r"medassay ([a-z][^`\"\n|;]*)", line):
            text = re.split(r"\.(?:\s|$)|\s{2,}|: ", found[1])[0]
            words = list(_until_prose(shlex.split(text.replace("'", "'"), posix=True)))
            verb = _verb(words)
            if verb:
                yield tuple(_filled(words, verb))


def _until_prose(words: list[str]) -> Iterator[str]:
    for place, word in enumerate(words):
        if place > 1 and FOLLOWS.fullmatch(word):
            return
        yield word.rstrip(",:)")


def _verb(words: list[str]) -> tuple[str, ...]:
    """Give the verb that these words begin with; nothing where they are prose."""
    command, verb = get_command(app), []
    for word in words:
        if not isinstance(command, TyperGroup) or word not in command.commands:
            break
        command = command.commands[word]
        verb.append(word)
    return () if isinstance(command, TyperGroup) else tuple(verb)


def _filled(words: list[str], verb: tuple[str, ...]) -> Iterator[str]:
    rest = [FILLED.get(word, word) for word in words]
    yield from rest
    command = get_command(app)
    for word in verb:
        command = command.commands[word]  # type: ignore[attr-defined] # a group
    needs = [param for param in command.params if param.param_type_name == "argument"]
    given = [word for word in rest[len(verb) :] if not word.startswith("-")]
    if needs and needs[0].required and not given:
        yield STUDY


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with a study that two people rate, its room open."""
    from tests.campaign.room.test_own_words import rate

    home = tmp_path_factory.mktemp("printed")
    here = Path.cwd()
    os.chdir(home)
    try:
        write_study(Path(STUDY))
        for words in (
            ("campaign", "create", STUDY, "--raters", "anna,ben"),
            ("campaign", "sheets", STUDY, "--format", "csv"),
            ("campaign", "invite", STUDY),
        ):
            code, said = run(*words)
            assert code == 0, said
        shutil.copy(f"{STUDY}/campaigns/main/sheets/anna.csv", "anna.csv")
        with open_room(Study.open_whole(STUDY)) as room:
            rate(room, "anna")
        assert run("campaign", "backup", STUDY, "copy.db")[0] == 0
    finally:
        os.chdir(here)
    return home


def as_it_is() -> None:
    pass


def room_gone() -> None:
    for file in Path(STUDY, "campaigns", "main").glob("room.db*"):
        file.unlink()


def room_broken() -> None:
    room_gone()
    Path(STUDY, "campaigns", "main", "room.db").write_bytes(b"x" * 5000)


def no_campaign() -> None:
    shutil.rmtree(Path(STUDY, "campaigns"))


def exported() -> None:
    assert run("campaign", "export", STUDY)[0] == 0


def asks_a_host() -> None:
    settings = Path(STUDY, "campaigns", "main", "campaign.toml")
    text = settings.read_text(encoding="utf-8")
    address = FILLED["ADDRESS"]
    settings.write_text(text.replace("[room]", f'[room]\ndatabase = "{address}"'), "utf-8")


SAID: list[tuple[str, Callable[[], None], tuple[str, ...]]] = [
    ("status", as_it_is, ("campaign", "status", STUDY)),
    ("status without a campaign", no_campaign, ("campaign", "status", STUDY)),
    ("sheets without a campaign", no_campaign, ("campaign", "sheets", STUDY)),
    ("a room that is gone", room_gone, ("campaign", "export", STUDY)),
    ("a room that is broken", room_broken, ("campaign", "status", STUDY)),
    ("export", as_it_is, ("campaign", "export", STUDY)),
    ("close", as_it_is, ("campaign", "close", STUDY)),
    ("somebody comes", as_it_is, ("campaign", "raters", STUDY, "--add", "dora")),
    ("somebody goes", as_it_is, ("campaign", "raters", STUDY, "--drop", "ben")),
    ("erase", exported, ("campaign", "erase", STUDY, "anna", "--labels")),
    ("check", exported, ("check", STUDY)),
    ("run", exported, ("run", STUDY)),
    ("agree", exported, ("agree", STUDY)),
    ("plan", exported, ("plan", STUDY)),
    ("new", as_it_is, ("new", "fresh", "--protocol", "ratings")),
    ("a sheet of nobody's", no_campaign, ("campaign", "collect", STUDY, "anna.csv")),
    ("a host that nobody allowed", asks_a_host, ("campaign", "invite", STUDY)),
]
MAY_REFUSE = {
    # What is asked for is not here: a server, a backup beside a room that is there still.
    "campaign serve": "must be a database that can be read and written",
}


def ended(words: tuple[str, ...], home: Path) -> tuple[int, str]:
    """Start what serves, and end it as soon as it says how."""
    free = () if "--port" in words else ("--port", "0")
    line = [sys.executable, "-m", "medassay", *words, *free]
    with subprocess.Popen(  # noqa: S603 - our own line
        line, cwd=home, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:  # fmt: skip
        said = ""
        assert process.stdout is not None
        for line_said in process.stdout:
            said += line_said
            if "Stop it" in said:  # the last line, once its links are written
                process.send_signal(signal.SIGINT)
                break
        said += process.stdout.read()
        return process.wait(timeout=60), said


@pytest.mark.parametrize(("prepare", "words"), [one[1:] for one in SAID], ids=[s[0] for s in SAID])
def test_each_command_that_is_printed_runs(
    whole: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    prepare: Callable[[], None],
    words: tuple[str, ...],
) -> None:
    home = tmp_path / "home"
    shutil.copytree(whole, home)
    monkeypatch.chdir(home)
    prepare()
    _, said = run(*words)
    told = list(dict.fromkeys(printed_in(said)))
    for place, command in enumerate(told):
        copy = tmp_path / f"copy{place}"
        shutil.copytree(home, copy)
        monkeypatch.chdir(copy)
        command = tuple(word.replace(str(home), str(copy)) for word in command)  # noqa: PLW2901
        if command[0:2] == ("campaign", "restore"):
            for file in Path(STUDY, "campaigns", "main").glob("room.db*"):
                file.unlink()  # as the sentence says: what is damaged is moved away first
        if any(command[: len(verb)] == verb for verb in SERVES):
            code, answer = ended(command, copy)
        else:
            code, answer = run(*command)
        why = MAY_REFUSE.get(" ".join(command[:2]), "")
        assert code in {0, -signal.SIGINT, 130} or (why and why in answer), (
            f"{' '.join(command)}, printed in:\n{said}\nsays:\n{answer}"
        )


def test_commands_are_found_in_these_words(whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(whole)
    told = set()
    for said in (
        "The study has no campaign yet: medassay campaign create makes one.",
        "note: 3 labels in the room. To add them: medassay campaign export study",
        "Put your last backup back: medassay campaign restore study FILE",
        "medassay computes it.",
    ):
        told |= set(printed_in(said))
    assert told == {
        ("campaign", "create", STUDY),
        ("campaign", "export", STUDY),
        ("campaign", "restore", STUDY, "copy.db"),
    }


@pytest.mark.parametrize("words", [("campaign", "serve", STUDY), ("campaign", "demo")])
def test_what_serves_is_started_and_ended(
    whole: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    shutil.copytree(whole, tmp_path / "home")
    code, said = ended(words, tmp_path / "home")
    assert "open at http://127.0.0.1:" in said
    assert code in {0, -signal.SIGINT, 130}, said

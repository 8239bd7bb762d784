"""A format of another package: it is taken and given like ours, or it is named."""

import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from medassay.exchange.registry import _loaded, broken_formats, formats, recognise
from medassay.study import new_study, open_run

Command = Callable[..., Any]

MODULE = '''
"""The log of a chat, one exchange a line."""
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from medassay import Answer, Answers, InvalidInput, Problem
from medassay.exchange import Format, Glimpse, Option, Outcome, Reads, Writes
from medassay.study import Study, import_answers
from medassay.answers import write_answers


def _take(study: Study, files: Sequence[Path], *,
          bot: Annotated[str, Option("Whose answers.")] = "bot") -> Outcome:
    TAKE
    (study.path / "chat.txt").write_text(bot)
    return Outcome([f"{len(files)} logs of {bot}."], {"logs": len(files)})


def _give(study: Study, into: Path) -> Outcome:
    GIVE
    into.write_text("\\n".join(one.text or "" for one in study.answers), encoding="utf-8")
    return Outcome([f"wrote {into}"], {"file": str(into)})


def _is_one(seen: Glimpse) -> bool:
    IS_ONE
    return seen.path.suffix == ".chat"


CHAT = Format(
    id="ID", title="Chats", api=API,
    reads=Reads(about="Chats, a log each.", files="Logs.", is_one=_is_one, take=_take),
    writes=Writes(about="Chats of a study.", into="A new file.", metavar="LOG", give=_give),
)
'''
NO_STUDY = "def _take(study: Study, files: Sequence[Path], *,"
NO_HELP = 'bot: Annotated[str, Option("Whose answers.")]'


def module(change: str = "", to: str = "", **said: str) -> str:
    known = {"TAKE": "pass", "GIVE": "pass", "IS_ONE": "pass", "ID": "chat", "API": "1"} | said
    code = MODULE
    for word, told in known.items():
        code = re.sub(rf"\b{word}\b", lambda _, told=told: told, code)  # type: ignore[misc]
    assert change in code
    return code.replace(change, to) if change else code


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    _loaded.cache_clear()
    yield
    _loaded.cache_clear()


@pytest.fixture
def study(tmp_path: Path) -> Path:
    new_study(tmp_path / "study", "ratings")
    return tmp_path / "study"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    (tmp_path / "monday.chat").write_text("mandrake\n", encoding="utf-8")
    return tmp_path / "monday.chat"


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., None]:
    def write(code: str, name: str = "chat") -> None:
        about = tmp_path / "site" / "chatting-1.5.dist-info"
        about.mkdir(parents=True)
        (tmp_path / "site" / "chatting_format.py").write_text(code, encoding="utf-8")
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: chatting\nVersion: 1.5\n")
        entry = f"[medassay.formats]\n{name} = chatting_format:CHAT\n"
        (about / "entry_points.txt").write_text(entry)
        monkeypatch.delitem(sys.modules, "chatting_format", raising=False)
        monkeypatch.syspath_prepend(tmp_path / "site")

    return write


def keep_texts(study: Path) -> None:
    with (study / "study.toml").open("a", encoding="utf-8") as file:
        file.write('\n[privacy]\ntexts = "none"\n')


def test_it_is_known_taken_given_and_listed_like_ours(
    install: Callable[..., None], medassay: Command, study: Path, log: Path, tmp_path: Path
) -> None:
    install(module())
    said = medassay("import", log, "--into", study, "--bot", "mint")
    assert (said.code, said.out) == (0, "1 logs of mint.\n")
    assert (study / "chat.txt").read_text() == "mint"
    assert medassay("import", "--json", log, "--into", study).json() == {"logs": 1}
    out = tmp_path / "out.chat"
    assert medassay("export", study, "--to", "chat", "--into", out).out == f"wrote {out}\n"
    assert out.read_text(encoding="utf-8")
    assert re.search(r"chat +Chats, a log each", medassay("import", "--help-all").out)
    assert re.search(r"(?s)Formats:.*\bchat\b", medassay("import", "-h").out)
    assert "--bot" in medassay("import", "--from", "chat", "-h").out
    assert medassay("import", log, "--into", study, "--pair", "a").code == 2


def test_one_that_goes_the_other_way_only_is_no_format_that_is_read(
    install: Callable[..., None], medassay: Command, study: Path, log: Path
) -> None:
    reads = 'reads=Reads(about="Chats, a log each.", files="Logs.", is_one=_is_one, take=_take),'
    install(module(reads, ""))
    said = medassay("import", log, "--into", study, "--from", "chat")
    assert said.code == 2
    assert (
        '--from: must be a format that is read; got "chat". Those are: spreadsheet, answers'
        in said.err
    )
    for way in ("-h", "--help-all"):
        assert not re.search(r"\bchat\b", medassay("import", way).out)
        assert re.search(r"\bchat\b", medassay("export", way).out)
    assert "Chats of a study" in medassay("export", "--help-all").out


def test_it_changes_no_run(install: Callable[..., None], study: Path) -> None:
    before = open_run(study)
    install(module())
    after = open_run(study)
    assert "chat" in [one.id for one in formats("--from")]
    assert before.name == after.name


@pytest.mark.parametrize(
    ("code", "name", "said"),
    [
        (module(API="2"), "chat", "be written for version 1 of formats; got 2"),
        (module(), "talk", 'be offered under its id; got "chat"'),
        (module(ID="potato"), "potato", 'have a name that is not taken; got "potato"'),
        ("CHAT = 1", "chat", "be a Format; got int"),
        ("raise SystemExit(3)", "chat", "load without an error; got SystemExit: 3"),
        (module(NO_STUDY, "def _take(study: int, files: Sequence[Path], *,"), "chat",
         "ask for what there is; got take must ask for a Study or a Path"),
        (module("def _give(study: Study, into: Path)", "def _give(study: str, into: Path)"), "chat",
         "give may ask for Study, Scored, Results, Secret; not for <class 'str'>"),
        (module(NO_HELP, "bot: str"), "chat", "have types that can be read; got TypeError: bot"),
        (module(NO_HELP, 'system: Annotated[bool, Option("All.")]').replace("bot =", "system =")
         .replace("(bot)", "(system)").replace("{bot}", "{system}"), "chat",
         "as others of the name do; got --system"),
    ],
)  # fmt: skip
def test_one_that_cannot_be_used_is_named_and_stops_nobody(
    install: Callable[..., None], medassay: Command, study: Path, code: str, name: str, said: str
) -> None:
    install(code, name)
    [problem] = broken_formats()
    assert said in str(problem)
    assert f'format "{name}" (chatting_format:CHAT) of chatting 1.5' in str(problem)
    told = " ".join(medassay("import", "-h").out.split())
    assert "left out: format" in told
    assert "potato" in [one.id for one in formats("--from")]
    if name != "potato":
        refused = medassay("import", "a.chat", "--from", name, "--into", study)
        assert refused.code == 2
        assert str(problem) in refused.err


@pytest.mark.parametrize("test", ["raise SystemExit(3)", "print(7); return 1 / 0", "return []"])
def test_its_test_of_a_file_stops_nobody(
    install: Callable[..., None], capsys: pytest.CaptureFixture[str], log: Path, test: str
) -> None:
    install(module(IS_ONE=test))
    assert recognise([log]) == ()
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("raise ValueError(files[0].read_text())", "do its work without an error; got ValueError"),
        ("raise SystemExit(3)", "do its work without an error; got SystemExit"),
        ("return 7", "say what it did in lines of an Outcome; got int"),
        ("return Outcome([7], {})", "say what it did in lines of an Outcome; got int"),
        ('return Outcome([], {"a": {1}})', "say what it did in facts fit for JSON; got TypeError"),
        ("return Outcome([], float('nan'))", "in facts fit for JSON; got ValueError"),
    ],
)
def test_one_that_fails_is_one_error(
    install: Callable[..., None], medassay: Command, study: Path, log: Path, line: str, said: str
) -> None:
    install(module(TAKE=line))
    told = medassay("import", log, "--into", study)
    assert told.code == 2
    assert told.err.startswith('format "chat" of chatting 1.5: must ')
    assert said in told.err
    assert told.err.count("\n") == 1


@pytest.mark.parametrize(
    "line",
    [
        "print(files[0].read_text())",
        "print(files[0].read_text(), file=sys.stderr)",
        "raise ValueError(files[0].read_text())",
        "w = files[0].read_text(); raise InvalidInput(Problem(w, w, w, w, 3, w))",
        "w = files[0].read_text(); raise InvalidInput(Problem(files[0].name, w, w, w, 3, w))",
        'w = files[0].read_text(); return Outcome([w], {"file": w, w: 1})',
    ],
)
def test_what_it_quotes_stays_in_a_study_that_keeps_its_texts(
    install: Callable[..., None], medassay: Command, study: Path, log: Path, line: str
) -> None:
    install(module(TAKE=line))
    keep_texts(study)
    said = medassay("import", log, "--into", study, "--json")
    assert "mandrake" not in said.out + said.err
    told = json.loads(said.out)
    if "InvalidInput" in line:
        [problem] = told["problems"]
        assert problem["row"] == 3
        assert problem["file"] == (
            "monday.chat" if "name" in line else 'format "chat" of chatting 1.5'
        )
    elif said.code == 0:
        assert told == {"format": "chat"}


def test_what_it_gives_tells_no_more(
    install: Callable[..., None],
    medassay: Command,
    monkeypatch: pytest.MonkeyPatch,
    study: Path,
    tmp_path: Path,
) -> None:
    quote = "return Outcome([], {'file': [one.text for one in study.answers]})"
    install(module(GIVE=quote))
    words = ("export", study, "--to", "chat", "--into", tmp_path / "x", "--json")
    open_ = medassay(*words).out
    text = json.loads(open_)["file"][0]
    keep_texts(study)
    assert text not in medassay(*words).out
    monkeypatch.setattr("medassay.exchange.registry.is_ours", lambda _: True)
    assert text in medassay(*words).out

"""Whatever bears a name that a study knows is read or named: nothing is passed over in silence."""

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Final

import pytest

from medassay.__main__ import main
from medassay.campaign import Wishes, create_campaign, write_sheets
from medassay.errors import InvalidInput, Problem
from medassay.judgements.campaign import Secret
from medassay.study import Study
from medassay.study.files.names import TABLES, unreadable
from medassay.study.opening.choices import input_hashes
from medassay.tables import FORMS

OWN_RULES: Final = {
    "own-rubric.toml": "rubrics/likert5.toml",
    "own-steps.toml": "reasoning/steps.toml",
    "own-dangers.toml": "danger/rules.toml",
    "own-groups.toml": "conditions.toml",
}
FILES: Final = {
    "study.toml": """
schema = 1
title = "All that a study can hold"
[[dimensions]]
rubric = "own-rubric.toml"
[reasoning]
steps = "own-steps.toml"
[safety]
rules = "own-dangers.toml"
[conditions]
groups = "own-groups.toml"
[judges.bot]
model = "m"
version = "1"
prompt = "prompt.txt"
""",
    "prompt.txt": "Say how good it is.\n",
    "cases.jsonl": '{"case": "c1", "question": "How long?"}\n',
    "asked.csv": "case,system\nc1,A\nc1,B\n",
    "documents.jsonl": '{"id": "d1", "text": "Rest."}\n',
    "answers/A.jsonl": '{"case": "c1", "text": "Two days.", "retrieved": [{"document": "d1"}]}\n',
    "answers/B.csv": "case,text\nc1,A week.\n",
    "judgements.csv": "rater,rater_kind,system,case,dimension,label\n"
    "r1,person,A,c1,quality,5\nbot,model,A,c1,quality,4\n",
    "preferences.csv": "rater,case,system_a,system_b,choice\nr1,c1,A,B,a\n",
    "raters.csv": "rater,rater_kind,expertise\nr1,person,nurse\nr2,person,\nbot,model,\n",
    "relevance.csv": "rater,case,document,relevance\nr1,c1,d1,1\n",
    "scores/mine.csv": "system,case,value\nA,c1,0.5\nB,c1,0.2\n",
    "scores/mine.toml": 'question = "Is it good?"\n',
}
# What nothing in the study above is called and a study would read.
ADDED: Final = [
    *(f"{stem}{form}" for stem in TABLES for form in FORMS if f"{stem}{form}" not in FILES),
    *(f"answers/C{form}" for form in FORMS),
    *(f"scores/other{form}" for form in FORMS),
    "certificates/bot.json",
    "campaigns/second/plan.toml",
    "campaigns/second/handout.csv",
    "campaigns/main/chances.csv",
    "campaigns/main/changes.csv",
]
FOLDERS: Final = ["answers", "scores", "certificates", "campaigns", "campaigns/main"]


def write_whole(folder: Path) -> Path:
    """Write a study that has a file of every kind, and a campaign."""
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for name, shipped in OWN_RULES.items():
        source = resources.files("medassay").joinpath("data", *shipped.split("/"))
        (folder / name).write_bytes(source.read_bytes())
    create_campaign(Study.open_whole(folder), Wishes(raters="r2"), Secret.new())
    write_sheets(Study.open_whole(folder))
    return folder


def own_files(folder: Path) -> list[str]:
    """List the study's files; what raters were sent is read by nobody."""
    found = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return sorted(name for name in found if "/sheets/" not in name and "results" not in name)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_whole(tmp_path_factory.mktemp("whole") / "study")


def _link_to_nothing(path: Path) -> None:
    path.symlink_to("annex/of/somebody")


def _link_to_itself(path: Path) -> None:
    path.symlink_to(path.name)


def _pipe(path: Path) -> None:
    os.mkfifo(path)


BROKEN: Final[dict[str, Callable[[Path], None]]] = {
    "link": _link_to_nothing,
    "ring": _link_to_itself,
    "folder": Path.mkdir,
    "pipe": _pipe,
}
needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="no pipes, and links need rights")


def opened(folder: Path) -> tuple[Problem, ...]:
    with pytest.raises(InvalidInput) as caught:
        Study.open_whole(folder)
    return caught.value.problems


def test_the_study_is_sound_and_holds_every_table(whole: Path) -> None:
    study = Study.open_whole(whole)
    assert not unreadable(whole)
    assert {Path(name).stem for name in own_files(whole)} > set(TABLES)
    assert len(study.judgements_on_file.frame) == 2
    assert len(study.relevance) == 1


@pytest.mark.slow
@needs_posix
@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_thing_in_place_of_any_file_is_named(
    whole: Path, tmp_path: Path, kind: str
) -> None:
    for name in own_files(whole):
        folder = tmp_path / name.replace("/", "-")
        shutil.copytree(whole, folder)
        (folder / name).unlink()
        BROKEN[kind](folder / name)
        assert [one.file.removeprefix(f"{folder}/") for one in opened(folder)] == [name]


@pytest.mark.slow
@needs_posix
@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_thing_under_any_known_name_is_named(
    whole: Path, tmp_path: Path, kind: str
) -> None:
    config = Study.open_whole(whole).config
    for name in ADDED:
        folder = tmp_path / name.replace("/", "-")
        shutil.copytree(whole, folder)
        (folder / name).parent.mkdir(exist_ok=True)
        BROKEN[kind](folder / name)
        found = [one.file for one in opened(folder)]
        table = name.partition(".")[0]
        assert found in ([name], [name, table])  # a table in two files is two problems
        with pytest.raises(InvalidInput, match=name.rpartition("/")[2]):
            input_hashes(folder, config)


@needs_posix
@pytest.mark.parametrize("kind", [kind for kind in BROKEN if kind != "folder"])
def test_a_broken_thing_in_place_of_a_folder_is_named(
    whole: Path, tmp_path: Path, kind: str
) -> None:
    for name in FOLDERS:
        folder = tmp_path / name.replace("/", "-")
        shutil.copytree(whole, folder)
        shutil.rmtree(folder / name, ignore_errors=True)
        BROKEN[kind](folder / name)
        assert name in [one.file for one in opened(folder)]


@pytest.mark.parametrize("name", ["answers", "scores", "certificates", "campaigns"])
def test_a_file_in_place_of_a_folder_is_named(whole: Path, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "study"
    shutil.copytree(whole, folder)
    shutil.rmtree(folder / name, ignore_errors=True)
    (folder / name).write_text("x", encoding="utf-8")
    assert (name, "a file") in [(one.file, one.got) for one in opened(folder)]


@contextmanager
def as_nobody() -> Iterator[None]:
    """Give up, for a while, the superuser's right to read what nobody may read."""
    if os.geteuid():
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="rights are others there")
def test_a_file_or_folder_without_the_right_to_read_is_named(whole: Path) -> None:
    Study.open_whole(whole)  # all that is imported late has been by now
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        folder = Path(name) / "study"
        shutil.copytree(whole, folder)
        for one in [*own_files(whole), "answers", "scores", "campaigns", "campaigns/main"]:
            if one in {"campaigns/main/key.csv", "campaigns/main/secret.txt"}:
                # The lead's own: nobody else can read them, and opens the study all the same.
                assert not (folder / one).stat().st_mode & 0o077
                continue
            before = (folder / one).stat().st_mode
            (folder / one).chmod(0)
            with as_nobody():
                found = opened(folder)
            (folder / one).chmod(before)
            assert (one, "be readable") in [
                (found.file.removeprefix(f"{folder}/"), found.must) for found in found
            ]
        with as_nobody():
            assert Study.open_whole(folder).cases.ids == ("c1",)


@needs_posix
@pytest.mark.parametrize("command", ["check", "run"])
def test_the_command_line_ends_with_two(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    folder = tmp_path / "study"
    shutil.copytree(whole, folder)
    (folder / "judgements.csv").unlink()
    _link_to_nothing(folder / "judgements.csv")
    with pytest.raises(SystemExit) as ended:
        main([command, str(folder)])
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith(
        "judgements.csv: must be there; got a link to nothing. Fetch what it points to"
    )


@needs_posix
def test_nothing_is_made_of_a_study_whose_settings_are_a_link_to_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    folder.mkdir()
    _link_to_nothing(folder / "study.toml")
    (folder / "cases.csv").write_text("case,question\nc1,How long?\n", encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["answer", str(folder), "--system", "S"])
    assert ended.value.code == 2
    assert (folder / "study.toml").is_symlink()


def test_other_files_of_a_folder_are_nobodys_business(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "study"
    shutil.copytree(whole, folder)
    (folder / "campaigns" / "notes.txt").write_text("x", encoding="utf-8")
    (folder / "data").mkdir()
    if sys.platform != "win32":
        _link_to_nothing(folder / "backup.zip")
    Study.open_whole(folder)


@pytest.mark.parametrize(
    "name", ["judgements.csv.gz", "judgements.ods", "answers/A.ods", "answers/A.jsonl.zip"]
)
def test_a_table_in_a_form_that_is_not_read_is_named(folder: Path, name: str) -> None:
    held = next(folder.glob(f"{name.partition('.')[0]}.*"))
    held.rename(folder / name)
    with pytest.raises(InvalidInput) as caught:
        Study.open(folder)
    [problem] = [one for one in caught.value.problems if one.file == name]
    assert problem.got == f'"{Path(name).suffix}"'


def test_systems_that_differ_after_a_point_are_two(folder: Path) -> None:
    (folder / "answers" / "gpt-4.1.ods").write_bytes(b"PK")
    held = next(folder.glob("answers/A.*"))
    held.rename(held.with_name(f"gpt-4.2{held.suffix}"))
    with pytest.raises(InvalidInput) as caught:
        Study.open(folder)
    assert "answers/gpt-4.1.ods" in [one.file for one in caught.value.problems]


def test_a_packed_copy_beside_a_table_that_is_read_is_nobodys(folder: Path) -> None:
    sound = Study.open(folder).judgements.frame
    (folder / "judgements.csv.gz").write_bytes(b"what was there before")
    assert Study.open(folder).judgements.frame.equals(sound)

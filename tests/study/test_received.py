"""A study that somebody sent: commands write into it and nowhere else."""

import hashlib
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from medassay.cli import app
from medassay.errors import InvalidInput
from medassay.study import only_writer
from medassay.tables import make_folder, staying_inside, write_atomically

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows links ask for rights")


def contents(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """Give a folder of the reader's own, with what medassay would remove from a study."""
    own = tmp_path / "outside"
    (own / "inner").mkdir(parents=True)
    (own / "precious.txt").write_text("precious")
    (own / ".report.html.abc.unfinished").write_text("somebody's")
    (own / "inner" / ".x.abc.unfinished").write_text("somebody's")
    return own


def link(inside: str, to: str = "") -> Callable[[Path, Path], Path]:
    def make(study: Path, outside: Path) -> Path:
        path = study / inside
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            shutil.rmtree(path)
        path.symlink_to(outside / to)
        return path

    return make


def pipe(study: Path, _: Path) -> Path:
    (study / "results").mkdir()
    os.mkfifo(study / "results" / ".lock")
    return study / "results" / ".lock"


def pipe_of_a_run(study: Path, _: Path) -> Path:
    run = study / "results" / "0123456789ab"
    run.mkdir(parents=True)
    os.mkfifo(run / "table.csv")
    return run / "table.csv"


def second_name(study: Path, _: Path) -> Path:
    (study / "results").mkdir()
    os.link(study / "judgements.csv", study / "results" / ".lock")
    return study / "results" / ".lock"


LEADING_OUT = {
    "the lock": link("results/.lock", "precious.txt"),
    "a lock that is not there": link("results/.lock", "new.txt"),
    "results": link("results"),
    "results that are not there": link("results", "new"),
    "kept scores": link("results/kept"),
    "one metric's": link("results/kept/0123456789abcdef", "inner"),
    "a run": link("results/0123456789ab"),
    "a page": link("results/0123456789ab/report.html", "precious.txt"),
    "campaigns": link("campaigns"),
    "a campaign": link("campaigns/main", "inner"),
    "answers": link("answers", "inner"),
    "scores": link("scores", "inner"),
    "certificates": link("certificates", "inner"),
    "a pipe": pipe,
    "a pipe of a run": pipe_of_a_run,
    "a second name": second_name,
}
COMMANDS = (
    ["run", "{study}"],
    ["score", "{study}"],
    ["validity", "{study}"],
    ["report", "{study}", "--to", "latex"],
    ["campaign", "create", "{study}", "--raters", "anna,ben"],
    ["import", "--from", "answers", "{given}", "--into", "{study}"],
    ["export", "--to", "potato", "{study}", "--into", "{new}"],
)


@pytest.mark.parametrize("kind", LEADING_OUT)
def test_a_part_that_leads_out_is_refused_before_anything_is_touched(
    folder: Path, outside: Path, kind: str
) -> None:
    path = LEADING_OUT[kind](folder, outside)
    before, inputs = contents(outside), contents(folder)
    with pytest.raises(InvalidInput) as refused, only_writer(folder):
        pass
    (problem,) = refused.value.problems
    assert problem.file == str(path)
    assert contents(outside) == before
    assert contents(folder) == inputs


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("kind", ["the lock", "results", "campaigns", "a run"])
def test_no_command_writes_outside(
    folder: Path, outside: Path, tmp_path: Path, kind: str, words: list[str]
) -> None:
    given = tmp_path / "given.csv"
    given.write_text("system,case,text\nD,c1,Rest.\n")
    LEADING_OUT[kind](folder, outside)
    before = contents(outside)
    names = {"study": str(folder), "given": str(given), "new": str(tmp_path / "new")}
    done = CliRunner().invoke(app, [word.format(**names) for word in words])
    assert isinstance(done.exception, InvalidInput), done.output
    assert "the study's own file or folder" in str(done.exception)
    assert contents(outside) == before
    assert not (outside / "new").exists()


@pytest.mark.slow
def test_more_forms_of_a_whole_run_go_nowhere_else(shared_folder: Path, outside: Path) -> None:
    done = CliRunner().invoke(app, ["run", str(shared_folder), "--json"])
    assert done.exit_code == 0
    (run,) = shared_folder.glob("results/*/manifest.json")
    (run.parent / "latex").symlink_to(outside)
    (run.parent / "paper").symlink_to(outside)
    before = contents(outside)
    for words in (["--to", "latex"], ["--to", "paper"]):
        done = CliRunner().invoke(app, ["report", str(shared_folder), *words])
        assert isinstance(done.exception, InvalidInput)
        assert contents(outside) == before
    # A run that lies elsewhere is not believed either.
    shutil.move(run.parent, outside / "run")
    run.parent.symlink_to(outside / "run")
    done = CliRunner().invoke(app, ["run", str(shared_folder)])
    assert isinstance(done.exception, InvalidInput)


def test_input_files_may_be_links_and_are_replaced_whole(folder: Path, outside: Path) -> None:
    """git-annex and DataLad keep files so."""
    for inner in ("cases.jsonl", "judgements.csv", "answers/A.jsonl"):
        path = folder / inner
        shutil.move(path, outside / path.name)
        path.symlink_to(outside / path.name)
    before = contents(outside)
    more = outside.parent / "more.csv"
    more.write_text("rater,system,case,dimension,label\nr9,A,c1,quality,4\n")
    words = ["import", "--from", "judgements", str(more), "--into", str(folder)]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert contents(outside) == before
    assert "r9" in (folder / "judgements.csv").read_text()


def test_a_campaign_cannot_name_a_folder_elsewhere(folder: Path, outside: Path) -> None:
    for words in (["create", "--raters", "anna,ben"], ["sheets", "--format", "csv"]):
        asked = ["campaign", words[0], str(folder), *words[1:]]
        assert CliRunner().invoke(app, asked).exit_code == 0
    plan = folder / "campaigns" / "main" / "plan.toml"
    said = plan.read_text(encoding="utf-8")
    assert 'name = "main"' in said
    plan.write_text(said.replace('name = "main"', 'name = "../../outside"'), encoding="utf-8")
    before = contents(outside)
    sheets = [str(path) for path in (folder / "campaigns" / "main").rglob("*anna*.csv")]
    done = CliRunner().invoke(app, ["campaign", "collect", str(folder), *sheets])
    assert isinstance(done.exception, InvalidInput)
    assert "must name the campaign as its folder is called" in str(done.exception)
    assert contents(outside) == before


def test_what_is_spelled_as_inside_is_inside(tmp_path: Path, outside: Path) -> None:
    home = tmp_path / "study"
    home.mkdir()
    (home / "way").symlink_to(outside)
    with staying_inside(home):
        for path in (
            home / ".." / "outside" / "x",
            home / "way" / "x",
            home / "way" / "inner" / "x",
        ):
            with pytest.raises(InvalidInput, match="must lie inside"):
                write_atomically(path, b"x")
            with pytest.raises(InvalidInput, match="must lie inside"):
                make_folder(path / "y")
        write_atomically(home / "deep" / "x", b"x")
        write_atomically(outside / "mine", b"the user's own choice")
    assert not (outside / "x").exists()
    write_atomically(home / "way" / "x", b"x")  # no study is held

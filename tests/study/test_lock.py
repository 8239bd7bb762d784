"""One command at a time writes into a study, and the dead hold nobody up."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from medassay.errors import InvalidInput
from medassay.study import Study, new_study, only_writer

HOLD = """
import sys, time
from pathlib import Path
from medassay.study import only_writer
with only_writer(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def study(tmp_path: Path) -> Path:
    new_study(tmp_path / "study", "ratings")
    return tmp_path / "study"


@pytest.mark.slow
def test_another_process_is_named_and_its_death_frees_the_study(study: Path) -> None:
    with subprocess.Popen(  # noqa: S603 - our own interpreter and script
        [sys.executable, "-c", HOLD, str(study)], stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(InvalidInput, match=f"process {holder.pid}"), only_writer(study):
            pass
        assert Study.open(study).systems  # who only reads is not held up
        left = study / "results" / ".report.html.abc.unfinished"
        left.write_text("half")
        holder.send_signal(signal.SIGKILL)
    with only_writer(study):
        assert not left.exists()
        assert (study / "results" / ".lock").read_text() == str(os.getpid())


def test_the_lock_is_free_after_the_block_and_after_an_error(study: Path) -> None:
    with pytest.raises(ZeroDivisionError), only_writer(study):
        1 / 0  # noqa: B018 - whatever goes wrong inside
    with only_writer(study):
        pass


def test_what_a_killed_process_left_is_removed_where_it_writes(study: Path) -> None:
    """In runs and campaigns as deep as folders go; beside the tables of others only there."""
    own, of_others = (
        ("results/run/latex", "campaigns/main/sheets", "answers"),
        ("mine", "answers/a"),
    )
    left = {name: study / name / ".page.html.abc.unfinished" for name in (*own, *of_others)}
    for path in left.values():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("half")
    with only_writer(study):
        assert {name for name, path in left.items() if path.exists()} == set(of_others)


def test_a_folder_that_is_no_study_gets_no_lock(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="must be the folder of a study"), only_writer(tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_study_that_is_being_made_is_held_too(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "study"
    with only_writer(folder, new=True):
        assert (folder / "results" / ".lock").is_file()
        with (
            pytest.raises(InvalidInput, match="one command at a time"),
            only_writer(folder, new=True),
        ):
            pass
        new_study(folder, "archehr", empty=True)
    assert (folder / "study.toml").is_file()


def test_a_study_that_was_not_made_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), only_writer(tmp_path / "deep" / "study", new=True):
        1 / 0  # noqa: B018 - whatever goes wrong inside
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "mine.txt").write_text("kept")
    with only_writer(tmp_path, new=True):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]

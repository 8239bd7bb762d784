"""Finished runs are made once for all who ask, and whoever writes into one is found out."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest
from tools.standard import STANDARD
from tools.standard.shared import SharedRuns

STUDY = "encoder"


def told(folder: Path) -> tuple[str, int]:
    """Ask for the run and say when its page was written."""
    page = SharedRuns(folder)(STUDY).folder / "report.html"
    return str(page), page.stat().st_mtime_ns


@pytest.mark.slow
def test_processes_share_one_run(tmp_path: Path) -> None:
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        first, second = pool.map(told, [tmp_path, tmp_path])
    assert first == second
    assert told(tmp_path) == first


def test_a_copy_is_for_writing_and_the_shared_one_is_not(
    standard_run: SharedRuns, tmp_path: Path
) -> None:
    own = standard_run.copy(STUDY, tmp_path)
    assert own.results == standard_run(STUDY).results
    (own.folder / "report.html").write_text("mine", encoding="utf-8")
    (own.study / "more.txt").write_text("mine", encoding="utf-8")
    assert not standard_run.changed()

    shared = SharedRuns(tmp_path / "session")
    one = shared(STUDY)
    (one.study / "more.txt").write_text("mine", encoding="utf-8")
    (one.folder / "report.json").write_text("mine", encoding="utf-8")
    assert shared.changed() == [
        f"{STUDY}: more.txt",
        f"{STUDY}: {one.folder.relative_to(one.study) / 'report.json'}",
    ]


def test_a_study_that_cannot_be_run_says_so_to_everybody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(folder: Path) -> None:
        message = f"{folder.name} is broken"
        raise ValueError(message)

    monkeypatch.setattr("tools.standard.STANDARD", dict(STANDARD) | {"broken": broken})
    for _ in range(2):
        with pytest.raises(RuntimeError, match="ValueError: broken is broken"):
            SharedRuns(tmp_path)("broken")

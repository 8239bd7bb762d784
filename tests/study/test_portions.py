"""A study read from files and scored in portions gives the bytes of one that is held whole."""

import shutil
from importlib import import_module
from pathlib import Path
from typing import Literal

import pytest
from tools.standard.shared import SharedRuns

from medassay.analyses import ask, run_study
from medassay.report import render
from medassay.study import Run, Scored, open_run, score_study
from medassay.study.folder import Study
from medassay.study.scoring import score_cache
from medassay.study.scoring import score_study as scoring
from medassay.study.scoring.score_study import Pairs
from medassay.tables import SetAside, many_records, write


def as_of_a_million(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set records aside, cut portions and let go of scores as if there were a million."""
    monkeypatch.setattr(many_records, "_IN_MEMORY", 2)
    monkeypatch.setattr(scoring, "_PORTION", 5)
    monkeypatch.setattr(score_cache, "_MOST_HELD", 4)
    monkeypatch.setattr(ask, "_MANY", 3)
    monkeypatch.setattr(write, "_ROWS_AT_ONCE", 3)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    as_of_a_million(monkeypatch)


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "manifest.json" and path.parent.name != "paper"
    }


DRAWN = "clinical"
"""The study whose figures are drawn again: they hang on report.json alone."""


def is_drawn(name: str) -> bool:
    return name == "report.html" or name.startswith("figures/")


def alone(study: Path, into: Path) -> Path:
    """Copy a study without what was computed of it."""
    return Path(shutil.copytree(study, into / study.name, ignore=shutil.ignore_patterns("results")))


@pytest.mark.slow
@pytest.mark.usefixtures("whole_runs")
@pytest.mark.parametrize("name", ["clinical", "criteria", "pool"])
def test_the_report_has_the_same_bytes(
    standard_run: SharedRuns, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    whole = standard_run(name)
    as_of_a_million(monkeypatch)
    run = open_run(alone(whole.study, tmp_path))
    assert isinstance(run.study.cases.records, SetAside)
    assert run.name == whole.folder.name
    if name != DRAWN:
        monkeypatch.setattr(import_module("medassay.report.render"), "write_figures", lambda *_: {})
    render(run_study(run)[0], run.folder)
    written, expected = files(run.folder), files(whole.folder)
    if name != DRAWN:
        written, expected = ({name: content for name, content in of.items() if not is_drawn(name)}
                             for of in (written, expected))  # fmt: skip
    assert written == expected


@pytest.mark.slow
@pytest.mark.parametrize("texts", ["ids", "none"])
def test_what_a_study_keeps_to_itself_stays_so(
    standard_run: SharedRuns,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    texts: Literal["ids", "none"],
) -> None:
    study = standard_run("clinical").study
    whole = open_run(alone(study, tmp_path / "whole"), texts=texts)
    of_whole, scored_whole = run_study(whole)
    as_of_a_million(monkeypatch)
    run = open_run(alone(study, tmp_path / "portions"), texts=texts)
    found, scored_here = run_study(run)
    assert found == of_whole
    assert scored_here.table.frame.equals(scored_whole.table.frame)


def scored(study: Path) -> tuple[Run, Scored]:
    run = open_run(study)
    return run, score_study(run.study, run.metrics, processes=1)


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_what_is_kept_in_portions_is_found_again(standard_run: SharedRuns, tmp_path: Path) -> None:
    study = alone(standard_run("clinical").study, tmp_path)
    _, first = scored(study)
    _, second = scored(study)
    answers = len(open_run(study).study.answers)
    # What lacks its model is kept nowhere, and tried again.
    lacking = {name for name, (again, _) in second.by_metric.items() if again}
    assert lacking == {"hallucination(against=retrieved,of=reasoning)"}
    assert {kept for name, (_, kept) in second.by_metric.items() if name not in lacking} == {
        answers
    }
    assert second.table.frame.equals(first.table.frame)


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_a_run_that_stops_in_a_portion_goes_on_there(
    standard_run: SharedRuns, tmp_path: Path
) -> None:
    study = alone(standard_run("clinical").study, tmp_path)
    run = open_run(study)
    told: list[tuple[str, int, int]] = []

    def stop(step: str, done: int, total: int) -> None:
        told.append((step, done, total))
        if done >= total // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        score_study(run.study, run.metrics, stop, processes=1)
    _, rest = scored(study)
    _, whole = scored(alone(study, tmp_path / "again"))
    assert 0 < rest.computed < whole.computed
    assert rest.table.frame.equals(whole.table.frame)
    # One bar for all: what is done of the answers, never less than before, never more than all.
    assert {(step, total) for step, _, total in told} == {("answers", len(Pairs(run.study)))}
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)


def test_pairs_are_in_the_order_of_the_cases(standard_run: SharedRuns) -> None:
    study = Study.open(standard_run("clinical").study)
    pairs = [
        (case, answer)
        for case in study.cases
        for system in study.answers.systems
        for answer in study.answers.samples(system, case.case)
    ]
    assert list(Pairs(study)) == list(Pairs(study)[:]) == pairs

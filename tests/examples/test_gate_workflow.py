"""The example workflow does what it says: it passes what is no worse, and fails what is."""

from pathlib import Path

import pytest
from tools.gate_run.sample_studies import CHANGES
from tools.gate_run.workflow import COMMENT, PIPELINE, SUMMARY, Step, run_pipeline, run_workflow
from tools.make_gate_page import PAGE, page

Runs = dict[str, list[Step]]
COMPARE = 2
"""The place of `medassay compare` among the steps that run."""


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {one: tmp_path_factory.mktemp(one) for one in CHANGES}


@pytest.fixture(scope="module")
def runs(places: dict[str, Path]) -> Runs:
    return {one: run_workflow(place, one) for one, place in places.items()}


@pytest.mark.parametrize("change", ["unchanged", "reworded"])
def test_what_is_not_worse_passes(runs: Runs, change: str) -> None:
    steps = runs[change]
    assert [step.code for step in steps] == [0] * 6
    assert "metric not worse" in steps[COMPARE].said
    assert ("Nothing changed" in steps[COMPARE].said) == (change == "unchanged")


def test_what_is_worse_fails_and_its_report_is_there_all_the_same(runs: Runs) -> None:
    steps = runs["shortened"]
    assert [step.code for step in steps] == [0, 0, 3, 0, 0, 0]
    assert "40 answers worse" in steps[COMPARE].said
    assert steps[-1].command == "medassay report studies/new --into report"


@pytest.mark.parametrize("change", CHANGES)
def test_the_comment_and_the_summary_hold_the_verdict(
    runs: Runs, places: dict[str, Path], change: str
) -> None:
    told = runs[change][COMPARE].said
    assert told.startswith("### Gate: ")
    assert (places[change] / COMMENT).read_text(encoding="utf-8") == told
    assert (places[change] / SUMMARY).read_text(encoding="utf-8") == told
    # Both versions, a row each: no small losses in a row go unseen.
    assert told.count("| `leaflets` | `rougeLsum(ref=human)` |") == 2


@pytest.mark.parametrize(
    ("change", "codes"), [("reworded", [0] * 6), ("shortened", [0, 0, 3] + [0] * 3)]
)
def test_gitlab_runs_the_same_gate(
    runs: Runs, tmp_path: Path, change: str, codes: list[int]
) -> None:
    steps = run_pipeline(tmp_path, change)
    assert [step.code for step in steps] == codes
    ours, theirs = (
        [s for s in all_of if " compare " in s.command] for all_of in (steps, runs[change])
    )
    assert ours == theirs
    [log] = [step.said for step in steps if step.command.startswith("cat ")]
    assert log == ours[0].said == (tmp_path / COMMENT).read_text(encoding="utf-8")
    [note] = [step.said for step in steps if "curl" in step.command]
    assert note == "https://gitlab.example/api/v4/projects/7/merge_requests/8/notes\n"
    assert (tmp_path / "report" / "report.html").is_file()


def test_the_page_shows_these_runs(runs: Runs) -> None:
    assert PAGE.read_text(encoding="utf-8") == page(runs)


def test_the_page_has_both_files() -> None:
    assert PIPELINE.read_text(encoding="utf-8") in PAGE.read_text(encoding="utf-8")


def test_the_workflow_names_what_it_gates(runs: Runs) -> None:
    words = runs["unchanged"][COMPARE].command.split()
    assert {"--metric", "--margin", "--require-not-worse"} <= set(words)

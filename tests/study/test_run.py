"""A run: the same inputs and choices are the same name and the same bytes, and nothing else is."""

import hashlib
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from shutil import copytree

import pytest
from tools.quick_runs import drawing

from medassay.analyses import Results, run_study
from medassay.analyses.builtin.agreement import panel_in
from medassay.analyses.builtin.correlations import correlations_in
from medassay.analyses.builtin.leaderboards import leaderboards_in
from medassay.library import run_and_report
from medassay.report import read_results
from medassay.study import open_run


def hashes(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def run_elsewhere(folder: Path, hash_seed: str) -> Path:
    done = subprocess.run(  # noqa: S603 - our own interpreter and code
        [sys.executable, "-m", "medassay", "run", str(folder), "--json"],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        check=True,
        capture_output=True,
        text=True,
    )
    return Path(json.loads(done.stdout)["folder"])


@pytest.mark.slow
def test_same_inputs_same_name_same_bytes_in_other_processes(folder: Path, tmp_path: Path) -> None:
    copy = Path(copytree(folder, tmp_path / "elsewhere" / "copy"))
    first, second = run_elsewhere(folder, "1"), run_elsewhere(copy, "2")
    assert first.name == second.name
    assert hashes(first) == hashes(second)
    assert {"manifest.json", "report.html", "report.json"} <= set(hashes(first))


def numbers(results: Results) -> dict[str, object]:
    """Give everything but the hashes of the inputs and the name that is made from them."""
    facts = results.model_dump()
    del facts["run"]
    return facts


@pytest.mark.slow
def test_the_order_of_rows_changes_no_number(folder: Path) -> None:
    before, _ = run_study(open_run(folder))
    for path in [folder / "judgements.csv", *(folder / "answers").iterdir()]:
        lines = path.read_text(encoding="utf-8").splitlines()
        header = lines[:1] if path.suffix == ".csv" else []
        rows = lines[len(header) :]
        random.Random(5).shuffle(rows)  # noqa: S311 - no secret
        path.write_text("\n".join([*header, *rows]) + "\n", encoding="utf-8")
    after, _ = run_study(open_run(folder))
    assert after.run.name != before.run.name
    assert numbers(after) == numbers(before)


def test_another_choice_is_another_run(folder: Path) -> None:
    names = {
        open_run(folder).name,
        open_run(folder, seed=8).name,
        open_run(folder, texts="ids").name,
        open_run(folder, only=["length"]).name,
    }
    assert len(names) == 4
    assert open_run(folder).name == open_run(folder, seed=7).name  # as study.toml says


@pytest.mark.slow
def test_another_seed_draws_anew(folder: Path) -> None:
    intervals = [
        [one.interval for one in panel_in(run_study(open_run(folder, seed=seed))[0].analyses)]
        for seed in (1, 2)
    ]
    assert intervals[0] != intervals[1]


@pytest.mark.slow
def test_the_second_run_does_nothing(folder: Path) -> None:
    first = run_and_report(folder)
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    second = run_and_report(folder)
    assert (first.again, second.again) == (False, True)
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before
    assert second.summary == first.summary


@pytest.mark.slow
@pytest.mark.parametrize("harm", ["remove", "change", "manifest", "no manifest"])
def test_a_run_that_is_not_whole_is_written_again(shared_folder: Path, harm: str) -> None:
    first = run_and_report(shared_folder)
    whole = hashes(first.folder)
    table = min((first.folder / "tables").iterdir())
    if harm == "remove":
        table.unlink()
    elif harm == "change":
        table.write_bytes(table.read_bytes() + b" ")
    elif harm == "manifest":
        (first.folder / "manifest.json").write_text('{"files": []}')
    else:
        (first.folder / "manifest.json").unlink()
    again = run_and_report(shared_folder)
    assert (again.again, again.computed) == (False, 0)
    assert hashes(first.folder) == whole


@pytest.mark.slow
def test_the_manifest_names_everything(shared_folder: Path) -> None:
    run_folder = run_and_report(shared_folder).folder
    manifest = json.loads((run_folder / "manifest.json").read_text(encoding="utf-8"))
    own = hashes(run_folder)
    del own["manifest.json"]
    assert manifest["files"] == own
    inputs = hashes(shared_folder)
    read = ["study.toml", "cases.jsonl", "judgements.csv", *(f"answers/{s}.jsonl" for s in "ABC")]
    assert manifest["inputs"] == {name: inputs[name] for name in read}
    assert manifest["choices"]["settings"]["run"]["seed"] == 7
    assert "length" in manifest["choices"]["metrics"]


def test_no_clock_and_no_place_reaches_a_result(shared_folder: Path) -> None:
    run_folder = run_and_report(shared_folder).folder
    for path in run_folder.rglob("*"):
        if path.is_file():
            assert str(shared_folder).encode() not in path.read_bytes()


@pytest.mark.slow
def test_synthetic_data_say_so_everywhere(folder: Path) -> None:
    path = folder / "study.toml"
    path.write_text(path.read_text().replace("title =", "synthetic = true\ntitle ="))
    with drawing():
        run_folder = run_and_report(folder).folder
    shown = [run_folder / "report.html", *(run_folder / "figures").glob("*.svg")]
    shown += (run_folder / "tables").glob("*.md")
    assert len(shown) > 3
    assert [one.name for one in shown if "synthetic" not in one.read_text().casefold()] == []


@pytest.mark.slow
def test_imported_scores_are_a_metric_with_its_direction(folder: Path) -> None:
    (folder / "scores").mkdir()
    rows = [f"{system},c{n},{value}" for system, value in (("A", 1), ("B", 2), ("C", 3))
            for n in (1, 2, 3, 4)]  # fmt: skip
    (folder / "scores" / "errors.csv").write_text("system,case,value\n" + "\n".join(rows) + "\n")
    (folder / "scores" / "errors.toml").write_text('direction = "lower"\nunit = "errors"\n')
    done = run_and_report(folder)
    results = read_results(done.folder / "report.json")
    (source,) = [one for one in results.sources if one.name == "errors"]
    assert (source.kind, source.direction, source.unit) == ("imported", "lower", "errors")
    ranks = {row.system: row.rank for row in leaderboards_in(results.analyses).by("errors")}
    assert ranks == {"A": 1, "B": 2, "C": 3}
    # Raters put A (4.25) over B (3.33) over C (1.33), and fewer errors are better: tau is 1.
    (tau,) = [
        one.tau
        for one in correlations_in(results.analyses)
        if (one.metric, one.consensus) == ("errors", "mean(dimension=quality)")
    ]
    assert tau == pytest.approx(1.0)
    assert "errors" in (done.folder / "report.html").read_text(encoding="utf-8")

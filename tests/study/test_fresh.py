"""A study that somebody sent is checked by computing it anew: nothing that lies there counts."""

import hashlib
import io
import json
import shutil
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

from medassay.cli import app
from medassay.models import installed_versions
from medassay.study import RunLog, open_run, score_study, set_aside
from medassay.study.files.names import file_hash
from medassay.study.runs import run as run_module

METRIC = "rouge1(ref=human)"


def medassay(*words: str, code: int = 0) -> str:
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == code, done.output
    return done.stdout


def told(*words: str, code: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(medassay(*words, "--json", code=code))
    return found


def hashes(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): file_hash(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def run_folder(study: Path) -> Path:
    (manifest,) = study.glob("results/*/manifest.json")
    return manifest.parent


def scores(study: Path) -> dict[tuple[str, str], float]:
    frame = pl.read_parquet(run_folder(study) / "scores.parquet")
    rows = frame.filter(pl.col("source") == METRIC).select("system", "case", "value").rows()
    return {(system, case): value for system, case, value in rows if value is not None}


def falsify_kept(study: Path, value: float) -> None:
    """Give every kept score of the metric another value, under a name that fits the bytes."""
    digest = next(m for m in open_run(study).metrics if str(m.name) == METRIC).made_by[:16]
    for path in (study / "results" / "kept" / digest).iterdir():
        frame = pl.read_parquet(path)
        out = io.BytesIO()
        scored = pl.col("value").is_not_null()
        frame.with_columns(pl.when(scored).then(value).alias("value")).write_parquet(out)
        path.unlink()
        name = hashlib.sha256(out.getvalue()).hexdigest()[:32]
        path.with_name(f"{name}.parquet").write_bytes(out.getvalue())


def falsify_run(study: Path, name: str, old: bytes, new: bytes) -> None:
    """Change a file of a finished run and its hash in the manifest."""
    folder = run_folder(study)
    content = (folder / name).read_bytes()
    assert old in content
    (folder / name).write_bytes(content.replace(old, new))
    manifest = folder / "manifest.json"
    facts = json.loads(manifest.read_text(encoding="utf-8"))
    facts["files"][name] = file_hash(folder / name)
    manifest.write_text(json.dumps(facts), encoding="utf-8")


@pytest.mark.slow
def test_a_false_score_in_range_is_found_by_computing_anew(folder: Path) -> None:
    medassay("run", str(folder))
    true, whole = scores(folder), hashes(run_folder(folder))
    shutil.rmtree(run_folder(folder))
    falsify_kept(folder, 0.99)
    assert told("run", str(folder))["damaged"] == []
    assert 0.99 in scores(folder).values()  # this is what somebody sends
    said = medassay("run", str(folder), "--fresh")
    assert "cache ignored" in said
    assert "scores.parquet" in said
    assert scores(folder) == true
    assert hashes(run_folder(folder)) == whole
    # Nor is it believed later.
    shutil.rmtree(run_folder(folder))
    assert told("run", str(folder))["computed"] == 0
    assert hashes(run_folder(folder)) == whole


@pytest.mark.slow
def test_a_score_that_cannot_be_is_computed_again_with_a_word(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    medassay("run", str(folder))
    whole = hashes(run_folder(folder))
    shutil.rmtree(run_folder(folder))
    falsify_kept(folder, 7.5)
    found = told("run", str(folder))
    (word,) = found["damaged"]
    assert word.startswith("results/kept/")
    assert "value 7.5" in word
    assert found["computed"] > 0
    assert caplog.messages == [word]
    assert hashes(run_folder(folder)) == whole
    falsify_kept(folder, 7.5)
    said = medassay("score", str(folder))
    assert "1 kept file was not believed; what it held was computed again." in said


@pytest.mark.slow
def test_a_run_that_is_the_same_says_so_and_leaves_nothing_aside(folder: Path) -> None:
    medassay("run", str(folder))
    whole = hashes(run_folder(folder))
    found = told("run", str(folder), "--fresh")
    (one,) = found["made"]["checked"]
    assert (one["files"], one["differing"], one["gone"]) == (len(whole) - 1, [], [])
    assert (found["reused"], found["up_to_date"]) == (0, False)
    assert not (folder / "results" / "replaced").exists()
    assert hashes(run_folder(folder)) == whole
    said = medassay("run", str(folder), "--fresh")
    assert f"all {len(whole) - 1:,} files are the same, byte for byte." in said


@pytest.mark.slow
def test_a_page_that_was_changed_with_its_manifest_is_found(folder: Path) -> None:
    medassay("run", str(folder))
    whole = hashes(run_folder(folder))
    name = run_folder(folder).name
    falsify_run(folder, "report.html", b"</title>", b" (peer reviewed)</title>")
    (run_folder(folder) / "tables" / "more.csv").write_text("invented")
    assert "Nothing had changed" in medassay("run", str(folder))
    found = told("run", str(folder), "--fresh")
    (one,) = found["made"]["checked"]
    assert (one["differing"], one["gone"]) == (["report.html"], ["tables/more.csv"])
    assert one["kept_in"] == f"results/replaced/{name}"
    assert b"peer reviewed" in (folder / one["kept_in"] / "report.html").read_bytes()
    assert hashes(run_folder(folder)) == whole


@pytest.mark.slow
def test_a_check_that_was_killed_is_made_by_the_next(folder: Path) -> None:
    medassay("run", str(folder))
    falsify_run(folder, "report.html", b"</title>", b" (peer reviewed)</title>")
    run = run_folder(folder)
    scored = (run / "scores.parquet").read_bytes()
    set_aside(run)  # and then the power goes, with a part of the run written
    run.mkdir()
    (run / "scores.parquet").write_bytes(scored)
    first, second = told("run", str(folder), "--fresh")["made"]["checked"]
    assert first["differing"] == ["report.html"]
    assert (second["files"], second["differing"]) == (1, [])
    assert [path.name for path in (folder / "results" / "replaced").iterdir()] == [run.name]


@pytest.mark.slow
def test_other_versions_are_another_run_which_is_compared(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = installed_versions
    with monkeypatch.context() as before:
        changed = {**real("numpy"), "numpy": "1.99"}
        before.setattr(run_module, "installed_versions", lambda *names: {**real(*names), **changed})
        medassay("run", str(folder))
        sent = run_folder(folder)
        assert json.loads((sent / "manifest.json").read_text())["choices"]["libraries"]["numpy"]
    assert told("run", str(folder))["up_to_date"] is False
    found = told("run", str(folder), "--fresh")
    same, other = found["made"]["checked"]
    assert (same["against"], same["differing"]) == (found["run"], [])
    assert other["against"] == sent.name != found["run"]
    (version,) = other["versions"]
    assert version == f"numpy 1.99, now {real('numpy')['numpy']}"
    # No table of numbers differs; what prints the run's name does.
    assert "report.html" in other["differing"]
    assert not [name for name in other["differing"] if name.startswith("tables/")]
    assert other["kept_in"] == f"results/{sent.name}"
    assert "made by other versions (numpy 1.99, now" in medassay("run", str(folder), "--fresh")
    # Another seed is another question, and no answer to this one.
    assert told("run", str(folder), "--fresh", "--seed", "3")["made"]["checked"] == []


@pytest.mark.slow
def test_what_was_kept_changes_no_byte_and_stands_beside_the_run(folder: Path) -> None:
    first = told("run", str(folder))
    run = run_folder(folder)
    whole = hashes(run)
    assert (first["made"]["computed"] > 0, first["made"]["reused"]) == (True, 0)
    shutil.rmtree(run)
    second = told("run", str(folder))
    assert hashes(run) == whole
    assert (second["computed"], second["reused"] > 0) == (0, True)
    log = RunLog.read(run)
    assert log is not None
    assert (log.fresh, log.computed, log.reused) == (False, 0, second["reused"])
    assert sum(one.reused for one in log.metrics.values()) == log.reused
    again = told("run", str(folder))
    assert (again["up_to_date"], again["made"]) == (True, second["made"])
    assert f"{log.reused:,} kept from before." in medassay("run", str(folder))
    page = (run / "report.html").read_text(encoding="utf-8")
    assert "<code>results/log</code> says which" in page
    assert "<code>medassay run STUDY --fresh</code> recomputes everything" in page
    # Where nothing says how it was made, or something else, that is said.
    path = folder / "results" / "log" / f"{run.name}.json"
    path.write_text(path.read_text().replace(run.name, "0123456789ab"))
    assert "How it was made is not known" in medassay("run", str(folder))
    assert told("run", str(folder))["made"] is None


@pytest.mark.slow
def test_score_and_compare_take_it_too(folder: Path, tmp_path: Path) -> None:
    other = Path(shutil.copytree(folder, tmp_path / "other"))
    for study in (folder, other):
        medassay("run", str(study))
    falsify_kept(other, 0.99)
    words = ("compare", str(folder), str(other), "-m", METRIC)
    (believed,) = told(*words)["results"]
    assert all(row["difference"] > 0.1 for row in believed["systems"])
    (fresh,) = told(*words, "--fresh")["results"]
    assert {row["difference"] for row in fresh["systems"]} == {0}
    falsify_kept(other, 7.5)
    assert "value 7.5" in told(*words)["damaged"][0]
    falsify_kept(other, 0.99)
    assert told("score", str(other), "--fresh")["reused"] == 0
    run = open_run(other)
    assert score_study(run.study, run.metrics).reused > 0

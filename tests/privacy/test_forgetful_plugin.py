"""A third party's metrics that quote what they read: a study that keeps its words keeps them."""

from contextlib import nullcontext
from pathlib import Path

import polars as pl
import pytest
from tests.analyses.inferring import inferences_in
from tests.privacy.conftest import Mark, Run
from tests.privacy.forgetful import METRICS, SLIPS, install, settle
from tests.privacy.leaks import Marked
from tests.privacy.marking import read_settings, write_settings
from tools.quick_runs import read_once

from medassay.__main__ import BAD_INPUT
from medassay.annotations import Texts
from medassay.metrics import BoundMetric
from medassay.study import open_run, score_study

ALL_FORMS = "html,json,md,csv,latex,xlsx"


@pytest.fixture(autouse=True)
def clean_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    settle(monkeypatch)


def with_metrics(study: Marked, *names: str) -> Marked:
    """Name metrics in study.toml, as whoever installed them would."""
    settings = read_settings(study.folder)
    named = [{"name": name} for name in (*names, "length")]
    write_settings(study.folder, {**settings, "metrics": named})
    return study


def told(run: Run, study: Marked, *verbs: str) -> dict[str, set[str]]:
    """Give what verbs print that the study keeps; each of them must end well."""
    found = {}
    for verb in verbs:
        name, *words = verb.split()
        code, said = run(name, study.folder, *words)
        assert code == 0, said
        found[verb] = study.leaked(said)
    return {verb: kinds for verb, kinds in found.items() if kinds}


@read_once()
def leaks_of(run: Run, study: Marked, out: Path) -> dict[str, set[str]]:
    """Let every verb that scores tell and write what it does."""
    verbs = ("run --offline", "score --offline", "validity --full", "triage --for all", "plan")
    asked = [f"{verb}{more}" for verb in verbs for more in ("", " --json")]
    found = told(run, study, *asked, "check --json", f"report --to {ALL_FORMS} --offline")
    for tool in ("inspect", "mt-metrics-eval"):
        code, said = run("export", study.folder, "--to", tool, "--into", out / tool, "--json")
        assert code == 0, said
        leaked = study.leaked(said)
        if leaked:
            found[tool] = leaked
    return found | study.leaks(study.folder / "results") | study.leaks(out)


@pytest.mark.slow
@pytest.mark.parametrize("texts", ["ids", "none"])
def test_nothing_that_it_quotes_goes_out(
    marked: Mark, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, texts: Texts
) -> None:
    install(monkeypatch, tmp_path)
    study = with_metrics(marked("missing", texts), *METRICS)
    assert leaks_of(run, study, tmp_path / "out") == {}


@pytest.mark.slow
def test_without_the_guard_all_of_it_would_be_found(
    marked: Mark, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def unguarded(metric: BoundMetric) -> BoundMetric:
        return metric

    install(monkeypatch, tmp_path)
    monkeypatch.setattr("medassay.study.config.study_toml.without_own_words", unguarded)
    study = with_metrics(marked("missing", "none"), *METRICS)
    found = told(run, study, "run --offline", "run --offline --json", "check --json")
    assert found.keys() == {"run --offline", "run --offline --json", "check --json"}
    files = {
        Path(name).name: kinds for name, kinds in study.leaks(study.folder / "results").items()
    }
    assert {"report.json", "report.html", "scores.parquet"} <= files.keys()
    assert set.union(*files.values()) >= {
        "text",
        "phrase",
        "tagkey",
        "tagvalue",
        "case",
        "document",
    }


def test_values_are_what_they_are_with_texts(
    marked: Mark, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    install(monkeypatch, tmp_path)
    study = with_metrics(marked("missing", "full"), "forgetful")
    given: dict[Texts, pl.DataFrame] = {}
    levels: tuple[Texts, ...] = ("full", "none")
    for texts in levels:
        run = open_run(study.folder, texts=texts)
        with pytest.warns(match="zqtext") if texts == "full" else nullcontext():
            given[texts] = score_study(run.study, run.metrics, fresh=True).table.frame
    without_names = [one.drop("case", "detail") for one in given.values()]
    assert without_names[0].equals(without_names[1])
    of_it = given["none"].filter(pl.col("source") == "forgetful")
    assert 0 < of_it["value"].null_count() < of_it.height
    assert set(of_it["detail"].drop_nulls()) <= {"", "no part that its package reads"}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_record_that_says_too_little_keeps_its_package_out(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, slip: str
) -> None:
    code, why = SLIPS[slip]
    install(monkeypatch, tmp_path, code)
    ended, said = run("metrics", "list")
    assert ended == 0
    assert "must load without an error" in said
    assert why in said


@pytest.mark.parametrize(
    ("name", "must"),
    [
        ("picky", "forgetful_metrics: must read every case and answer without an error"),
        ("checking", "checking: must look at statements without an error"),
    ],
)
def test_what_raises_beside_the_scores_is_one_error_without_a_quotation(
    marked: Mark, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, must: str
) -> None:
    install(monkeypatch, tmp_path)
    study = with_metrics(marked("missing", "none"), name)
    code, said = run("run", study.folder, "--offline")
    assert code == BAD_INPUT
    assert said.startswith(f"{must}; got ValueError.")
    assert study.leaked(said) == set()


@pytest.mark.slow
def test_it_infers_nothing_where_the_protocol_describes_only(
    marked: Mark, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    install(monkeypatch, tmp_path)
    study = with_metrics(marked("panel", "none"), *METRICS)
    code, said = run("report", study.folder, "--to", f"{ALL_FORMS},paper", "--offline")
    assert code == 0, said
    [report] = study.folder.glob("results/*/report.json")
    assert inferences_in(report.parent) == {}
    assert study.leaks(study.folder / "results") == {}

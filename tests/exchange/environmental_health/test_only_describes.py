"""A panel's report, read as a machine reads it: nothing in it goes beyond the data at hand."""

import csv
import json
from pathlib import Path

import pytest
from tests.analyses.inferring import leaves
from typer.testing import CliRunner

from medassay.analyses import run_study
from medassay.cli.app import app
from medassay.errors import InvalidInput
from medassay.exchange.environmental_health import import_environmental_health
from medassay.report import render
from medassay.study import open_run

ORIGINAL = Path(__file__).parents[3] / "examples" / "environmental-health" / "original"
DESCRIBES = {"agreement", "count", "mean", "median", "proportion", "standard deviation"}
INFERS = {
    "interval", "p", "p_adjusted", "p_lead", "p_method", "letters", "tau",
    "minimal_detectable_effect",
    "rank_low", "rank_high", "reliability_metric", "reliability_consensus", "over_cases",
    "over_systems", "over_both", "difference", "log_likelihood", "competence",
}  # fmt: skip


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("panel") / "study"
    import_environmental_health(folder, [ORIGINAL])
    return folder


@pytest.fixture(scope="module")
def report(study: Path) -> Path:
    into = study.parent / "report"
    render(run_study(open_run(study))[0], into, formats=("svg",))
    return into


@pytest.mark.slow
def test_the_kinds_of_statistics_describe(report: Path) -> None:
    told = json.loads((report / "report.json").read_text(encoding="utf-8"))
    assert set(told["statistics"]) <= DESCRIBES
    assert "mean" in told["statistics"]
    found = [(name, value) for name, value in leaves(told) if name in INFERS]
    assert [one for one in found if one[1] not in (None, "", [], {})] == []


@pytest.mark.slow
def test_no_file_of_the_report_has_a_column_that_infers(report: Path) -> None:
    files = sorted((report / "tables").glob("*.csv"))
    assert files
    for file in files:
        header = next(csv.reader(file.read_text(encoding="utf-8").splitlines()))
        said = [one for one in header if one in INFERS or one.endswith(("_low", "_high", "_p"))]
        assert said == [], file.name
    drawn = {file.stem for file in (report / "figures").iterdir()}
    assert drawn <= {"labels", "overview", "rater-flow", "agreement"}
    page = (report / "report.html").read_text(encoding="utf-8")
    assert 'id="overview"' in page
    assert 'class="range"' not in page  # the overview's mark of an interval
    assert "95%" not in page
    assert "bootstrap" not in page


@pytest.mark.parametrize("verb", ["validity", "plan", "triage", "judge"])
def test_what_would_infer_is_refused_with_the_reason(study: Path, verb: str) -> None:
    said = CliRunner().invoke(app, [verb, str(study)])
    assert isinstance(said.exception, InvalidInput)
    assert "no inferential claims" in str(said.exception)


def test_versions_are_not_tested_against_each_other(study: Path) -> None:
    said = CliRunner().invoke(app, ["compare", str(study), str(study)])
    assert isinstance(said.exception, InvalidInput)


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["agree", "consensus"])
def test_agreement_and_consensus_are_told_without_intervals(study: Path, verb: str) -> None:
    plain = CliRunner().invoke(app, [verb, str(study)])
    assert plain.exit_code == 0, plain.output
    assert "95%" not in plain.output
    told = json.loads(CliRunner().invoke(app, [verb, str(study), "--json"]).output)
    assert [value for name, value in leaves(told) if name == "interval" and value] == []

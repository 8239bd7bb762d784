"""The synthetic panel that ships: every part of the protocol lives, a banner is everywhere."""

import csv
import shutil
from pathlib import Path

import polars as pl
import pytest
from tools.make_environmental_health_panel import panel_files

from medassay.analyses import run_study
from medassay.analyses.builtin.alignment import alignments_in
from medassay.analyses.builtin.document_relevance import documents_in
from medassay.analyses.builtin.label_order import label_order
from medassay.analyses.builtin.pairwise import over_pairs_in
from medassay.analyses.builtin.summaries import summaries_in
from medassay.analyses.results import Results
from medassay.exchange.environmental_health import import_environmental_health
from medassay.report import render
from medassay.report.findings.objectives import sentences
from medassay.report.tables import unscored
from medassay.study import open_run

PANEL = Path(__file__).parents[3] / "examples" / "environmental-health" / "panel"


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("panel") / "study"
    import_environmental_health(folder, [PANEL], synthetic=True)
    return folder


@pytest.fixture(scope="module")
def results(study: Path) -> Results:
    return run_study(open_run(study))[0]


def test_the_generator_makes_these_very_files() -> None:
    assert {path.name: path.read_bytes() for path in PANEL.iterdir()} == panel_files()


@pytest.mark.slow
def test_the_published_rule_says_medium_of_all_and_the_rule_of_the_run_does_not(
    results: Results,
) -> None:
    stated, in_query, in_run = alignments_in(results.analyses)
    assert stated.levels == in_query.levels == {"High": 0, "Medium": 14, "Low": 0}
    assert stated.kappa == 0
    assert sum(n > 0 for n in in_run.levels.values()) > 1
    assert in_run.kappa is not None


@pytest.mark.slow
def test_documents_have_a_consensus_and_experts_a_kappa_on_them(results: Results) -> None:
    assert len(documents_in(results.analyses)) == 14 * 3
    assert {one.labels for one in documents_in(results.analyses)} == {10}
    assert all(one.consensus == int(one.share > 0.5) for one in documents_in(results.analyses)
               if one.share != 0.5)  # fmt: skip
    assert all(one.consensus is None for one in documents_in(results.analyses) if one.share == 0.5)
    documents = over_pairs_in(results.analyses)[0]
    assert (documents.dimension, documents.pairs) == ("relevance", 45)
    assert documents.mean is not None


@pytest.mark.slow
def test_the_finding_on_precision_says_what_its_experts_leave_open(
    study: Path, tmp_path: Path
) -> None:
    evenly = tmp_path / "study"
    shutil.copytree(study, evenly, ignore=shutil.ignore_patterns("results"))
    path = evenly / "relevance.csv"
    labels = pl.read_csv(path, infer_schema=False)
    half = (pl.col("rater").rank("dense") % 2).cast(pl.Int64).cast(pl.String)
    split = pl.when(pl.col("case") == labels["case"].min()).then(half)
    labels.with_columns(relevance=split.otherwise(pl.col("relevance"))).write_csv(path)
    found = run_study(open_run(evenly))[0]
    ties = sum(one.consensus is None for one in documents_in(found.analyses))
    assert ties >= 3
    [text] = [text for name, text, _ in sentences(found) if name == "precision-returned-3"]
    assert text.endswith(
        f" Left out: {ties} of 42 documents among the first 3, on which the experts tied."
    )


@pytest.mark.slow
def test_two_wordings_of_a_scenario_count_once(results: Results) -> None:
    counted = {(one.name, one.over): one.n for one in summaries_in(results.analyses)}
    assert counted["precision_returned@3", "answers"] == 14
    assert counted["precision_returned@3", "scenarios"] == 12
    assert counted["factuality", "judgements"] == 140
    assert counted["factuality", "scenarios"] == 12


@pytest.mark.slow
def test_confidence_was_asked_before_the_label_was_shown(results: Results) -> None:
    order = results.analyses.of(label_order)
    assert order is not None
    assert (order.before, order.after, order.unknown) == (140, 0, 0)


@pytest.mark.slow
def test_every_file_of_the_report_says_that_it_is_made_up(results: Results, tmp_path: Path) -> None:
    for file in render(results, tmp_path, formats=("svg",)):
        if file.suffix in {".html", ".md", ".svg", ".csv"}:
            assert "synthetic" in file.read_text(encoding="utf-8").lower(), file.name


@pytest.mark.slow
def test_queries_stand_in_the_order_in_which_people_count(results: Results, tmp_path: Path) -> None:
    render(results, tmp_path, formats=("svg",))
    for table in ("returned", "relevance", "side-by-side"):
        with (tmp_path / "tables" / f"{table}.csv").open(encoding="utf-8", newline="") as file:
            rows = csv.DictReader(line for line in file if not line.startswith("#"))
            queries = list(dict.fromkeys(row["case"] for row in rows))
        assert queries[:4] == ["S1", "S2", "S3", "S3-b"]
        assert queries[-3:] == ["S10", "S11", "S12"]


@pytest.mark.slow
def test_confidence_in_words_misses_no_mean(results: Results) -> None:
    consensus = {one.name: one for one in results.sources if one.kind == "consensus"}
    assert consensus["mean(dimension=expert-confidence)"].scored == 0
    rows = unscored(results).rows
    assert [row.cells[0].text for row in rows] == [
        "majority(dimension=factuality)",
        "majority(dimension=interpretability)",
    ]


@pytest.mark.slow
def test_a_metric_with_a_cut_off_says_which_in_its_title(results: Results) -> None:
    titles = {one.name: one.title for one in results.sources}
    assert titles["precision_returned@3"] == "Citation precision over what was returned (k = 3)"

"""The group's own demonstration files, taken as they are, give what the protocol says they hold."""

from pathlib import Path

import pytest

from medassay.analyses import run_study
from medassay.analyses.builtin.agreement import panel_in
from medassay.analyses.builtin.alignment import alignments_in
from medassay.analyses.builtin.correlations import correlations_in
from medassay.analyses.builtin.leaderboards import leaderboards_in
from medassay.analyses.builtin.pairwise import over_pairs_in
from medassay.analyses.builtin.summaries import summaries_in
from medassay.analyses.results import Results
from medassay.exchange.environmental_health import PanelImport, import_environmental_health
from medassay.study import Study, open_run

ORIGINAL = Path(__file__).parents[3] / "examples" / "environmental-health" / "original"


@pytest.fixture(scope="module")
def taken(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, PanelImport]:
    folder = tmp_path_factory.mktemp("panel") / "study"
    return folder, import_environmental_health(folder, [ORIGINAL])


@pytest.fixture(scope="module")
def results(taken: tuple[Path, PanelImport]) -> Results:
    return run_study(open_run(taken[0]))[0]


def test_files_that_call_themselves_synthetic_are_named(tmp_path: Path) -> None:
    plain = import_environmental_health(tmp_path / "plain", [ORIGINAL])
    told = import_environmental_health(tmp_path / "told", [ORIGINAL], synthetic=True)
    said = "demo_expert_ratings_synthetic.csv and 6 more call themselves synthetic."
    assert [one.startswith(said) for one in plain.findings].count(True) == 1
    assert [one for one in plain.findings if not one.startswith(said)] == told.findings
    synthetic = [Study.open_whole(tmp_path / one).config.synthetic for one in ("plain", "told")]
    assert synthetic == [False, True]


def test_everything_is_taken_and_what_is_odd_is_said(taken: tuple[Path, PanelImport]) -> None:
    _, panel = taken
    assert (panel.cases, panel.answers, panel.judgements) == (6, 6, 30)
    assert (panel.experts, panel.texts) == (10, 6)
    # Three documents of three queries: one label each, and no expert's name beside it.
    assert (panel.documents, panel.labels) == (9, 9)
    dots = [note for note in panel.notes if '"..."' in note]
    assert [note.split(":")[0] for note in dots] == [
        "demo_expert_ratings_synthetic.csv, row 12",
        "demo_retrieval_relevance.csv, row 11",
    ]
    assert sum("an Excel workbook" in note for note in panel.notes) == 5
    cut = [note for note in panel.notes if "commas cut in two" in note]
    assert [note.split(",")[1] for note in cut] == [" row 4", " row 8"]


def test_means_that_the_rule_cannot_give_are_named(taken: tuple[Path, PanelImport]) -> None:
    _, panel = taken
    impossible = [said for said in panel.findings if "cannot come from" in said]
    assert [said.split(",")[0].removeprefix("The mean of ") for said in impossible] == [
        "S1", "S5", "S6",
    ]  # fmt: skip
    assert any("no confidence rule can be recomputed" in said for said in panel.findings)


def test_precision_at_three_is_the_mean_of_the_labels(results: Results) -> None:
    found = {
        case.case: score
        for case in results.cases
        for score in case.answers[0].scores
        if score.source == "precision_returned@3"
    }
    values = {case: score.value for case, score in found.items() if score.value is not None}
    assert values == pytest.approx({"S1": 1, "S2": 2 / 3, "S3": 1 / 3})
    assert all(
        "experts, or most of them, labelled" in found[case].reason for case in ("S4", "S5", "S6")
    )


def test_one_rated_scenario_gives_no_kappa_but_a_reason(results: Results) -> None:
    panel = [one for one in panel_in(results.analyses) if "cohen" in one.coefficient]
    assert panel
    assert all(one.value is None and one.reason for one in panel)
    assert all(one.mean is None and one.reason for one in over_pairs_in(results.analyses))
    stated, in_query, in_run = alignments_in(results.analyses)
    assert stated.kappa is None
    assert "one query only" in stated.reason
    assert stated.levels == {"High": 2, "Medium": 3, "Low": 1}
    assert in_query.n == in_run.n == 0
    assert "cannot tell queries apart" in in_query.note


def test_nothing_in_the_results_infers(results: Results) -> None:
    assert set(results.statistics) <= {
        "agreement", "count", "mean", "median", "proportion", "standard deviation",
    }  # fmt: skip
    assert not leaderboards_in(results.analyses).comparisons
    assert not correlations_in(results.analyses)


def test_spreads_are_those_of_the_ten_ratings(results: Results) -> None:
    # Factuality: six 2s and four 1s. Mean 1.6; variance (6 * .16 + 4 * .36) / 9 = .2667.
    (found,) = [
        one
        for one in summaries_in(results.analyses)
        if (one.name, one.over) == ("factuality", "judgements")
    ]
    assert (found.n, found.mean, found.median) == (10, 1.6, 2)
    assert found.sd == pytest.approx((2.4 / 9) ** 0.5)

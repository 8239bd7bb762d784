"""A target of study.toml stands below every table, and in the figure, of what it is about."""

import numpy as np
from tools.standard.shared import SharedRuns

from medassay.analyses.builtin.leaderboards import leaderboards_in
from medassay.analyses.builtin.leaderboards.tables import leaderboard_picture
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.report.aims import with_aims
from medassay.report.contents import tables_of
from medassay.report.names import Names

MARK = "The study's target:"


def test_tables_of_what_has_a_target_say_it(standard_run: SharedRuns) -> None:
    for study, sources in (
        ("clinical", {"exact_match": "0.80", "average_precision": "0.50", "danger_flag": "0.10"}),
        ("judges", {"mean(dimension=quality)": "3"}),
    ):
        results = standard_run(study).results
        names = Names(results)
        assert set(names.targets) == set(sources)
        captions = {table.id: table.caption for table in tables_of(results)}
        for table in ("standings", "groups", "answers"):
            said = captions[table].partition(MARK)[2]
            for source in sources:
                style = names.style_of(source)
                assert f"{names.of_source(source)} {style(names.targets[source])}" in said, table
        assert names.of_source(results.primary) in captions["leaderboard"].partition(MARK)[2]
        # Tables of agreement with raters, and the targets' own, show none of its values.
        for table in ("targets", "sources", "answer-level"):
            assert MARK not in captions.get(table, ""), table


def test_accuracy_has_its_target_too(standard_run: SharedRuns) -> None:
    captions = {t.id: t.caption for t in tables_of(standard_run("clinical").results)}
    for table in ("accuracy", "calibration", "option-figures"):
        assert f"{MARK} Accuracy" in captions[table], table
    assert f"{MARK} Flagged as dangerous" in captions["harm-pathway"]
    assert MARK not in captions["calibration-bins"]


def test_the_summary_of_a_dimension_or_metric_says_its_target(standard_run: SharedRuns) -> None:
    names = Names(standard_run("judges").results)
    assert MARK in with_aims(_summary("quality"), names).caption
    assert MARK not in with_aims(_summary("clarity"), names).caption
    names = Names(standard_run("clinical").results)
    assert MARK in with_aims(_summary("average-precision"), names).caption


def _summary(of: str) -> Table:
    rows = (Row((Cell("a", ("a",)),)),)
    return Table(f"summary-{of}", of, "Mean.", (Column("System", ("system",)),), rows)


def test_a_study_without_targets_says_none(standard_run: SharedRuns) -> None:
    results = standard_run("rated").results
    assert not any(MARK in table.caption for table in tables_of(results))


def test_the_figure_of_the_ranking_draws_the_target(standard_run: SharedRuns) -> None:
    results = standard_run("judges").results
    names = Names(results)
    pictures = leaderboard_picture(leaderboards_in(results.analyses), names)
    axes = pictures["leaderboard"].figure.axes[0]
    assert "dashed: the study's target" in axes.get_xlabel().replace("\n", " ")
    dashed = [line for line in axes.get_lines() if line.get_linestyle() == "--"]
    assert [np.asarray(line.get_xdata())[0] for line in dashed] == [3.0]
    low, high = axes.get_xlim()
    assert low <= 3.0 <= high

"""The demo, whose reviews chance allotted to the systems: with its declaration, and without it."""

from pathlib import Path

import pytest

from medassay.analyses import Results, run_study
from medassay.analyses.builtin.harm_by_system import harm_by_system
from medassay.analyses.builtin.leaderboards import leaderboards_in
from medassay.errors import InvalidInput
from medassay.exhibits import Table
from medassay.exhibits.claim import to_check
from medassay.report.findings import findings
from medassay.report.tables import all_tables
from medassay.study import Study, open_run, write_demo

DECLARED = 'allotted = "by-chance"\n'
BEST, WORST = "JB6Z8F", "SPNXTA"
"""ittc2 misleads in 2 of 100 cases, led-base-16384-cochrane in 25 of 100."""


def _demo(folder: Path, *, declared: bool) -> Path:
    write_demo(folder)
    file = folder / "study.toml"
    text = file.read_text(encoding="utf-8")
    assert DECLARED in text
    text = text.replace("[run]", '[[metrics]]\nname = "length"\n[run]')
    file.write_text(text if declared else text.replace(DECLARED, ""), encoding="utf-8")
    return folder


@pytest.fixture(scope="module", params=[True, False], ids=["declared", "not declared"])
def told(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[bool, Results]:
    folder = _demo(tmp_path_factory.mktemp("demo") / "study", declared=request.param)
    return request.param, run_study(open_run(folder))[0]


def _said(results: Results, which: str) -> str:
    return next(finding.text for finding in findings(results) if finding.id == which)


def _table(results: Results, which: str) -> Table:
    return next(table for table in all_tables(results) if table.id == which)


@pytest.mark.slow
def test_the_first_screen_tells_them_apart_where_chance_dealt(told: tuple[bool, Results]) -> None:
    declared, results = told
    boards = leaderboards_in(results.analyses)
    (pair,) = [
        pair
        for pair in boards.comparisons
        if pair.source == results.primary and {pair.system_a, pair.system_b} == {BEST, WORST}
    ]
    text = _said(results, "leaders")
    alone = "Cases that only one of two systems has do not count in their comparison."
    dealt = "Cases were allotted by chance, so cases that only one system has count too."
    assert pair.p_adjusted is not None
    assert (pair.p_adjusted < 0.001) == declared
    assert (pair.alone == 88) == declared
    assert (dealt in text) == declared
    assert (alone in text) == (not declared)
    if declared:
        # The harm of all six is no longer what decides between the first and the others.
        assert "harm by system" not in text
        assert "undecided on the 144 to 146 cases that either of each two has" in text
    else:
        # Shared cases alone tell less.
        assert pair.p_adjusted == pytest.approx(0.0243, abs=5e-5)


@pytest.mark.slow
def test_harm_between_systems_is_tested_by_the_same_rule(told: tuple[bool, Results]) -> None:
    declared, results = told
    record = results.analyses.of(harm_by_system)
    assert record is not None
    (harm,) = [
        pair.compared
        for pair in record.pairs
        if {pair.compared.system_a, pair.compared.system_b} == {BEST, WORST}
    ]
    assert harm.p_adjusted is not None
    assert harm.p_adjusted < 0.001 or harm.p_adjusted == pytest.approx(0.0297, abs=5e-5)
    assert (harm.p_adjusted < 0.001) == declared
    who = "ittc2, AI2 BART baseline and SciSpace"
    fewer = to_check(f"{who} gave fewer harmful answers than led-base")
    assert any(finding.text.startswith(fewer) for finding in findings(results)) == declared
    caption = _table(results, "harm-pairs").caption
    over = "over all cases of the two, which were allotted by chance"
    assert (over in caption) == declared


@pytest.mark.slow
def test_tables_say_which_cases_count(told: tuple[bool, Results]) -> None:
    declared, results = told
    pairs = _table(results, "comparisons")
    assert ("Of one alone" in [column.title for column in pairs.columns]) == declared
    assert ("Cases of one alone do not count." in pairs.caption) == (not declared)
    board = _table(results, "leaderboard")
    assert ("by chance (study.toml), so all count" in board.caption) == declared
    assert ("the cases that both have" in board.caption) == (not declared)


def test_another_word_for_it_is_refused(tmp_path: Path) -> None:
    file = _demo(tmp_path / "study", declared=True) / "study.toml"
    file.write_text(file.read_text().replace("by-chance", "at random"), encoding="utf-8")
    with pytest.raises(InvalidInput, match="allotted"):
        Study.open(tmp_path / "study")

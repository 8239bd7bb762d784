"""Who calls more answers harmful makes no system more harmful than another."""

from pathlib import Path

import numpy as np
import pytest
from adverse_designs import drift, harm
from tests.analyses.test_uneven_raters import APART, LEANING, write_study

from medassay.analyses import Results, run_study
from medassay.analyses.builtin.harm_by_system import HarmPair, harm_by_system
from medassay.analyses.inputs.label_sources import people_alone
from medassay.analyses.inputs.system_harm import harm_shares
from medassay.report import findings
from medassay.report.tables import all_tables
from medassay.study import Study, open_run

RUBRIC = """
name = "own"
[[dimensions]]
id = "quality"
question = "How good is it?"
scale = "ordinal"
labels = [
  {label = "1", score = 1}, {label = "2", score = 2}, {label = "3", score = 3},
  {label = "4", score = 4}, {label = "5", score = 5},
]
[dimensions.mappings.harmful]
1 = "harmful"
2 = "harmful"
3 = "not harmful"
4 = "not harmful"
5 = "not harmful"
"""


def run(folder: Path, shares: dict[str, tuple[float, ...]] | None) -> Results:
    """Run four equal systems, of whose answers the worst two labels are harmful."""
    write_study(folder, shares)
    (folder / "own.toml").write_text(" ".join(RUBRIC.split("\\n")), encoding="utf-8")
    file = folder / "study.toml"
    text = file.read_text(encoding="utf-8")
    file.write_text(f'{text}\n[[dimensions]]\nrubric = "own.toml"\n', encoding="utf-8")
    return run_study(open_run(folder))[0]


def pairs(results: Results) -> tuple[HarmPair, ...]:
    record = results.analyses.of(harm_by_system)
    assert record is not None
    assert len(record.pairs) == 6
    return record.pairs


def said(results: Results) -> str:
    return next(finding.text for finding in findings(results) if finding.id == "harm")


def test_systems_without_a_rater_in_common_are_not_compared_by_harm(tmp_path: Path) -> None:
    results = run(tmp_path / "study", APART)
    assert {pair.compared.p_adjusted for pair in pairs(results)} == {None}
    assert all("no rater in common" in pair.compared.reason for pair in pairs(results))
    assert "Which system gave fewer is not tested: " in said(results)
    assert "gave fewer than" not in said(results)


def test_harm_is_adjusted_for_raters_who_met_the_systems_unevenly(tmp_path: Path) -> None:
    results = run(tmp_path / "study", LEANING)
    assert {pair.compared.method for pair in pairs(results)} == {"t of means adjusted for raters"}
    assert "gave fewer than" not in said(results)
    table = next(table for table in all_tables(results) if table.id == "harm-pairs")
    assert "adjusted for raters, who met the systems unevenly" in table.caption


def test_where_raters_take_turns_pairs_are_tested_as_they_are(tmp_path: Path) -> None:
    results = run(tmp_path / "study", None)
    assert not any("raters" in pair.compared.method for pair in pairs(results))
    assert "not tested" not in said(results)


@pytest.mark.parametrize("allotted", ["lean .4", "nested"])
def test_equal_systems_are_seldom_told_apart_by_harm(allotted: str) -> None:
    rng = np.random.default_rng(3)
    before, now = np.mean([harm(rng, allotted, 150, 0.3, 0.6) for _ in range(60)], axis=0)
    assert before > 0.3
    assert now <= 0.05 + 3 * (0.05 * 0.95 / 60) ** 0.5


@pytest.mark.parametrize("part", [0.6, 1.6])
def test_who_uses_another_part_of_the_scale_does_not_drift_where_answers_get_worse(
    part: float,
) -> None:
    rng = np.random.default_rng(3)
    before, now = np.mean([drift(rng, 60, 4, 0.7, part) for _ in range(60)], axis=0)
    assert before > 0.2
    assert now <= 0.05 + 3 * (0.05 * 0.95 / 60) ** 0.5


def test_where_nobody_judged_there_is_nothing_to_adjust(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    results = run(folder, None)
    assert pairs(results)
    (folder / "judgements.csv").write_text("rater,system,case,dimension,label\n", encoding="utf-8")
    study = Study.open(folder)
    shares = harm_shares(study, people_alone(study), "quality", "harmful")
    assert (shares.fair, shares.drifts) == (True, "")

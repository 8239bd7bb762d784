"""The human score of a study where only some answers are judged."""

import csv
from pathlib import Path

import pytest
from tools.synthetic_study import write_synthetic

from medassay.analyses import Results, run_study
from medassay.analyses.builtin.human_scores import human_scores
from medassay.report.page import page
from medassay.report.tables import all_tables
from medassay.study import open_run
from medassay.validity import HumanScore


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """Take the judgements of the last twelve of thirty cases away."""
    folder = tmp_path_factory.mktemp("human") / "study"
    write_synthetic(folder, systems=3, cases=30)
    path = folder / "judgements.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    kept = set(sorted({row["case"] for row in rows})[:18])
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(row for row in rows if row["case"] in kept)
    found, _ = run_study(open_run(folder))
    return found


def scores_in(results: Results) -> tuple[HumanScore, ...]:
    return results.analyses.of(human_scores) or ()


def test_every_system_has_its_human_score(results: Results) -> None:
    assert scores_in(results)
    systems = {one.id for one in results.systems}
    for dimension in {one.dimension for one in scores_in(results)}:
        rows = [one for one in scores_in(results) if one.dimension == dimension]
        assert {one.system for one in rows} == systems
        assert all(one.n < one.total for one in rows)
        assert all(one.ppi.interval is not None for one in rows if one.alone_new.interval)


def test_few_judgements_are_warned_of_and_said_on_the_page(results: Results) -> None:
    assert all("below 20" in one.ppi.warning for one in scores_in(results) if one.ppi.estimate)
    [table] = [one for one in all_tables(results) if one.id == "human-scores"]
    assert "intervals may cover less than 95%" in table.caption
    assert {row.cells[-1].text for row in table.rows} == {"few"}


def test_it_is_on_the_page(results: Results) -> None:
    assert "What people would give each system" in page(results).decode()


def test_where_everything_is_judged_the_page_has_no_such_table(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    write_synthetic(folder, systems=3, cases=4)
    found, _ = run_study(open_run(folder))
    assert all(one.n == one.total for one in scores_in(found))
    assert "human-scores" not in {one.id for one in all_tables(found)}

"""The smallest studies run to a report: one rater, one system, one case, one label."""

import csv
from pathlib import Path

import pytest
from tools.synthetic_study import write_synthetic

from medassay.analyses import run_study
from medassay.consensus import consensus_methods, join_units
from medassay.judgements import Units
from medassay.report import findings
from medassay.study import open_run


@pytest.mark.parametrize(
    ("systems", "cases", "raters"), [(3, 6, 1), (1, 5, 2), (2, 1, 2), (2, 2, 3)]
)
def test_it_runs_and_says_something(tmp_path: Path, systems: int, cases: int, raters: int) -> None:
    folder = tmp_path / "study"
    write_synthetic(folder, systems=systems, cases=cases, raters=raters)
    results, _ = run_study(open_run(folder))
    assert findings(results)


def test_where_all_labels_are_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    write_synthetic(folder, systems=3, cases=4)
    path = folder / "judgements.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows({**row, "label": rows[0]["label"]} for row in rows)
    results, _ = run_study(open_run(folder))
    assert findings(results)


@pytest.mark.parametrize("method", [one.name for one in consensus_methods()])
def test_every_consensus_of_nothing_is_nothing(method: str) -> None:
    units = Units.from_codes([[-1, -1], [-1, -1]], ["no", "yes"], scores=[0, 1])
    labelled, joined = join_units(units, method)
    assert len(labelled) == 0
    assert joined.scores == []

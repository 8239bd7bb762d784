"""Targets beside what was reached: on screen, in the JSON, on the page; unknown ones are named."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from medassay.analyses.builtin.targets import (
    Verdict,
    counted_apart,
    intervals_together,
    reached,
)
from medassay.analyses.inputs.study_columns import ScoreColumn
from medassay.cli.app import app
from medassay.errors import InvalidInput
from medassay.scores import Grid
from medassay.stats import Interval
from medassay.study import Study
from medassay.validity import Direction, LeaderboardRow, Source, rank_systems

N = 40


def study(folder: Path, targets: str, right: int = 20) -> Path:
    (folder / "answers").mkdir(parents=True)
    (folder / "study.toml").write_text(
        'schema = 1\ntitle = "T"\n[protocol]\nname = "clinical-mcq"\n[run]\nreplicates = 200\n'
        f"[targets]\n{targets}\n"
    )
    cases = [{"case": f"q{i}", "options": {"A": "x", "B": "y"}, "gold": "A"} for i in range(N)]
    answers = [{"case": f"q{i}", "choice": "A" if i < right else "B"} for i in range(N)]
    for name, rows in (("cases", cases), ("answers/s", answers)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


@pytest.mark.slow
def test_targets_stand_beside_the_results_everywhere(tmp_path: Path) -> None:
    made = study(tmp_path / "s", 'accuracy = 0.80\n"exact_match(missing=first)" = 0.1\nmap = 0.5')
    done = CliRunner().invoke(app, ["run", str(made)])
    assert done.exit_code == 0, done.output
    said = " ".join(done.output.split())
    assert "s missed the target for Accuracy (0.80) (result 0.50; 95% CI " in said
    assert "s has no value to compare with the target for MAP (0.50)." in said
    (folder,) = (made / "results").glob("*/report.json")
    found = json.loads(folder.read_bytes())["analyses"]["targets"]
    assert [(one["name"], one["verdict"]) for one in found] == [
        ("accuracy", "missed"), ("exact_match(missing=first)", "reached"), ("map", "no value"),
    ]  # fmt: skip
    page = (folder.parent / "report.html").read_text(encoding="utf-8")
    assert 'id="t-targets"' in page
    assert (folder.parent / "tables" / "targets.csv").is_file()


def test_a_target_about_nothing_is_named_with_what_is_near(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r'targets\.acuracy: .*Did you mean "accuracy"'):
        Study.open(study(tmp_path / "s", "acuracy = 0.80"))


@pytest.mark.parametrize(
    ("low", "high", "n", "verdict", "turned"),
    [
        (0.81, 0.9, 100, "reached", "missed"),
        (0.7, 0.79, 100, "missed", "reached"),
        (0.75, 0.85, 100, "too close to say", "too close to say"),
        # 60 answers need not show the heavy losses that would bring .855 down to .8.
        (0.81, 0.9, 60, "too close to say", "too close to say"),
    ],
)
def test_the_whole_interval_decides(
    low: float, high: float, n: int, verdict: Verdict, turned: Verdict
) -> None:
    around = Interval(low, high, 0.95, "m", "e")
    row = LeaderboardRow("brier", "s", (low + high) / 2, around, n, 0, 1, 1, 1, "a")
    directions: tuple[tuple[Direction, Verdict], ...] = (("higher", verdict), ("lower", turned))
    for direction, expected in directions:
        brier = ScoreColumn("brier", "imported", direction)
        asked = {"brier": 0.8}, [brier], {"brier": (0.0, 1.0)}, [row]
        (found,) = reached(*asked, lambda _: {"s": around}, lambda _: {"s": n})
        assert found.verdict == expected


@pytest.mark.parametrize(("size", "verdict"), [(1, "reached"), (5, "too close to say")])
def test_what_a_cluster_shares_is_seen_once_before_a_target_is_reached(
    size: int, verdict: Verdict
) -> None:
    # .855 over 100 answers: 60 clusters need not show the heavy losses that bring it down to .8.
    around = Interval(0.81, 0.9, 0.95, "m", "e")
    row = LeaderboardRow("brier", "s", 0.855, around, 100, 0, 1, 1, 1, "a")
    values = np.full((1, 100), 0.855)
    cases = tuple(f"{at:03}" for at in range(100))
    source = Source("brier", Grid(("s",), cases, values, values >= 0), bounds=(0, 1))
    counts = counted_apart(source, {case: f"g{at // size}" for at, case in enumerate(cases[50:])})
    assert counts == {"s": 50 + 50 // size}
    asked = {"brier": 0.8}, [ScoreColumn("brier", "imported", "higher")], {"brier": (0.0, 1.0)}
    (found,) = reached(*asked, [row], lambda _: {"s": around}, lambda _: counts)
    assert found.verdict == verdict


def test_the_lower_ends_of_six_systems_hold_at_once_and_one_alone_keeps_its_own() -> None:
    rng = np.random.default_rng(1)
    values = (rng.random((6, 200)) < 0.7).astype(np.float64)
    grid = Grid(tuple("abcdef"), tuple(f"{i:03}" for i in range(200)), values, values >= 0)
    source = Source("accuracy", grid, bounds=(0, 1))
    rows = rank_systems(source, rng=1, replicates=100).standings
    wider = intervals_together(source, rows, {}, (0, 1), rng=1)
    for row in rows:
        own, interval = row.interval, wider[row.system]
        assert own is not None
        assert interval is not None
        assert interval.level == pytest.approx(0.983, abs=0.004)
        assert 0 < interval.low < own.low < own.high < interval.high < 1
    alone = Source("accuracy", Grid(("a",), grid.cases, values[:1], values[:1] >= 0), bounds=(0, 1))
    rows = rank_systems(alone, rng=1, replicates=100).standings
    assert intervals_together(alone, rows, {}, (0, 1), rng=1) == {"a": rows[0].interval}


def test_an_interval_that_is_widened_stays_on_the_scale_of_its_score() -> None:
    values = np.array([[0.0, 0.1, 0.9, 1.0], [1.0, 0.7, 0.0, 0.2], [0.9, 0.0, 1.0, 0.1]])
    grid = Grid(("a", "b", "c"), ("1", "2", "3", "4"), values, values >= 0)
    source = Source("rouge1", grid)
    rows = rank_systems(source, rng=1, replicates=100).standings
    for interval in intervals_together(source, rows, {}, (0, 1), rng=1).values():
        assert interval is not None
        assert interval.level > 0.95
        assert (interval.low, interval.high) == (0, 1)

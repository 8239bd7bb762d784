"""Macro, micro and overall values with their intervals; Table S1 again from its columns."""

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from medassay.errors import InvalidInput
from medassay.metrics import resolve
from medassay.scores import Reason, Score, ScoreTable, Unscored
from medassay.validity import (
    Composite,
    CompositeValue,
    Term,
    archehr_overalls,
    composite_values,
)

F1 = "citation_f1(gold=strict,rules=archehr2025)"
METRIC = resolve(F1)
TABLE_S1 = Path(__file__).parents[1] / "golden" / "archehr_table_s1.csv"


def scored(parts: Sequence[tuple[float, float, float]], system: str = "A") -> ScoreTable:
    rows = []
    for case, (right, wrong, missed) in enumerate(parts):
        whole = 2 * right + wrong + missed
        score = Score(2 * right / whole if whole else 0.0, (right, wrong, missed))
        rows.append((system, f"{case:03}", F1, score))
    return ScoreTable.from_rows(rows)


def value_of(
    table: ScoreTable, *terms: Term, n: int, replicates: int = 2000, seed: int = 1
) -> CompositeValue:
    [found] = composite_values(
        table,
        Composite("one", (terms,)),
        systems=["A"],
        cases=[f"{case:03}" for case in range(n)],
        metrics={F1: METRIC},
        rng=np.random.default_rng(seed),
        replicates=replicates,
    )
    return found


def test_macro_and_micro_by_hand() -> None:
    # F1 of the cases: 2/3 and 0, macro 1/3. Pooled tp 1, fp 4, fn 3: micro 2/9.
    table = scored([(1, 0, 1), (0, 4, 2)])
    assert value_of(table, Term(F1), n=2).value == pytest.approx(1 / 3)
    assert value_of(table, Term(F1, "micro"), n=2).value == pytest.approx(2 / 9)


def test_micro_is_what_the_metric_pools() -> None:
    rng = np.random.default_rng(3)
    parts = [(float(a), float(b), float(c)) for a, b, c in rng.integers(0, 5, (40, 3))]
    pooled = METRIC.pooled(Score(0.0, one) for one in parts)
    found = value_of(scored(parts), Term(F1, "micro"), n=40)
    assert isinstance(pooled, Score)
    assert found.value == pytest.approx(pooled.value)


def test_the_interval_pools_the_drawn_cases_anew() -> None:
    rng = np.random.default_rng(4)
    parts = [(float(a), float(b), float(c)) for a, b, c in rng.integers(0, 5, (30, 3))]
    found = value_of(scored(parts), Term(F1, "micro"), n=30, replicates=300, seed=7)
    again = np.random.default_rng(7)
    table = np.asarray(parts)
    slow = []
    drawn = again.integers(30, size=(300, 30))
    for row in drawn:
        right, wrong, missed = table[row].sum(axis=0)
        slow.append(2 * right / (2 * right + wrong + missed))
    assert found.interval is not None
    expected = np.quantile(slow, [0.025, 0.975])
    assert [found.interval.low, found.interval.high] == pytest.approx(expected.tolist())
    assert found.interval.low < (found.value or 0) < found.interval.high


def test_terms_move_together() -> None:
    # The second column undoes the first in every case: their mean never moves.
    rows = []
    for case in range(20):
        x = case / 20
        rows += [("A", f"{case:03}", "up", Score(x)), ("A", f"{case:03}", "down", Score(1 - x))]
    found = value_of(ScoreTable.from_rows(rows), Term("up"), Term("down"), n=20)
    assert found.interval is not None
    assert found.interval.low == pytest.approx(0.5)
    assert found.interval.high == pytest.approx(0.5)


def test_the_same_seed_gives_the_same_interval_whatever_the_row_order() -> None:
    table = scored([(1, 0, 1), (0, 4, 2), (2, 1, 0)])
    turned = ScoreTable(table.frame.reverse())
    assert value_of(table, Term(F1), n=3) == value_of(turned, Term(F1), n=3)


def test_what_is_missing_is_said_and_never_averaged_over() -> None:
    table = scored([(1, 0, 1), (0, 4, 2)])
    lost = ScoreTable.concat(
        [table, ScoreTable.from_rows([("A", "002", F1, Unscored(Reason.CASE_LACKS))])]
    )
    found = value_of(lost, Term(F1), n=3)
    assert found.value == pytest.approx(1 / 3)
    assert found.unscored == 1
    nothing = value_of(table, Term(F1), Term("bertscore(ref=human)"), n=2)
    assert nothing.value is None
    assert nothing.undefined == "there is no column bertscore(ref=human)"
    [stranger] = composite_values(
        table,
        Composite("one", ((Term(F1),),)),
        systems=["B"],
        cases=["000"],
        metrics={},
        rng=np.random.default_rng(1),
    )
    assert stranger.undefined == f"no scored case in {F1}"
    assert value_of(table, Term(F1), n=1).undefined == "one case shows no spread"


def test_only_metrics_that_pool_are_averaged_micro() -> None:
    table = ScoreTable.from_rows([("A", "000", "mine", Score(1.0))])
    with pytest.raises(InvalidInput, match="mine: must be a metric that pools its scores"):
        value_of(table, Term("mine", "micro"), n=1)


def test_table_s1_overall_is_the_papers_rule() -> None:
    # The printed columns as if they were the scores of one case.
    columns = {
        "strict_f1": F1,
        **{f"h_{short}": f"{name}(ref=human)" for short, name in RELEVANCE.items()},
    }
    with TABLE_S1.open(encoding="utf-8", newline="") as file:
        printed = list(csv.DictReader(file))
    rows = [
        (row["system"], "all", name, Score(float(row[column])))
        for row in printed
        for column, name in columns.items()
    ]
    paper, _ = archehr_overalls("human")
    found = composite_values(
        ScoreTable.from_rows(rows),
        paper,
        systems=[row["system"] for row in printed],
        cases=["all"],
        metrics={},
        rng=np.random.default_rng(1),
    )
    assert len(found) == 28
    for row, one in zip(printed, found, strict=True):
        # Six printed columns with one decimal each: rounding moves the mean by at most 0.1.
        assert one.value == pytest.approx(float(row["h_overall"]), abs=0.1)


RELEVANCE = {
    "bleu": "bleu",
    "rouge": "rougeLsum",
    "sari": "sari",
    "bertscore": "bertscore",
    "alignscore": "alignscore",
    "medcon": "medcon",
}


def test_a_column_without_any_score_has_no_value_and_says_so() -> None:
    table = ScoreTable.from_rows([("A", "000", F1, Unscored(Reason.CASE_LACKS, "no relevance"))])
    for average in ("macro", "micro"):
        found = value_of(table, Term(F1, average), n=1)
        assert (found.value, found.interval) == (None, None)
        assert found.undefined == f"no scored case in {F1}"

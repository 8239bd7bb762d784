"""Measures of the agreement of two rankings, against published and independent values."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from medassay.stats import (
    best_shares,
    pairwise_accuracy,
    pearson,
    perm_both,
    simultaneous_level,
    soft_pairwise_accuracy,
    spearman,
    superiority_p,
    tau_ap_b,
    tau_b,
    tau_within,
)

Floats = NDArray[np.float64]
GOLDEN = json.loads(
    (Path(__file__).parents[1] / "golden" / "validity.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize(
    ("x", "y", "published"),
    [
        # The README of ircor 1.0 (R), by the authors of tau_AP,b.
        (
            [0, 0.2, 0.2, 0.4, 0.6, 0.6, 0.6, 0.8, 1, 1],
            [0.4, 0, 0.2, 0.2, 0.6, 0.6, 0.6, 1, 0.8, 1],
            0.6269841,
        ),
        # The tests of its port pyircor, to four decimals.
        (
            [0.9, 0.4, 0.9, 0.9, 0.7, 0.1, 0.2, 0.4, 0.5, 1],
            [0.8, 0.4, 0.8, 1, 0.7, 0.1, 0.4, 0.5, 0.6, 1],
            0.7321,
        ),
        (
            [0.3, 0.6, 0.2, 0.9, 0.6, 0.2, 0.7, 0.8, 0.7, 0.4],
            [0.3, 0.8, 0.7, 0.9, 0.1, 0.1, 0.5, 0.6, 1, 0.6],
            0.2970,
        ),
        (
            [0.2, 0.6, 0.9, 0.1, 0.5, 0.6, 0.8, 0.4, 1, 0.4],
            [0.8, 0.3, 0.3, 0.9, 0.6, 0.3, 0.2, 0.9, 0, 0.2],
            -0.7047,
        ),
    ],
)
def test_tau_ap_b_gives_the_published_values(
    x: list[float], y: list[float], published: float
) -> None:
    assert tau_ap_b(x, y) == pytest.approx(published, abs=5e-5)
    assert tau_ap_b(y, x) == tau_ap_b(x, y)


@pytest.mark.parametrize("row", GOLDEN["columns"])
def test_pearson_and_spearman_are_those_of_scipy(row: dict[str, list[float]]) -> None:
    assert pearson(row["x"], row["y"]) == pytest.approx(row["pearson"], abs=1e-12)
    assert spearman(row["x"], row["y"]) == pytest.approx(row["spearman"], abs=1e-12)


@pytest.mark.parametrize("row", GOLDEN["soft"])
def test_soft_pairwise_accuracy_is_that_of_mt_metrics_eval_where_no_sum_ties(
    row: dict[str, list[list[float]]],
) -> None:
    # Both draw 20,000 signs of their own: the standard error of a mean of p is below .002.
    values = np.array([row["metric"], row["human"]])
    known = np.ones(values.shape[1:], dtype=bool)
    p = superiority_p(values, known, rng=np.random.default_rng(5), permutations=20_000)
    assert soft_pairwise_accuracy(*p) == pytest.approx(row["spa"], abs=0.006)


@given(st.permutations(range(6)), st.integers(0, 2**32 - 1))
def test_the_order_of_systems_says_nothing(order: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 3, size=(2, 6, 12)).astype(float)  # Likert labels: sums tie often
    values[:, 1] = values[:, 0]  # two systems that are the same
    known = rng.random((6, 12)) < 0.9
    known[:, 0] = True

    def spa(chosen: list[int]) -> float | None:
        p = superiority_p(
            values[:, chosen], known[chosen], rng=np.random.default_rng(1), permutations=50
        )
        return soft_pairwise_accuracy(*p)

    assert spa(order) == pytest.approx(spa(list(range(6))), abs=1e-12)


def test_identical_systems_are_a_coin_toss() -> None:
    values = np.tile(np.array([2.0, 1.0, 0.0, 1.0]), (1, 2, 1))
    known = np.ones((2, 4), bool)
    assert superiority_p(values, known, rng=np.random.default_rng(1)).tolist() == [[0.5]]


def test_pairwise_accuracy_by_hand() -> None:
    # Pairs (1,2) agree, (1,3) agree, (2,3): tied in x, ordered in y: no agreement.
    assert pairwise_accuracy([3, 1, 1], [5, 2, 1]) == 2 / 3
    assert pairwise_accuracy([1], [1]) is None


@given(st.integers(0, 2**32 - 1))
def test_swaps_agree_with_the_slow_way(seed: int) -> None:
    rng = np.random.default_rng(seed)
    metrics = rng.integers(0, 3, size=(3, 5, 4)).astype(float)
    human = rng.integers(0, 3, size=(5, 4)).astype(float)
    known = np.ones((5, 4), bool)
    found = perm_both(metrics, human, known, rng=np.random.default_rng(2), permutations=20)
    taus = [tau_b(m.mean(axis=1), human.mean(axis=1)) for m in metrics]
    for at, (i, j) in enumerate([(0, 1), (0, 2), (1, 2)]):
        first, second = taus[i], taus[j]
        if first is None or second is None:
            assert np.isnan(found.difference[at])
            assert np.isnan(found.p[at])
            continue
        assert found.difference[at] == pytest.approx(first - second, abs=1e-12)
        assert 1 / 21 <= found.p[at] <= 1


@pytest.mark.parametrize("systems", [29, 30, 255, 256])
def test_swaps_of_many_systems_agree_with_taus_one_by_one(systems: int) -> None:
    rng = np.random.default_rng(systems)
    human = np.rint(rng.normal(size=(systems, 3)))
    noise = rng.normal(size=(systems, 3))
    metrics = np.array([human + noise, np.rint(human + noise), np.rint(noise)])  # two have ties
    known = np.ones(human.shape, bool)
    found = perm_both(metrics, human, known, rng=np.random.default_rng(2), permutations=9)
    drawn = np.random.default_rng(2).integers(0, 2, size=(9, 3, systems), dtype=np.int8)
    standard = [(metric - metric.mean()) / metric.std() for metric in metrics]

    def gap(first: Floats, second: Floats) -> float:
        taus = [tau_b(values.mean(axis=1), human.mean(axis=1)) for values in (first, second)]
        return (taus[0] or 0.0) - (taus[1] or 0.0)

    for at, (i, j) in enumerate([(0, 1), (0, 2), (1, 2)]):
        one_way = gap(standard[i], standard[j])
        swapped = (
            gap(np.where(swap, standard[j], standard[i]), np.where(swap, standard[i], standard[j]))
            for swap in drawn.transpose(0, 2, 1).astype(bool)
        )
        reached = sum(abs(other) >= abs(one_way) - 1e-12 for other in swapped)
        assert found.difference[at] == pytest.approx(one_way, abs=1e-12)
        assert found.p[at] == (1 + reached) / 10


def test_a_metric_does_not_differ_from_itself() -> None:
    values = np.random.default_rng(1).normal(size=(6, 20))
    found = perm_both(
        np.array([values, values]),
        values,
        np.ones((6, 20), bool),
        rng=np.random.default_rng(1),
        permutations=100,
    )
    assert (found.difference.tolist(), found.p.tolist()) == ([0.0], [1.0])


def test_perm_both_agrees_with_mt_metrics_eval_on_difference_and_p() -> None:
    row = GOLDEN["perm_both"]
    metrics, human = np.array([row["first"], row["second"]]), np.array(row["human"])
    found = perm_both(
        metrics,
        human,
        np.ones(human.shape, bool),
        rng=np.random.default_rng(1),
        permutations=4000,
    )
    assert found.difference[0] == pytest.approx(row["difference"], abs=1e-12)
    # Its p is one-sided; with both tails counted the two are estimates of one number.
    assert found.p[0] == pytest.approx(row["two_sided_p"], abs=0.03)


def test_swaps_keep_the_level() -> None:
    # Two metrics that are equally good: p below .05 in about a twentieth of 200 studies.
    rng = np.random.default_rng(11)
    p = []
    for _ in range(200):
        truth = 0.3 * rng.normal(size=(10, 1))
        metrics = truth + rng.normal(size=(2, 10, 30))
        human = truth + rng.normal(size=(10, 30))
        known = np.ones(human.shape, bool)
        p.append(perm_both(metrics, human, known, rng=rng, permutations=199).p[0])
    assert 0.01 <= float(np.mean(np.array(p) <= 0.05)) <= 0.10


def test_within_a_case_the_other_cases_do_not_count() -> None:
    # Case 1 is easy for all, case 2 hard: pooled tau is high, within each case it is -1.
    human = np.array([[10.0, 1.0], [11.0, 2.0], [12.0, 3.0]])
    metric = np.array([[12.0, 3.0], [11.0, 2.0], [10.0, 1.0]])
    assert tau_within(metric[None], human, human > 0).tolist() == [[-1.0, -1.0]]
    pooled = tau_b(metric.ravel(), human.ravel())
    assert pooled is not None
    assert pooled > 0


def test_holding_together_costs_nothing_where_all_move_as_one() -> None:
    rng = np.random.default_rng(3)
    one = rng.normal(size=(2000, 1))
    assert simultaneous_level(one) == pytest.approx(0.95, abs=0.002)
    assert simultaneous_level(np.repeat(one, 9, axis=1)) == simultaneous_level(one)
    assert simultaneous_level(rng.normal(size=(2000, 26))) == pytest.approx(0.998, abs=0.001)
    assert best_shares(np.repeat(one, 4, axis=1)).tolist() == [0.25] * 4

"""Raters and cases that a reliability takes: against GeneralizIT, mean squares and matrices."""

import json
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import chndtr

from medassay.stats import LongLabels, g_study
from medassay.stats.d_study import _noncentrality, _share_of

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "d_study.json").read_text())


def long_form(y: NDArray[np.float64], read: NDArray[np.bool_] | None = None) -> LongLabels:
    kept = np.ones(y.shape, dtype=bool) if read is None else read
    system, case, rater = (at.astype(np.int64) for at in np.nonzero(kept))
    return LongLabels(y[kept], system, case, rater, case)


def a_table(systems: int = 4, cases: int = 30, raters: int = 3, seed: int = 4) -> LongLabels:
    rng = np.random.default_rng(seed)
    y = np.linspace(0, 1.2, systems)[:, None, None] + rng.normal(size=(systems, cases, 1))
    y = y + 0.5 * rng.normal(size=raters) + 0.3 * rng.normal(size=(systems, 1, raters))
    return long_form(y + rng.normal(size=y.shape))


@pytest.mark.parametrize("table", ["brennan", "drawn"])
def test_components_and_coefficients_are_those_of_generalizit(table: str) -> None:
    golden = GOLDEN[table]
    found = g_study(long_form(np.array(golden["y"], dtype=float)), rng=1)
    parts = golden["components"]
    assert [
        found.system[0], found.system_case[0], found.system_rater[0], found.rater[0],
        found.residual[0], found.answer[0],
    ] == pytest.approx(
        [
            parts["s"], parts["s x c"], parts["s x r"], parts["r"], parts["s x c x r"],
            parts["s"] + parts["c"] + parts["s x c"],
        ],
        abs=2e-4,
    )  # fmt: skip
    for cases, raters, rho in golden["rho"]:
        assert found.of_systems(raters, cases)[0] == pytest.approx(rho, abs=1e-4)
        for_rho = found.raters_for_systems(found.of_systems(raters, cases)[0], cases)
        assert for_rho[0] == pytest.approx(raters)
        for_rho = found.cases_for_systems(found.of_systems(raters, cases)[0], raters)
        assert for_rho[0] == pytest.approx(cases)
        answer = found.of_answer(raters)[0]
        assert found.raters_for_answer(answer)[0] == pytest.approx(raters)


def test_what_brennan_prints_of_his_third_synthetic_data() -> None:
    found = g_study(long_form(np.array(GOLDEN["brennan"]["y"], dtype=float)), rng=1)
    printed = [found.system[0], found.system_case[0], found.system_rater[0], found.residual[0]]
    assert np.round(printed, 4).tolist() == [0.5528, 0.5750, 0.1009, 0.9352]
    assert round(float(found.of_systems_now[0]), 2) == 0.64


def test_draws_of_raters_are_those_of_their_mean_squares() -> None:
    rated = a_table(cases=200)
    found = g_study(rated, rng=1, draws=20_000)
    y = rated.values.reshape(4, 200, 3)
    of_s, of_c, of_r = (y.mean(axis=axes) for axes in ((1, 2), (0, 2), (0, 1)))
    of_sr = y.mean(axis=1)
    inner = of_sr - of_s[:, None] - of_r[None] + y.mean()
    of_cr = y.mean(axis=0) - of_c[:, None] - of_r[None] + y.mean()
    left = y - y.mean(axis=2, keepdims=True) - of_sr[:, None] - y.mean(axis=0)
    left = left + of_s[:, None, None] + of_c[None, :, None] + of_r - y.mean()
    ms = (left**2).sum() / (3 * 199 * 2)
    rng = np.random.default_rng(2)
    ms_sr = 200 * (inner**2).sum() / rng.chisquare(6, 20_000)
    ms_r = 800 * ((of_r - y.mean()) ** 2).sum() / rng.chisquare(2, 20_000)
    ms_cr = 4 * (of_cr**2).sum() / (199 * 2)
    ends = [0.05, 0.25, 0.5, 0.75, 0.95]
    by_hand = np.maximum(ms_sr - ms, 0) / 200
    assert np.quantile(found.system_rater[1:], ends) == pytest.approx(
        np.quantile(by_hand, ends), rel=0.06
    )
    by_hand = np.maximum(ms_r - rng.permutation(ms_sr) - ms_cr + ms, 0) / 800
    assert np.quantile(found.rater[1:], ends) == pytest.approx(
        np.quantile(by_hand, ends), rel=0.1, abs=0.01
    )


@pytest.mark.parametrize("of_answer", [2, 4])
def test_the_noise_of_means_is_that_of_matrices(of_answer: int) -> None:
    rng = np.random.default_rng(3)
    read = rng.random((3, 20, 4)).argsort(axis=2).argsort(axis=2) < of_answer
    rated = long_form(np.zeros(read.shape), read)
    weights = np.array([(rated.system == s) / (rated.system == s).sum() for s in range(3)])
    for name, levels in (rated.factors | {"residual": np.arange(len(rated.system))}).items():
        shared = np.equal.outer(levels, levels).astype(float)
        gaps = [weights[a] - weights[b] for a, b in combinations(range(3), 2)]
        by_hand = np.mean([gap @ shared @ gap for gap in gaps]) / 2
        giver = "system_case" if name == "answer" else name
        if name != "system":
            assert _share_of(rated, "noise", (), giver) == pytest.approx(by_hand)


def test_three_raters_leave_open_what_ten_settle() -> None:
    def width(raters: int) -> float:
        found = g_study(a_table(raters=raters, cases=60), rng=1).of_systems_now[1:]
        low, high = np.quantile(found, [0.025, 0.975])
        return float(high - low)

    assert width(2) > width(3) > 0.3 > width(12)


def test_the_same_numbers_whatever_the_unit_and_the_severity_of_all() -> None:
    rated = a_table()
    moved = replace(rated, values=7 - 3 * rated.values)
    first, other = g_study(rated, rng=1), g_study(moved, rng=1)
    assert first.of_systems_now == pytest.approx(other.of_systems_now)
    assert first.of_answer(3) == pytest.approx(other.of_answer(3))


def test_clusters_count_as_so_many_cases() -> None:
    rated = a_table(cases=20)
    twice = LongLabels(
        np.tile(rated.values, 2), np.tile(rated.system, 2),
        np.concatenate([rated.case, rated.case + 20]), np.tile(rated.rater, 2),
        np.tile(rated.case, 2),
    )  # fmt: skip
    alone = replace(twice, cluster=twice.case)
    clustered, naive = (g_study(each, rng=1).noise for each in (twice, alone))
    assert clustered[0] > 1.3 * naive[0]
    assert np.median(clustered) > 1.2 * np.median(naive)


def test_a_noncentrality_has_the_level_that_was_asked() -> None:
    ratio = np.array([5.0, 50.0, 5000.0, np.inf])
    level = np.array([0.3, 0.9, 0.5, 0.5])
    found = _noncentrality(ratio, 3, level)
    assert chndtr(ratio[:2], 3, found[:2]) == pytest.approx(level[:2])
    assert found[2] == pytest.approx(4998, abs=2)
    assert _noncentrality(np.array([0.1, 3.0]), 3, np.array([0.5, 0.999])).tolist() == [0.0, 0.0]
    levels = np.random.default_rng(1).random(5000)
    for ratio_of_all in (0.0, 0.3, 3.0, 30.0, 1999.0):
        assert np.isfinite(_noncentrality(np.full(5000, ratio_of_all), 3, levels)).all()


@pytest.mark.parametrize(
    ("drop", "why"),
    [
        ("system", "one system has none to be compared with"),
        ("case", "there is one case, or one cluster of cases"),
        ("rater", "one rater does not show how raters differ"),
    ],
)
def test_what_there_is_one_of_shows_nothing(drop: str, why: str) -> None:
    rated = a_table()
    assert g_study(rated.without(getattr(rated, drop) > 0), rng=1).undefined == why


def test_layouts_that_tell_nothing_say_so() -> None:
    rated = a_table()
    same = replace(rated, values=np.ones(len(rated.values)))
    assert g_study(same, rng=1).undefined == "all labels are the same"
    once = rated.without(rated.rater != rated.case % 3)
    assert "does not tell raters from" in g_study(once, rng=1).undefined
    apart = 3 * rated.system + rated.rater
    own = replace(rated, rater=apart)
    assert "does not tell raters from" in g_study(own, rng=1).undefined
    two = rated.without(rated.case > 1)
    assert g_study(two, rng=1).undefined == "too few cases tell raters from answers"


def test_raters_who_always_agree_leave_nothing_open() -> None:
    rated = a_table()
    agreed = g_study(replace(rated, values=rated.system.astype(float)), rng=1)
    assert agreed.of_systems_now == pytest.approx(1)
    assert agreed.raters_for_systems(0.9, 30) == pytest.approx(0)
    of_case = rated.system + 0.5 * np.cos(rated.case * (1 + rated.system))
    found = g_study(replace(rated, values=of_case), rng=1)
    assert found.of_answer(1) == pytest.approx(1)
    assert 0 < np.quantile(found.of_systems_now[1:], 0.025) < found.of_systems_now[0] < 1

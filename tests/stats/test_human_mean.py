"""Means from few judgements and many scores: as ppi-python has them, by hand, without help."""

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.errors import InvalidInput
from medassay.stats import (
    active_mean,
    difference_mean,
    judged_mean,
    judging_chances,
    ppi_mean,
    rogan_gladen,
    stratified_mean,
)

GOLDEN = json.loads(
    (Path(__file__).parents[1] / "golden" / "human_mean.json").read_text(encoding="utf-8")
)["cases"]
SEEDS = st.integers(0, 10_000)


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: f"{case['name']}, {case['slope']}")
def test_ppi_is_that_of_ppi_python(case: dict[str, Any]) -> None:
    found = ppi_mean(
        np.array(case["judged"]),
        np.array(case["scores"]),
        np.array(case["other_scores"]),
        slope=case["slope"],
        clip=True,
        as_published=True,
    )
    assert found.interval is not None
    assert found.estimate == pytest.approx(case["estimate"], abs=1e-12)
    assert found.interval.low == pytest.approx(case["low"], abs=1e-12)
    assert found.interval.high == pytest.approx(case["high"], abs=1e-12)


def test_our_interval_is_wider_than_the_published_one() -> None:
    case = GOLDEN[0]
    parts = [np.array(case[side]) for side in ("judged", "scores", "other_scores")]
    ours, theirs = ppi_mean(*parts), ppi_mean(*parts, as_published=True)
    assert ours.interval is not None
    assert theirs.interval is not None
    assert ours.interval.low < theirs.interval.low
    assert ours.interval.high > theirs.interval.high


def test_the_difference_by_hand() -> None:
    # y = 1, 2, 4 of scores 0, 1, 2 of all scores 0 .. 5: b = (−1·1 + 1·4)/2 = 1.5, ȳ = 7/3;
    # 7/3 + 1.5 (2.5 − 1) = 4.58333; e = 1/6, −1/3, 1/6: Σe² = 1/6; /(3 − 2)/3 · (1 − 3/6) = 1/36
    found = difference_mean(np.array([1.0, 2, 4]), np.arange(3.0), np.arange(3.0, 6))
    assert found.estimate == pytest.approx(55 / 12)
    assert found.error == pytest.approx(1 / 6)
    # s² = 7/3: alone (7/3)/3 · .5 = 7/18; 1/n' = 1/6 + (1/36)/(7/18) (1/3 − 1/6) = 1/6 + 1/84
    assert found.worth == pytest.approx(84 / 15)


def test_the_difference_is_right_on_average_over_every_choice_of_answers() -> None:
    # With a given slope the estimator is unbiased over all 35 choices of 3 of 7, and its variance
    # over them is what the formula says on average.
    y, f = np.array([0.0, 1, 1, 3, 2, 5, 4]), np.array([1.0, 0, 2, 2, 3, 4, 4])
    found = []
    for picked in combinations(range(7), 3):
        rest = [i for i in range(7) if i not in picked]
        found.append(difference_mean(y[list(picked)], f[list(picked)], f[rest], slope=0.8))
    estimates = np.array([one.estimate for one in found])
    assert estimates.mean() == pytest.approx(y.mean())
    errors = np.array([one.error for one in found], dtype=float)
    assert (errors**2).mean() == pytest.approx(estimates.var())


@given(SEEDS, st.floats(-3, 3), st.floats(0.5, 20))
def test_neither_shift_nor_scale_of_the_scores_matters(seed: int, at: float, scale: float) -> None:
    rng = np.random.default_rng(seed)
    y, f = rng.normal(size=30), rng.normal(size=80)
    f[:30] += y
    for method in (ppi_mean, difference_mean):
        plain = method(y, f[:30], f[30:])
        moved = method(y, at + scale * f[:30], at + scale * f[30:])
        assert plain.interval is not None
        assert moved.interval is not None
        assert moved.interval.low == pytest.approx(plain.interval.low, abs=1e-8)
        assert moved.interval.high == pytest.approx(plain.interval.high, abs=1e-8)


@given(SEEDS)
def test_the_order_of_answers_does_not_matter(seed: int) -> None:
    rng = np.random.default_rng(seed)
    y, f, order = rng.normal(size=12), rng.normal(size=30), rng.permutation(12)
    for method in (ppi_mean, difference_mean):
        one, two = method(y, f[:12], f[12:]), method(y[order], f[:12][order], f[12:])
        assert one.error == pytest.approx(two.error)
        assert one.estimate == pytest.approx(two.estimate)


def test_clusters_of_one_change_nothing_and_of_copies_a_lot() -> None:
    rng = np.random.default_rng(3)
    y, f = rng.normal(size=30), rng.normal(size=90)
    f[:30] += y
    plain = difference_mean(y, f[:30], f[30:])
    alone = difference_mean(y, f[:30], f[30:], clusters=list(range(30)))
    assert plain.error == pytest.approx(alone.error)
    # Every answer three times, in one cluster each: as if each were there once.
    single = ppi_mean(y, f[:30], f[30:], slope=0.5, clusters=list(range(90)))
    labels = [*np.repeat(np.arange(30), 3), *np.repeat(np.arange(30, 90), 3)]
    copied = ppi_mean(y.repeat(3), f[:30].repeat(3), f[30:].repeat(3), slope=0.5, clusters=labels)
    assert copied.error == pytest.approx(single.error)


def test_scores_that_know_nothing_do_not_help() -> None:
    rng = np.random.default_rng(5)
    y = (rng.random(40) < 0.5).astype(float)
    noise = rng.normal(size=400)
    given_slope = ppi_mean(y, noise[:40], noise[40:], slope=1)
    assert given_slope.worth is not None
    assert given_slope.worth < 40
    assert "not predict" in given_slope.no_help
    for flat in (ppi_mean, difference_mean):
        found = flat(y, np.ones(40), np.ones(360))
        assert "same score" in found.no_help
        assert found.estimate == y.mean()
    assert "every answer" in ppi_mean(y, noise[:40], noise[:0]).no_help
    known = difference_mean(y, noise[:40], noise[:0])
    assert known.error == 0
    assert "is known" in known.undefined


def test_few_judgements_are_warned_of() -> None:
    rare = np.array([1.0] * 5 + [0.0] * 95)
    scores = np.random.default_rng(1).random(1000)
    assert "differ" in ppi_mean(rare, scores[:100], scores[100:]).warning
    assert "below 20" in difference_mean(scores[:12], scores[:12] ** 2, scores[12:]).warning
    assert not difference_mean(scores[:50], scores[:50] ** 2, scores[50:]).warning
    assert judged_mean(np.array([])).undefined
    assert judged_mean(np.array([1.0])).interval is None


def test_strata_by_hand() -> None:
    # W = .2, .8; means .5, .25; s² = 1/3, 1/4:
    # .04 · (1 − 4/20) · (1/3)/4 + .64 · (1 − 4/80) · .25/4
    judged = np.array([1.0, 1, 0, 0, 1, 0, 0, 0])
    strata = ["a"] * 4 + ["b"] * 4
    found = stratified_mean(judged, strata, {"a": 20, "b": 80})
    assert found.estimate == pytest.approx(0.3)
    assert found.error == pytest.approx((0.04 * 0.8 / 12 + 0.64 * 0.95 / 16) ** 0.5)
    whole = stratified_mean(judged, strata, {"a": 4, "b": 4})
    assert "is known" in whole.undefined
    assert "no answer of c" in stratified_mean(judged, strata, {"a": 20, "b": 80, "c": 1}).undefined
    with pytest.raises(InvalidInput, match="sizes"):
        stratified_mean(judged, strata, {"a": 20, "b": 3})


def test_one_stratum_is_a_simple_random_sample() -> None:
    judged = np.random.default_rng(2).normal(size=25)
    one = stratified_mean(judged, ["all"] * 25, {"all": 100})
    simple = judged_mean(judged, total=100)
    assert one.interval is not None
    assert simple.interval is not None
    assert one.interval.low == pytest.approx(simple.interval.low)


def test_horvitz_thompson_is_right_on_average_over_every_choice() -> None:
    # Three answers are judged for sure and three by chance: over all eight choices the estimate is
    # the true mean on average, and the squared error is the variance on average.
    y, f = np.array([1.0, 0, 3, 2, 5, 4]), np.array([1.0, 1, 2, 3, 3, 3])
    chances = np.array([1.0, 1.0, 1.0, 0.5, 0.7, 0.9])
    weights, estimates, variances = [], [], []
    for bits in range(8):
        chosen = np.array([True] * 3 + [bool((bits >> i) & 1) for i in range(3)])
        found = active_mean(y, f, chances, chosen, slope=1)
        assert found.estimate is not None
        assert found.error is not None
        weights.append(float(np.where(chosen, chances, 1 - chances).prod()))
        estimates.append(found.estimate)
        variances.append(found.error**2)
    mean = np.average(estimates, weights=weights)
    assert mean == pytest.approx(y.mean())
    spread = np.average((np.array(estimates) - mean) ** 2, weights=weights)
    # Where all are judged the error is given as 0 in place of the estimator's own value.
    y_f = y - f
    whole = float(((1 - chances) / chances**2 * y_f**2).sum() / 36)
    variances[-1] = whole
    assert np.average(variances, weights=weights) == pytest.approx(spread)


def test_equal_chances_and_a_fitted_slope_are_the_difference_estimator() -> None:
    rng = np.random.default_rng(8)
    y, f = rng.normal(size=60), rng.normal(size=60)
    chosen = np.arange(60) < 20
    active = active_mean(y, f, np.full(60, 1 / 3), chosen)
    simple = difference_mean(y[:20], f[:20], f[20:])
    assert active.estimate == pytest.approx(simple.estimate)
    assert active.error == pytest.approx(simple.error)


@given(SEEDS, st.integers(1, 30))
def test_few_doubtful_answers_leave_no_judgement_unspent(seed: int, wanted: int) -> None:
    doubt = (np.arange(30) < 4) * np.random.default_rng(seed).uniform(0.1, 1, size=30)
    chances = judging_chances(doubt, wanted, even=0.5)
    assert chances.sum() == pytest.approx(wanted)
    assert np.ptp(chances[4:]) == 0
    assert chances[:4].min() >= chances[4]


@given(SEEDS, st.integers(1, 30))
def test_chances_add_up_to_what_is_wanted(seed: int, wanted: int) -> None:
    doubt = np.random.default_rng(seed).gamma(0.3, size=30)
    chances = judging_chances(doubt, wanted)
    assert chances.sum() == pytest.approx(wanted)
    assert chances.max() <= 1
    assert chances.min() >= 0.25 * wanted / 30 - 1e-9
    assert (np.argsort(chances, kind="stable") == np.argsort(chances, kind="stable")).all()
    assert (np.diff(chances[np.argsort(doubt)]) >= -1e-9).all()


def test_chances_that_cannot_be_are_refused() -> None:
    with pytest.raises(InvalidInput, match="wanted"):
        judging_chances(np.ones(3), 4)
    with pytest.raises(InvalidInput, match="chances"):
        active_mean(np.ones(2), np.ones(2), np.zeros(2), np.ones(2, dtype=bool))


def test_rogan_gladen_by_hand() -> None:
    # p = .28, se = .8, sp = .9: .18/.7
    found = rogan_gladen(280, 1000, (80, 100), (90, 100))
    assert found.estimate == pytest.approx(0.18 / 0.7)
    assert found.interval is not None
    # z² = 3.84146: p' = 281.92073/1003.84146 = .280842; se' = 81/102, sp' = 91/102, J = 70/102;
    # θ' = (.280842 + 91/102 − 1)/J = .252084; shift = 7.68292 (.252084 · .163495 − .747916 ·
    # .096213)/102 = −.002316; SE = √(.280842 · .719158/1003.84 + .063546 · .163495/102 + .559378 ·
    # .096213/102)/J = √(.000201195 + .000101857 + .000527636)/J = .041998
    assert found.error == pytest.approx(0.041998, abs=1e-6)
    assert found.interval.low == pytest.approx(0.252084 - 0.002316 - 1.959964 * 0.041998, abs=2e-6)
    assert found.interval.high == pytest.approx(0.252084 - 0.002316 + 1.959964 * 0.041998, abs=2e-6)


def test_rogan_gladen_says_when_the_judge_is_no_better_than_chance() -> None:
    poor = rogan_gladen(280, 1000, (12, 20), (12, 20))
    assert poor.estimate is None
    assert "chance" in poor.no_help
    assert "both kinds" in rogan_gladen(280, 1000, (0, 0), (12, 20)).undefined
    surer = rogan_gladen(280, 1000, (800, 1000), (900, 1000))
    less = rogan_gladen(280, 1000, (80, 100), (90, 100))
    assert surer.interval is not None
    assert less.interval is not None
    width = surer.interval.high - surer.interval.low
    assert width < less.interval.high - less.interval.low
    with pytest.raises(InvalidInput, match="counts"):
        rogan_gladen(5, 4, (1, 2), (1, 2))

"""Calibration figures are scikit-learn's, add up, and do not depend on the order of answers."""

import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import poisson_binom

from medassay.errors import InvalidInput
from medassay.stats.calibration import (
    Binning,
    auroc,
    binary_edges_calibration_error,
    brier,
    brier_parts,
    calibration_error,
    calibration_replicates,
    count_as_promised,
    debiased_calibration_error,
    maximum_calibration_error,
    outside_binary_edges,
    recalibrate,
    reliability,
    risk_coverage,
)
from medassay.stats.randomness import bootstrap_counts

GOLDEN = json.loads(
    (Path(__file__).parents[1] / "golden" / "calibration.json").read_text(encoding="utf-8")
)["systems"]
CLINICAL = json.loads(
    (Path(__file__).parents[1] / "golden" / "clinical_ece.json").read_text(encoding="utf-8")
)
answers = st.lists(
    st.tuples(st.sampled_from([0, 0.1, 0.3, 0.5, 0.55, 0.7, 0.9, 1.0]), st.integers(0, 1)),
    min_size=1,
    max_size=30,
)


@pytest.mark.parametrize("system", GOLDEN, ids=range(len(GOLDEN)))
def test_figures_are_those_of_scikit_learn(system: dict[str, Any]) -> None:
    p, y = system["confidence"], system["correct"]
    assert brier(p, y) == pytest.approx(system["brier"], abs=1e-9)
    assert auroc(p, y) == pytest.approx(system["auroc"], abs=1e-9)
    assert calibration_error(p, y) == pytest.approx(system["ece"], abs=1e-9)
    found = reliability(p, y)
    assert [b.n for b in found] == [b["n"] for b in system["bins"]]
    for ours, theirs in zip(found, system["bins"], strict=True):
        assert ours.confidence == pytest.approx(theirs["confidence"], abs=1e-9)
        assert ours.accuracy == pytest.approx(theirs["accuracy"], abs=1e-9)


@pytest.mark.parametrize("drawn", CLINICAL, ids=range(len(CLINICAL)))
def test_with_binary_edges_it_is_what_the_clinical_source_computes(
    drawn: dict[str, Any],
) -> None:
    p, y = drawn["confidence"], drawn["correct"]
    assert binary_edges_calibration_error(p, y) == pytest.approx(drawn["ece"], abs=1e-12)


@given(
    st.lists(st.integers(0, 20).map(lambda n: n / 20) | st.floats(0, 1), min_size=1, max_size=30),
    st.data(),
)
def test_the_two_errors_differ_only_where_a_confidence_is_counted_as_elsewhere(
    p: list[float], data: st.DataObject
) -> None:
    y = data.draw(st.lists(st.integers(0, 1), min_size=len(p), max_size=len(p)))
    edges = np.linspace(0, 1, 11)
    inside = [bool(sum(edges[i] <= one < edges[i + 1] for i in range(10))) for one in p]
    lower, none = outside_binary_edges(p)
    assert none == inside.count(False) == p.count(1)
    assert lower == sum(one in {0.3, 0.6, 0.7} for one in p)
    if not lower + none:
        ours, theirs = calibration_error(p, y), binary_edges_calibration_error(p, y)
        assert ours == pytest.approx(theirs, abs=1e-12)


def test_only_answers_that_are_all_sure_tell_the_two_apart() -> None:
    p, y = [0.15, 0.45, 0.95, 0.95], [0, 1, 1, 0]
    assert binary_edges_calibration_error(p, y) == pytest.approx(calibration_error(p, y))
    # Of five answers one is sure and wrong: it adds a fifth, or nothing but a larger n.
    p, y = [0.15, 0.45, 1.0, 0.75, 0.75], [0, 1, 0, 1, 0]
    added = calibration_error(p, y) - binary_edges_calibration_error(p, y)
    assert added == pytest.approx(1 / 5)


@given(answers, st.sampled_from(Binning))
def test_the_parts_add_up_to_the_brier_score(rows: list[tuple[float, int]], way: Binning) -> None:
    p, y = zip(*rows, strict=True)
    parts = brier_parts(p, y, binning=way)
    whole = parts.reliability - parts.resolution + parts.uncertainty + parts.within
    assert whole == pytest.approx(parts.brier, abs=1e-12)
    assert parts.brier == pytest.approx(brier(p, y), abs=1e-12)


@given(answers, st.sampled_from(Binning), st.randoms(use_true_random=False))
def test_the_order_of_answers_does_not_matter(
    rows: list[tuple[float, int]], way: Binning, random: Random
) -> None:
    p, y = zip(*rows, strict=True)
    mixed = list(rows)
    random.shuffle(mixed)
    q, z = zip(*mixed, strict=True)
    assert calibration_error(p, y, binning=way) == pytest.approx(
        calibration_error(q, z, binning=way)
    )
    assert auroc(p, y) == auroc(q, z)
    assert risk_coverage(p, y).area == pytest.approx(risk_coverage(q, z).area)
    assert debiased_calibration_error(p, y) <= calibration_error(p, y, binning=Binning.MASS) + 1e-12
    assert calibration_error(p, y, binning=way) <= maximum_calibration_error(p, y, binning=way)


@given(answers)
def test_auroc_is_the_share_of_pairs_in_the_right_order(rows: list[tuple[float, int]]) -> None:
    right = [p for p, y in rows if y]
    wrong = [p for p, y in rows if not y]
    pairs = [(a > b) + (a == b) / 2 for a in right for b in wrong]
    p, y = zip(*rows, strict=True)
    assert auroc(p, y) == (pytest.approx(sum(pairs) / len(pairs)) if pairs else None)


@given(answers)
def test_the_area_is_that_of_all_orders_of_equal_confidences(rows: list[tuple[float, int]]) -> None:
    # Written down count by count: in a group of equal confidences each answer is as likely next.
    p, y = zip(*rows, strict=True)
    covered, wrong, risks = 0, 0.0, []
    for level in sorted(set(p), reverse=True):
        group = [1 - one for q, one in rows if q == level]
        each = sum(group) / len(group)
        risks += [(wrong + each * k) / (covered + k) for k in range(1, len(group) + 1)]
        covered, wrong = covered + len(group), wrong + sum(group)
    assert risk_coverage(p, y).area == pytest.approx(sum(risks) / len(risks))
    assert risk_coverage(p, y).best_area <= risk_coverage(p, y).area + 1e-12


def test_confidence_one_is_in_the_last_bin() -> None:
    assert calibration_error([1.0, 1.0], [1, 0]) == 0.5


def test_debiasing_takes_off_what_noise_adds() -> None:
    rng = np.random.default_rng(3)
    plain, debiased = [], []
    for _ in range(200):
        p = rng.uniform(0.5, 1, 100)
        y = (rng.uniform(size=100) < p).astype(float)  # perfectly calibrated
        plain.append(calibration_error(p, y, binning=Binning.MASS))
        debiased.append(debiased_calibration_error(p, y))
    assert np.mean(plain) > 0.08
    # Part of it only: noise is judged around the gap seen, which itself is mostly noise.
    assert 0 < np.mean(debiased) < 0.7 * np.mean(plain)


def test_replicates_are_the_plain_figures_of_each_resample() -> None:
    rng = np.random.default_rng(5)
    p = rng.uniform(size=(3, 20))
    p[1, ::4] = np.nan
    y = (rng.uniform(size=(3, 20)) < 0.5).astype(float)
    counts = bootstrap_counts(20, 8, rng)
    found = calibration_replicates(p, y, counts)
    for r, drawn in enumerate(counts.astype(int)):
        for s in range(3):
            there = np.repeat(np.arange(20), drawn)
            there = there[~np.isnan(p[s, there])]
            assert found.ece[r, s] == pytest.approx(calibration_error(p[s, there], y[s, there]))
            assert found.brier[r, s] == pytest.approx(brier(p[s, there], y[s, there]))
            assert found.accuracy[r, s] == pytest.approx(y[s, there].mean())


def test_recalibration_mends_what_can_be_mended_on_unseen_answers() -> None:
    rng = np.random.default_rng(7)
    true = rng.uniform(0.3, 0.9, 2000)
    y = (rng.uniform(size=2000) < true).astype(float)
    odds = np.log(true / (1 - true))
    sure = 1 / (1 + np.exp(-3 * odds))  # three times too sure
    for method in ("temperature", "isotonic"):
        new = recalibrate(sure, y, method, np.random.default_rng(1))
        assert calibration_error(new.confidence, y) < 0.4 * calibration_error(sure, y)
    again = recalibrate(sure, y, "temperature", np.random.default_rng(1))
    first = recalibrate(sure, y, "temperature", np.random.default_rng(1))
    assert np.array_equal(again.confidence, first.confidence)


def test_answers_of_one_cluster_stay_together() -> None:
    # Two clusters, each of one outcome: whoever sees only the other cluster learns the opposite.
    new = recalibrate(
        [0.9, 0.9, 0.9, 0.9], [1, 1, 0, 0], "isotonic", np.random.default_rng(1), clusters="aabb"
    )
    assert new.confidence.tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("p", "y"), [([85], [1]), ([1.2], [1]), ([-0.1], [0]), ([0.5], [2]), ([], []), ([0.5], [1, 0])]
)
def test_what_is_no_probability_or_outcome_is_refused(p: list[float], y: list[int]) -> None:
    with pytest.raises(InvalidInput):
        calibration_error(p, y)


@pytest.mark.parametrize(
    ("n", "right"), [(1, 0), (12, 5), (12, 12), (40, 40), (300, 200), (2500, 1650)]
)
def test_the_number_of_right_answers_has_scipys_distribution(n: int, right: int) -> None:
    for seed, decimals in ((1, 2), (2, 9)):
        p = np.round(np.random.default_rng([seed, n]).beta(4, 2, n), decimals)
        fewer, more = poisson_binom.cdf(right, p), poisson_binom.sf(right - 1, p)
        found = count_as_promised(p, [1] * right + [0] * (n - right))
        assert found == pytest.approx(min(1.0, 2 * min(fewer, more)), rel=1e-6, abs=1e-9)


def test_who_is_always_sure_may_never_be_wrong() -> None:
    assert count_as_promised([1.0] * 5, [1] * 5) == 1.0
    assert count_as_promised([1.0] * 5, [1] * 4 + [0]) == 0.0

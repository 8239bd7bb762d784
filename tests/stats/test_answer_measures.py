"""Ties, and the areas under two curves: by hand, against a slow way, and against baselines."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.stats import at_threshold, calibrate_ties, detection_areas


def test_epsilon_makes_the_right_ties() -> None:
    # One case, raters 0, 0, 1; the metric .10, .11, .90. Pairs: (1,2) tied by the raters, not by
    # the metric; (1,3) and (2,3) alike: acc_eq = 2/3. With epsilon .01 all three are right.
    human = np.array([[0.0], [0.0], [1.0]])
    metric = np.array([[0.10], [0.11], [0.90]])
    found = calibrate_ties(metric, human, human >= 0, rng=np.random.default_rng(1))
    assert found.acc_eq == pytest.approx(2 / 3)
    assert found.calibrated == pytest.approx(1)
    assert found.epsilon == pytest.approx(0.01)
    assert found.constant == pytest.approx(1 / 3)
    assert found.cross_validated is None  # nothing is held out of one case


def test_random_numbers_reach_the_raters_share_of_ties_and_no_more() -> None:
    rng = np.random.default_rng(2)
    human = rng.choice(3, size=(12, 60), p=[0.1, 0.2, 0.7]).astype(float)
    found = calibrate_ties(rng.normal(size=(12, 60)), human, human >= 0, rng=rng)
    assert found.constant == pytest.approx(0.54, abs=0.03)  # .1² + .2² + .7²
    assert found.calibrated == pytest.approx(found.constant, abs=0.02)
    assert found.cross_validated == pytest.approx(found.constant, abs=0.02)
    constant = calibrate_ties(np.ones((12, 60)), human, human >= 0, rng=rng)
    assert constant.acc_eq == constant.calibrated == pytest.approx(found.constant)


@given(st.integers(0, 2**32 - 1))
def test_the_areas_are_those_of_the_slow_way(seed: int) -> None:
    rng = np.random.default_rng(seed)
    suspicion = rng.integers(0, 4, size=12).astype(float)
    bad = np.array([True, False, *(rng.random(10) < 0.4)])
    found = detection_areas(suspicion, bad, np.ones((1, 12)))
    above = suspicion[bad][:, None] - suspicion[~bad]
    assert found.auroc[0] == pytest.approx(((above > 0) + (above == 0) / 2).mean())
    area, recalled = 0.0, 0.0
    for cut in sorted(set(suspicion.tolist()), reverse=True):
        precision, recall, _ = at_threshold(suspicion, bad, cut - 0.5)
        assert precision is not None
        assert recall is not None
        area += (recall - recalled) * precision
        recalled = recall
    assert found.auprc[0] == pytest.approx(area)


def test_counts_are_copies() -> None:
    suspicion, bad = np.array([3.0, 2.0, 1.0]), np.array([True, False, True])
    twice = detection_areas(suspicion, bad, np.array([[1.0, 2.0, 1.0]]))
    copied = detection_areas(
        np.array([3.0, 2.0, 2.0, 1.0]), np.array([True, False, False, True]), np.ones((1, 4))
    )
    assert twice.auroc.tolist() == copied.auroc.tolist()
    assert twice.auprc.tolist() == copied.auprc.tolist()


def test_one_kind_alone_has_no_area() -> None:
    found = detection_areas(np.array([1.0, 2.0]), np.array([True, True]), np.ones((1, 2)))
    assert np.isnan(found.auroc).all()
    assert np.isnan(found.auprc).all()
    assert at_threshold(np.array([1.0]), np.array([False]), 5.0) == (None, None, 0)

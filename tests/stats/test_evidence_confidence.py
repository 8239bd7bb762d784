"""The published rule of confidence, and why it cannot tell queries apart."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.stats import ConfidenceLevels, attainable_mean, mean_min_max

scores = st.lists(st.floats(-1, 1, allow_nan=False), min_size=2, max_size=12)


@given(scores)
def test_within_a_query_the_mean_stays_between_its_ends(values: list[float]) -> None:
    mean = mean_min_max(values)
    low, high = attainable_mean(len(values))
    assert mean == 0 or low - 1e-12 <= mean <= high + 1e-12


@given(scores, st.integers(0, 2**32 - 1))
def test_order_shift_and_scale_change_nothing(values: list[float], seed: int) -> None:
    rng = np.random.default_rng(seed)
    if np.ptp(values) < 1e-3:
        return
    moved = 3 * np.array(values)[rng.permutation(len(values))] + 2
    assert mean_min_max(moved) == pytest.approx(mean_min_max(values), abs=1e-9)


def test_three_documents_are_medium_or_all_equal() -> None:
    levels = ConfidenceLevels(0.33, 0.67)
    rng = np.random.default_rng(0)
    seen = {levels.of(mean_min_max(rng.random(3))) for _ in range(1000)}
    assert seen == {"Medium"}
    assert levels.of(mean_min_max([0.4, 0.4, 0.4])) == "Low"


@pytest.mark.parametrize("bad", [[], [np.nan], [[0.1]]])
def test_what_is_no_row_of_numbers_is_refused(bad: list[float]) -> None:
    with pytest.raises(ValueError, match="finite"):
        mean_min_max(bad)


def test_levels_need_ordered_thresholds() -> None:
    with pytest.raises(ValueError, match="first not above"):
        ConfidenceLevels(0.7, 0.3)
    with pytest.raises(ValueError, match="k must be 2"):
        attainable_mean(1)
    with pytest.raises(ValueError, match="within low and high"):
        mean_min_max([0.1, 0.9], low=0.2, high=1.0)

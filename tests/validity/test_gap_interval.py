"""How much more a rater gives one system: the interval of few labels."""

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from medassay.validity.diagnostics import gap_interval


def test_with_a_flat_rest_it_is_the_t_interval_of_the_mean() -> None:
    gaps = np.array([0.5, -1.0, 2.0, 0.0, 1.5])
    one = np.ones(5)
    found = gap_interval(np.stack([gaps, one, 0 * one, one], axis=1), estimand="an example")
    assert found is not None
    expected = ttest_1samp(gaps, 0).confidence_interval()
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_the_order_of_cases_means_nothing_and_a_shift_moves_both_ends() -> None:
    rng = np.random.default_rng(3)
    sums = np.column_stack([rng.normal(size=12), np.ones(12), rng.normal(size=12), np.ones(12)])
    found, turned = (gap_interval(one, estimand="x") for one in (sums, sums[::-1]))
    shifted = gap_interval(sums + np.array([2.0, 0, 0, 0]), estimand="x")
    assert found is not None
    assert turned is not None
    assert shifted is not None
    assert (turned.low, turned.high) == pytest.approx((found.low, found.high))
    assert (shifted.low, shifted.high) == pytest.approx((found.low + 2, found.high + 2))


@pytest.mark.parametrize(
    "sums", [[[1.0, 1, 0, 1]], [[1.0, 1, 0, 1], [0, 0, 1, 1]], [[1.0, 1, 0, 1]] * 4]
)
def test_one_case_and_no_spread_have_none(sums: list[list[float]]) -> None:
    assert gap_interval(np.array(sums), estimand="x") is None


def test_it_covers_with_ten_labels_where_a_percentile_bootstrap_does_not() -> None:
    rng = np.random.default_rng(17)
    held = 0
    for _ in range(600):
        here, there = rng.normal(size=10), rng.normal(size=(10, 2)).sum(axis=1)
        sums = np.column_stack([here, np.ones(10), there, np.full(10, 2.0)])
        found = gap_interval(sums, estimand="x")
        assert found is not None
        held += found.low <= 0 <= found.high
    assert 0.93 <= held / 600 <= 0.98

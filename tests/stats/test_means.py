import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from medassay.stats import means_over_cases, moments


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=30))
def test_without_clusters_it_is_the_t_interval_of_scipy(row: list[float]) -> None:
    values = np.array([row])
    [mean] = means_over_cases(values, np.ones(values.shape, dtype=bool))
    if mean.interval is None:
        assert "values are equal" in mean.undefined
        return
    theirs = scipy_stats.ttest_1samp(row, 0).confidence_interval(0.95)
    assert mean.interval.low == pytest.approx(theirs.low, rel=1e-6, abs=1e-6)
    assert mean.interval.high == pytest.approx(theirs.high, rel=1e-6, abs=1e-6)


def test_clusters_by_hand() -> None:
    # Mean 2. Residual sums: a: -2 + 0 = -2, b: 0 + 2 = 2, c: 0; the clusters have .4, .4 and .2 of
    # all. SE² = (4/.6 + 4/.6 + 0) / 25 = 8/15.
    values = np.array([[0.0, 2.0, 2.0, 4.0, 2.0]])
    known = np.ones((1, 5), dtype=bool)
    found = moments(values, known, ["a", "a", "b", "b", "c"])
    assert found.error[0] ** 2 == pytest.approx(8 / 15)
    [mean] = means_over_cases(values, known, clusters=["a", "a", "b", "b", "c"])
    assert mean.interval is not None
    assert mean.interval.method == "t over clusters"
    # Degrees: 1/(.36 + 2 (.071111 + .013333 + .013333)) = 1.8; t(.975, 1.8) = 4.79488
    assert mean.interval.high - 2 == pytest.approx(4.79488 * (8 / 15) ** 0.5, rel=1e-5)


def test_missing_cases_are_left_out_and_counted() -> None:
    values = np.array([[1.0, 3.0, 99.0], [1.0, 99.0, 99.0], [9.0, 9.0, 9.0]])
    known = np.array([[True, True, False], [True, False, False], [False, False, False]])
    two, one, none = means_over_cases(values, known)
    assert (two.mean, two.n, two.missing) == (2.0, 2, 1)
    assert (one.mean, one.interval, one.undefined) == (1.0, None, "one value shows no spread")
    assert (none.mean, none.interval, none.n, none.missing) == (None, None, 0, 3)
    assert none.undefined == "nothing is known here"


def test_one_cluster_shows_no_spread() -> None:
    values = np.array([[1.0, 2.0]])
    [mean] = means_over_cases(values, values > 0, clusters=["a", "a"])
    assert (mean.mean, mean.interval) == (1.5, None)
    assert mean.undefined == "one cluster shows no spread"

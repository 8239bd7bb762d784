import numpy as np
import pytest
from scipy import stats as scipy_stats

from medassay.errors import InvalidInput
from medassay.stats import (
    Interval,
    basic_interval,
    bias_corrected_interval,
    bootstrap_counts,
    percentile_interval,
)

ROW = np.random.default_rng(4).exponential(size=40)
REPLICATES = bootstrap_counts(40, 4_000, np.random.default_rng(5)) @ ROW / 40


def near(interval: Interval, low: float, high: float) -> bool:
    return (interval.low, interval.high) == pytest.approx((low, high), abs=0.03)


def test_percentile_and_basic_are_near_those_of_scipy() -> None:
    for method, ours in (
        ("percentile", percentile_interval(REPLICATES, estimand="a mean")),
        ("basic", basic_interval(float(ROW.mean()), REPLICATES, estimand="a mean")),
    ):
        theirs = scipy_stats.bootstrap(
            (ROW,), np.mean, n_resamples=4_000, method=method, rng=np.random.default_rng(6)
        ).confidence_interval
        assert near(ours, theirs.low, theirs.high)
        assert ours.replicates == 4_000


def test_bias_correction_by_hand() -> None:
    # 975 of 1,000 replicates lie below the estimate: z0 = 1.96, so the shares are those of
    # 3.92 - 1.96 and 3.92 + 1.96: the 97.5% quantile and the very top.
    replicates = np.arange(1000.0)
    interval = bias_corrected_interval(974.5, replicates, estimand="an example")
    assert interval.low == pytest.approx(0.975 * 999, abs=0.01)
    assert interval.high == pytest.approx(999, abs=0.01)


def test_bias_correction_without_bias_is_the_percentile_interval() -> None:
    replicates = np.arange(1001.0)
    plain = percentile_interval(replicates, estimand="an example")
    corrected = bias_corrected_interval(500, replicates, estimand="an example")
    assert (corrected.low, corrected.high) == pytest.approx((plain.low, plain.high))


def test_an_estimate_outside_all_replicates_stays_finite() -> None:
    interval = bias_corrected_interval(2000, np.arange(1000.0), estimand="an example")
    assert 0 <= interval.low <= interval.high <= 999


def test_basic_is_cut_at_the_bounds() -> None:
    interval = basic_interval(0.9, [0.5, 0.6, 0.7], estimand="a tau", bounds=(-1, 1))
    assert interval.high == 1


def test_no_finite_replicate_is_refused() -> None:
    with pytest.raises(InvalidInput, match="at least one finite value"):
        percentile_interval([float("nan")], estimand="nothing")

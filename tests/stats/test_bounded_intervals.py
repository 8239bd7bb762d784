"""Intervals of means on a scale with two ends."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.stats import means_over_cases, moments, wilson
from medassay.stats.means import bounded_intervals


@given(st.lists(st.sampled_from([1.0, 2.0, 3.0, 5.0]), min_size=2, max_size=12))
def test_an_interval_never_leaves_the_scale_and_holds_the_mean(values: list[float]) -> None:
    row = np.array([values])
    [mean] = means_over_cases(row, np.ones_like(row, dtype=np.bool_), bounds=(1, 5))
    assert mean.mean is not None
    if mean.interval is None:
        assert len(set(values)) == 1
        assert values[0] not in {1.0, 5.0}
    else:
        assert 1 <= mean.interval.low <= mean.mean + 1e-12
        assert mean.mean - 1e-12 <= mean.interval.high <= 5


def test_of_many_independent_shares_it_is_wilsons() -> None:
    row = np.array([[1.0] * 600 + [0.0] * 1400])
    [(found, _)] = bounded_intervals(
        moments(row, np.ones_like(row, dtype=np.bool_)), (0, 1), estimand="x"
    )
    assert found is not None
    published = wilson(600, 2000, estimand="x")
    assert (found.low, found.high) == pytest.approx((published.low, published.high), abs=1e-4)


def test_cases_of_one_cluster_count_as_one() -> None:
    row = np.repeat(np.array([[1.0, 0.0, 0.0, 1.0, 0.0]]), 4, axis=1)
    known = np.ones_like(row, dtype=np.bool_)
    clusters = np.repeat(np.arange(5), 4).tolist()
    [apart] = means_over_cases(row, known, bounds=(0, 1))
    [together] = means_over_cases(row, known, bounds=(0, 1), clusters=clusters)
    [five] = means_over_cases(row[:, ::4], known[:, ::4], bounds=(0, 1))
    assert apart.interval is not None
    assert together.interval is not None
    assert five.interval is not None
    assert together.interval.high - together.interval.low > (
        apart.interval.high - apart.interval.low
    )
    assert (together.interval.low, together.interval.high) == pytest.approx(
        (five.interval.low, five.interval.high)
    )


@pytest.mark.parametrize(("share", "n"), [(0.1, 20), (0.3, 10), (0.5, 40)])
def test_it_covers_a_share(share: float, n: int) -> None:
    rows = (np.random.default_rng(11).random((2000, n)) < share).astype(np.float64)
    found = means_over_cases(rows, np.ones_like(rows, dtype=np.bool_), bounds=(0, 1))
    held = [m.interval.low <= share <= m.interval.high for m in found if m.interval]
    assert len(held) == len(found)
    assert np.mean(held) >= 0.94


@pytest.mark.parametrize("bounds", [None, (0.0, 2.0)])
def test_clusters_of_one_mean_show_no_spread(bounds: tuple[float, float] | None) -> None:
    # Each cluster holds the same share of good and bad: its mean is that of all.
    row = np.array([[0.0, 1.0, 2.0, 1.0, 1.0, 1.0], [0.1, 0.4, 0.2, 0.3, 0.25, 0.25]])
    clusters = ["a", "b", "a", "b", "c", "c"]
    made = means_over_cases(
        row, np.ones_like(row, dtype=np.bool_), bounds=bounds, clusters=clusters
    )
    assert [mean.mean for mean in made] == [1.0, pytest.approx(0.25)]
    assert made[0].interval is None
    assert made[0].undefined == (
        "all 3 clusters have the same mean: they do not show how far others lie"
    )
    # 0.15, 0.35 and 0.25 differ.
    assert made[1].interval is not None

"""Shares in clusters: exact where units are independent, wider where they are not."""

import numpy as np
import pytest

from medassay.stats import clopper_pearson, clustered_share


def test_independent_units_have_the_exact_interval() -> None:
    hits = np.array([True] * 3 + [False] * 17)
    interval, why = clustered_share(hits, None, estimand="a test")
    exact = clopper_pearson(3, 20, estimand="a test")
    assert interval is not None
    assert (interval.low, interval.high, why) == (exact.low, exact.high, "")


def test_clusters_by_hand() -> None:
    # Ten clusters of 3: two of them all hits, so p = 6/30 = .2. Residual sums: 2 x 3(.8) = 2.4 and
    # 8 x 3(-.2) = -.6; squares 2(5.76) + 8(.36) = 14.4; SE^2 = 14.4/900 x 10/9 = .017777...
    # p(1 - p)/SE^2 = .16/.01777... = 9; t(29) = 2.04523, t(9) = 2.26216: ratio^2 = .817408;
    # n* = 7.35667.
    from scipy.stats import beta

    hits = np.repeat([True, True, *[False] * 8], 3)
    clusters = np.repeat(np.arange(10), 3).tolist()
    interval, _ = clustered_share(hits, clusters, estimand="a test")
    assert interval is not None
    k = 0.2 * 7.35667
    assert interval.low == pytest.approx(beta.ppf(0.025, k, 7.35667 - k + 1), abs=1e-4)
    assert interval.high == pytest.approx(beta.ppf(0.975, k + 1, 7.35667 - k), abs=1e-4)


def test_without_a_hit_clusters_are_what_counts() -> None:
    interval, _ = clustered_share(
        np.zeros(30, dtype=np.bool_), np.repeat(np.arange(10), 3).tolist(), estimand="a test"
    )
    assert interval is not None
    assert (interval.low, interval.high) == (0.0, clopper_pearson(0, 10, estimand="a test").high)


def test_one_cluster_shows_no_spread() -> None:
    hits = np.array([True, False])
    assert clustered_share(hits, ["a", "a"], estimand="a test") == (
        None,
        "one cluster shows no spread",
    )

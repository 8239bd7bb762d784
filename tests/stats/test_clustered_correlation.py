"""Correlations of units that depend on each other inside clusters."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.stats import clustered_correlations


def measured(
    x: list[float], y: list[float], clusters: list[str], groups: list[str] | None = None
) -> list[float | None]:
    rng = np.random.default_rng(3)
    found = clustered_correlations(
        np.array(x), np.array(y), clusters, groups=groups, rng=rng, estimand="a test",
        replicates=200,
    )  # fmt: skip
    return [one.value for one in found]


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 9)), min_size=4, max_size=12))
def test_values_are_scipy_s(pairs: list[tuple[int, int]]) -> None:
    from scipy.stats import pearsonr, spearmanr

    x, y = ([float(pair[i]) for pair in pairs] for i in (0, 1))
    r, rho = measured(x, y, list("abc" * 4)[: len(x)])
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert r is None
        assert rho is None
    else:
        assert r == pytest.approx(pearsonr(x, y).statistic, abs=1e-12)
        assert rho == pytest.approx(spearmanr(x, y).statistic, abs=1e-12)


def test_groups_take_their_means_away() -> None:
    # p: x 1 2 3, y 1 3 2; t: x 11 12 13, y 11 13 12. Off their means: x -1 0 1, y -1 1 0, twice.
    # Sum of products 2 (1) = 2; squares 2 (2) = 4 each: r = 2 / 4 = .5. Ranks inside are the same.
    x, y = [1.0, 2, 3, 11, 12, 13], [1.0, 3, 2, 11, 13, 12]
    assert measured(x, y, list("abcabc"), list("pppttt")) == [pytest.approx(0.5)] * 2
    pooled, _ = measured(x, y, list("abcabc"))
    assert pooled is not None
    assert pooled > 0.9


def test_whole_clusters_are_drawn() -> None:
    # Every cluster holds the same two units, so every resample has the same correlation.
    x, y = np.tile([1.0, 2.0, 4.0], 6), np.tile([1.0, 3.0, 2.0], 6)
    clusters = [i // 3 for i in range(18)]
    rng = np.random.default_rng(1)
    found = clustered_correlations(x, y, clusters, rng=rng, estimand="a test", replicates=100)
    assert found[1].value == pytest.approx(0.5)
    assert found[0].interval is None or np.ptp(
        [found[0].interval.low, found[0].interval.high]
    ) == pytest.approx(0, abs=1e-12)
    few = clustered_correlations(x, y, [i % 3 for i in range(18)], rng=rng, estimand="a test")
    assert few[0].undefined == "no interval: fewer than 5 clusters (3)"

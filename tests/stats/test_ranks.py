import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from medassay.stats import bootstrap_counts, rank_ranges, ranks


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=20))
def test_ties_share_the_best_place(values: list[int]) -> None:
    assert ranks(values, higher_is_better=False).tolist() == rankdata(values, "min").tolist()
    assert ranks(values).tolist() == rankdata([-v for v in values], "min").tolist()


def test_rounding_comes_before_ranking() -> None:
    assert ranks([44.24, 44.18, 43.0]).tolist() == [1, 2, 3]
    assert ranks([44.24, 44.18, 43.0], decimals=1).tolist() == [1, 1, 3]


def test_ranges_are_quantiles_of_the_places_of_each_replicate() -> None:
    rng = np.random.default_rng(2)
    values = rng.integers(0, 4, size=(6, 15)).astype(float)
    replicates = bootstrap_counts(15, 500, rng) @ values.T / 15
    low, high = rank_ranges(replicates, level=0.9)
    places = np.array([ranks(row) for row in replicates])
    for i in range(6):
        inside = ((places[:, i] >= low[i]) & (places[:, i] <= high[i])).mean()
        assert inside >= 0.89
        assert low[i] in places[:, i]
        assert high[i] in places[:, i]


def test_a_system_without_a_value_is_left_out_of_a_replicate() -> None:
    replicates = np.array([[1.0, np.nan, 3.0], [1.0, np.nan, 3.0]])
    low, high = rank_ranges(replicates, higher_is_better=False)
    assert low.tolist() == [1, 0, 2]
    assert high.tolist() == [1, 0, 2]

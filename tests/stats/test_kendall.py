from importlib import import_module
from itertools import permutations as orders

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from medassay.errors import InvalidInput
from medassay.stats import dense_ranks, kendall, permutation_p, tau_b

columns = st.integers(2, 25).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(-4, 4), min_size=n, max_size=n)] * 2)
)


def rng() -> np.random.Generator:
    return np.random.default_rng(5)


def test_a_hand_derived_case_with_ties() -> None:
    # Six pairs: one tied in x alone, one in y alone, four concordant: 4 / sqrt(5 * 5).
    result = kendall([1, 1, 2, 3], [1, 2, 2, 3], rng=rng())
    assert result.tau == pytest.approx(4 / 5)
    # The twelve arrangements of y have numerators 4, 4, 2, 2, 0, 0, 1, -1, -2, -2, -4, -4.
    assert result.p == pytest.approx(4 / 12)
    assert (result.p_method, result.n, result.undefined) == ("exact", 4, "")


@given(columns)
def test_tau_is_that_of_scipy(pair: tuple[list[int], list[int]]) -> None:
    ours = tau_b(*pair)
    theirs = float(scipy_stats.kendalltau(*pair).statistic)
    assert np.isnan(theirs) if ours is None else ours == pytest.approx(theirs, abs=1e-14)


@pytest.mark.slow
@given(st.integers(2, 30).flatmap(lambda n: st.permutations(range(n))))
def test_p_without_ties_is_the_exact_p_of_scipy(y: list[int]) -> None:
    result = kendall(range(len(y)), y, rng=rng())
    theirs = scipy_stats.kendalltau(range(len(y)), y, method="exact").pvalue
    assert result.p == pytest.approx(theirs, rel=1e-9)
    assert result.p_method == "exact"


@pytest.mark.slow
@given(
    st.integers(3, 6).flatmap(
        lambda n: st.tuples(*[st.lists(st.integers(0, 3), min_size=n, max_size=n)] * 2)
    )
)
def test_exact_p_is_the_share_of_all_orders(pair: tuple[list[int], list[int]]) -> None:
    x, y = pair
    result = kendall(x, y, rng=rng())
    if result.tau is None:
        assert result.p is None
        return
    taus = [tau_b(x, order) or 0.0 for order in orders(y)]
    share = np.mean([abs(tau) >= abs(result.tau) - 1e-12 for tau in taus])
    assert result.p == pytest.approx(share)


def test_enumeration_and_counting_agree_at_nine_without_ties() -> None:
    x = np.arange(9)
    y = rng().permutation(9)
    enumerated = kendall(x, y, rng=rng()).p
    counted = scipy_stats.kendalltau(x, y, method="exact").pvalue
    assert enumerated == pytest.approx(counted, rel=1e-12)


def test_monte_carlo_p_is_near_the_exact_one() -> None:
    # x holds one 1 and nine 0: tau only depends on which of ten values of y meets the 1. The
    # numerator is 2 r - 9 for rank r = 0..9 but the two tied lowest share -8: |.| >= 7 for the two
    # tied (8, 8), r = 8 (7) and r = 9 (9).
    x = [0] * 9 + [1]
    y = [0, 0, 1, 2, 3, 4, 5, 6, 8, 7]
    result = kendall(x, y, rng=rng(), permutations=40_000)
    assert result.p_method == "monte-carlo"
    assert result.p == pytest.approx(0.4, abs=4 * np.sqrt(0.4 * 0.6 / 40_000))


def test_monte_carlo_p_is_never_zero_and_repeats_with_its_seed() -> None:
    x = [*range(20), 19]
    first = kendall(x, x, rng=rng(), permutations=999)
    assert first.p == 1 / 1000
    noisy = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5]
    results = {kendall(noisy, range(11), rng=rng(), permutations=500).p for _ in range(2)}
    assert len(results) == 1


def test_many_columns_have_the_p_of_each_pair() -> None:
    values = rng().integers(0, 5, size=(5, 7))
    ranked = np.array([dense_ranks(row) for row in values])
    p, exact = permutation_p(ranked[:2], ranked[2:], rng=rng())
    assert exact.all()
    for i in range(2):
        for j in range(3):
            assert p[i, j] == kendall(values[i], values[2 + j], rng=rng()).p


@pytest.mark.parametrize(
    ("x", "y", "why"),
    [
        ([], [], "at least two things to order; there are 0"),
        ([1], [2], "at least two things to order; there is 1"),
        ([1, 1], [1, 2], "all values of x are equal"),
        ([1, 1], [3, 3], "all values of x and of y are equal"),
    ],
)
def test_undefined_has_a_reason(x: list[int], y: list[int], why: str) -> None:
    result = kendall(x, y, rng=rng())
    assert (result.tau, result.p, result.p_method) == (None, None, None)
    assert why in result.undefined


def test_rounding_in_the_last_bit_is_a_tie() -> None:
    assert 0.1 + 0.2 != 0.3
    assert tau_b([0.1 + 0.2, 0.3, 1.0], [1, 2, 3]) == tau_b([0.3, 0.3, 1.0], [1, 2, 3])


def test_unequal_lengths_and_nan_are_refused() -> None:
    with pytest.raises(InvalidInput, match="have 2 values"):
        tau_b([1, 2], [1, 2, 3])
    with pytest.raises(InvalidInput, match="finite"):
        tau_b([1, float("nan")], [1, 2])


def test_threads_change_no_count(monkeypatch: pytest.MonkeyPatch) -> None:
    # 46 systems and more share the work among threads.
    rng = np.random.default_rng(8)
    ours, theirs = rng.integers(0, 30, size=(3, 48)), rng.integers(0, 40, size=(2, 48))
    ours, theirs = (
        np.array([np.unique(row, return_inverse=True)[1] for row in rows])
        for rows in (ours, theirs)
    )
    module = import_module("medassay.stats.kendall")
    monkeypatch.setattr(module, "_CHUNK_CELLS", 50_000)
    found = [permutation_p(ours, theirs, rng=1, permutations=500)[0]]
    monkeypatch.setattr(module, "_MANY_PAIRS", 10**9)
    found.append(permutation_p(ours, theirs, rng=1, permutations=500)[0])
    assert found[0].tolist() == found[1].tolist()
    # Order by order, as scipy has it.
    orders = np.random.default_rng(1).permuted(np.tile(np.arange(48), (500, 1)), axis=1)
    drawn = [abs(scipy_stats.kendalltau(ours[0], theirs[0][order]).statistic) for order in orders]
    bar = abs(scipy_stats.kendalltau(ours[0], theirs[0]).statistic) - 1e-12
    assert found[0][0, 0] == (1 + sum(tau >= bar for tau in drawn)) / 501

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from medassay.stats import compare_all_pairs, compare_paired, sign_flip_p

whole_numbers = st.lists(st.integers(-3, 3), min_size=1, max_size=8)


def rng() -> np.random.Generator:
    return np.random.default_rng(11)


@given(whole_numbers)
def test_few_pairs_are_enumerated(row: list[int]) -> None:
    [(p, method)] = sign_flip_p(np.array([row], dtype=float), rng=rng())
    sums = [
        abs(sum(s * d for s, d in zip(signs, row, strict=True)))
        for signs in product((-1, 1), repeat=len(row))
    ]
    assert p == pytest.approx(np.mean([s >= abs(sum(row)) for s in sums]))
    assert method == "exact"


def test_many_pairs_are_drawn_and_near_the_normal_p() -> None:
    row = rng().normal(0.2, 1, size=(1, 200))
    [(p, method)] = sign_flip_p(row, rng=rng(), permutations=20_000)
    z = abs(row.sum()) / np.sqrt((row**2).sum())
    assert method == "monte-carlo"
    assert p == pytest.approx(2 * scipy_stats.norm.sf(z), abs=0.015)


def test_p_is_never_zero_and_does_not_see_zeros() -> None:
    rows = np.ones((1, 40))
    [(p, _)] = sign_flip_p(rows, rng=rng(), permutations=99)
    assert p == 1 / 100
    padded = np.concatenate([[1.0, 2.0, 3.0], np.zeros(100)])[None]
    assert sign_flip_p(padded, rng=rng()) == [(2 / 8, "exact")]


def test_rows_do_not_change_each_other() -> None:
    rows = rng().normal(size=(3, 30))
    together = sign_flip_p(rows, rng=rng(), permutations=500)
    assert [together[1]] == sign_flip_p(rows[1:2], rng=rng(), permutations=500)


def test_the_interval_is_that_of_the_paired_t_test() -> None:
    values = rng().normal(size=(2, 25))
    [found] = compare_all_pairs(values, np.ones((2, 25), dtype=bool), rng=rng())
    theirs = scipy_stats.ttest_rel(values[0], values[1]).confidence_interval(0.95)
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == pytest.approx((theirs.low, theirs.high))
    # z(.975) + z(.8) = 1.95996 + 0.84162
    error = np.std(values[0] - values[1], ddof=1) / 5
    assert found.minimal_detectable_effect == pytest.approx(2.80158 * error, rel=1e-5)


def test_whole_clusters_change_sign() -> None:
    # Cluster sums 2 and 3 in absolute value: |5| is reached by 2 of 4 signs, not by 2 of 2^5.
    differences = np.array([[1.0, 1.0, 1.0, 1.0, 1.0]])
    [found] = compare_paired(
        differences, differences > 0, rng=rng(), clusters=["a", "a", "b", "b", "b"]
    )
    assert (found.p, found.p_method) == (0.5, "exact")


def test_only_common_cases_count() -> None:
    values = np.array([[5.0, 1.0, 2.0], [9.0, 0.0, 9.0], [0.0, 0.0, 7.0]])
    known = np.array([[True, True, False], [False, True, True], [False, False, True]])
    first_second, first_third, second_third = compare_all_pairs(values, known, rng=rng())
    assert (first_second.difference, first_second.n) == (1.0, 1)
    assert first_second.interval is None
    assert first_second.undefined == "one value shows no spread"
    assert (first_third.difference, first_third.p, first_third.n) == (None, None, 0)
    assert first_third.undefined == "the two have no case in common"
    assert second_third.difference == 2.0


def test_equal_systems_have_p_one_and_no_interval() -> None:
    values = np.ones((2, 20))
    [found] = compare_all_pairs(values, values > 0, rng=rng())
    assert (found.difference, found.p, found.interval) == (0.0, 1.0, None)
    assert "all 20 values are equal" in found.undefined

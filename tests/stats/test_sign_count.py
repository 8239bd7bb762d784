"""Sign patterns counted: equal to enumeration and to Wilcoxon's tables, near many draws."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from medassay.stats import counted_sign_p, draws_for, sign_flip_p

Rows = np.ndarray


def rng() -> np.random.Generator:
    return np.random.default_rng(11)


def enumerated(rows: Rows) -> Rows:
    signs = np.array(list(product((-1.0, 1.0), repeat=rows.shape[1])))
    sums = np.abs(rows.sum(axis=1)) - 1e-11 * np.abs(rows).max(axis=1)
    return np.array(
        [(np.abs(signs @ row) >= bar).mean() for row, bar in zip(rows, sums, strict=True)]
    )


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=11), st.sampled_from([1.0, 0.1, 1 / 3, 7]))
def test_multiples_of_a_unit_are_counted_exactly(row: list[int], unit: float) -> None:
    rows = np.array([row], dtype=float) * unit
    [p], [exact] = counted_sign_p(rows)
    assert exact
    assert p == pytest.approx(enumerated(rows)[0], rel=1e-12)


@pytest.mark.parametrize("n", [20, 60, 100])
def test_signed_ranks_have_the_p_of_wilcoxons_test(n: int) -> None:
    values = rng().normal(0.4, 1, size=n)
    ranks = scipy_stats.rankdata(np.abs(values)) * np.sign(values)
    theirs = scipy_stats.wilcoxon(values, method="exact").pvalue
    [p], [exact] = counted_sign_p(ranks[None])
    assert exact
    assert p == pytest.approx(theirs, rel=1e-9)


def test_real_numbers_are_within_a_hundredth_of_enumeration() -> None:
    draw = rng()
    for rows in (
        draw.normal(0.4, 1, size=(40, 16)),
        draw.standard_cauchy(size=(40, 16)),
        draw.choice([np.sqrt(2), -1.0, 1.0], size=(40, 16)),  # ties, and no unit
    ):
        p, exact = counted_sign_p(rows)
        assert not exact.all()
        assert p == pytest.approx(enumerated(rows), rel=0.01)


def test_what_is_lost_beside_a_huge_difference_makes_p_larger_never_smaller() -> None:
    rows = rng().standard_cauchy(size=(40, 16)) ** 3  # one outweighs the others a thousandfold
    (p, _), theirs = counted_sign_p(rows), enumerated(rows)
    assert (p >= 0.99 * theirs).all()
    assert p == pytest.approx(theirs, rel=0.1)
    low = theirs < 0.1
    assert p[low] == pytest.approx(theirs[low], rel=0.01)


@pytest.mark.parametrize("n", [40, 64, 65, 400, 1500])
def test_many_differences_are_near_what_many_draws_find(n: int) -> None:
    rows = rng().normal(1.5 / np.sqrt(n), 1, size=(6, n))
    p, _ = counted_sign_p(rows)
    draws = 20_000
    drawn = np.array([value for value, _ in sign_flip_p(rows, rng=rng(), permutations=draws)])
    assert (np.abs(p - drawn) <= 4 * np.sqrt(drawn * (1 - drawn) / draws) + 1e-4).all()


def test_p_falls_with_every_case_and_is_never_zero() -> None:
    for n in (13, 50, 900, 3000):
        [p], [exact] = counted_sign_p(rng().uniform(1, 2, size=(1, n)))
        assert exact
        assert p == max(2.0 ** (1 - n), 2 * np.finfo(float).tiny)


def test_more_than_a_float_can_count_are_counted() -> None:
    # 2500 labels, half one way: the count of subsets has 750 digits.
    [p], [exact] = counted_sign_p(np.repeat([1.0, -1.0], [1290, 1210])[None])
    theirs = scipy_stats.binomtest(1290, 2500).pvalue
    assert exact
    assert p == pytest.approx(theirs, rel=1e-9)


def test_nothing_to_flip_is_no_evidence() -> None:
    p, exact = counted_sign_p(np.zeros((2, 5)))
    assert (p.tolist(), exact.tolist()) == ([1.0, 1.0], [True, True])
    assert counted_sign_p(np.zeros((0, 5)))[0].size == 0


def test_neither_order_scale_nor_direction_matter() -> None:
    rows = rng().normal(0.3, 1, size=(4, 30))
    p, _ = counted_sign_p(rows)
    for same in (-rows, rows * 1e6, rows / 1e6, rows[:, ::-1]):
        assert counted_sign_p(same)[0] == pytest.approx(p, rel=1e-6)


def test_counting_takes_over_where_draws_would_grow_with_the_square_of_the_tests() -> None:
    drawn = [draws_for(tests) for tests in (1, 100, 120, 990, 1000)]
    assert drawn == [10_000, 10_000, 12_000, 99_000, 100_000]
    assert draws_for(1035) is None  # 46 systems
    rows = np.concatenate([rng().normal(0.4, 1, size=(2, 30)), rng().integers(-2, 4, size=(1, 30))])
    before = rng()
    found = sign_flip_p(rows, rng=before, permutations=None)
    assert [method for _, method in found] == ["grid", "grid", "exact"]
    assert before.random() == rng().random()

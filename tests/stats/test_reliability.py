import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.stats import reliability_of_means


@given(st.integers(0, 10**6), st.integers(2, 6), st.integers(2, 8))
def test_complete_data_give_the_two_way_table(seed: int, systems: int, cases: int) -> None:
    values = np.random.default_rng(seed).normal(size=(systems, cases))
    values += np.arange(cases)  # cases differ in difficulty: no noise for the order of systems
    residual = values - values.mean(axis=1, keepdims=True) - values.mean(axis=0) + values.mean()
    residual_square = (residual**2).sum() / ((systems - 1) * (cases - 1))
    between_square = cases * values.mean(axis=1).var(ddof=1)
    found = reliability_of_means(values, np.ones(values.shape, dtype=bool))
    assert found.value == pytest.approx(1 - residual_square / between_square)


def test_holes_leave_the_common_cases_of_each_pair() -> None:
    # d = 1, 3 over the two common cases: mean 2, SE² = 2/2 = 1: 1 - 1/4.
    values = np.array([[2.0, 4.0, 8.0], [1.0, 1.0, 0.0]])
    known = np.array([[True, True, True], [True, True, False]])
    assert reliability_of_means(values, known).value == pytest.approx(0.75)


def test_clusters_are_the_units_of_noise() -> None:
    # d = 1, 1, 3, 3 in two clusters: mean 2, sums of residuals -2 and 2, SE² = 8/16 * 2 = 1.
    values = np.array([[1.0, 1.0, 3.0, 3.0], [0.0, 0.0, 0.0, 0.0]])
    known = np.ones(values.shape, dtype=bool)
    found = reliability_of_means(values, known, clusters=["a", "a", "b", "b"])
    assert found.value == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("values", "known", "clusters", "why"),
    [
        ([[1.0, 2.0]], [[1, 1]], None, "at least two systems"),
        ([[1.0, 2.0], [2.0, 1.0]], [[1, 0], [0, 1]], None, "no two systems share two cases"),
        ([[1.0, 2.0], [2.0, 1.0]], [[1, 1], [1, 1]], None, "all systems have the same mean"),
        ([[1.0, 2.0], [2.0, 3.0]], [[1, 1], [1, 1]], ["a", "a"], "one cluster"),
    ],
)
def test_undefined_has_a_reason(
    values: list[list[float]], known: list[list[int]], clusters: list[str] | None, why: str
) -> None:
    found = reliability_of_means(np.array(values), np.array(known, dtype=bool), clusters=clusters)
    assert found.value is None
    assert why in found.undefined

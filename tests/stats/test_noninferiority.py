"""Is the new one worse, or no worse than a margin allows?"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.errors import InvalidInput
from medassay.stats import paired_gate


def test_against_the_formula_by_hand() -> None:
    # d = 1, 0, 0, -1, -1: mean -0.2, s² = (1.44 + .04 + .04 + .64 + .64)/4 = .7, SE = sqrt(.14)
    found = paired_gate(np.array([1.0, 0.0, 0.0, -1.0, -1.0]), margin=0.5)
    error = math.sqrt(0.14)
    assert found.difference == pytest.approx(-0.2)
    assert found.interval is not None
    # t(4, .975) = 2.7764451
    assert found.interval.low == pytest.approx(-0.2 - 2.7764451052 * error)
    # P(T4 <= -0.5345225) and P(T4 >= 0.8017837), from tables of the t distribution by integration
    t = np.linspace(-400, -0.2 / error, 2_000_001)
    density = 0.375 * (1 + t**2 / 4) ** -2.5
    assert found.p_worse == pytest.approx(float(np.trapezoid(density, t)), abs=1e-6)
    t = np.linspace(0.3 / error, 400, 2_000_001)
    density = 0.375 * (1 + t**2 / 4) ** -2.5
    assert found.p_not_worse == pytest.approx(float(np.trapezoid(density, t)), abs=1e-6)
    # (1.959964 + .841621) SE
    assert found.minimal_detectable_loss == pytest.approx(2.8015852 * error, rel=1e-6)


@given(
    st.lists(st.sampled_from([-1.0, 0.0, 0.0, 0.0, 1.0]), min_size=3, max_size=60),
    st.floats(0, 0.5),
)
def test_the_verdicts_can_be_read_off_the_interval(values: list[float], margin: float) -> None:
    found = paired_gate(np.array(values), margin=margin, span=1.0)
    if found.interval is None or found.p_worse is None or found.p_not_worse is None:
        assert found.undefined
        return
    assert (found.p_worse <= 0.025) == (found.interval.high <= 0)
    if found.interval.method != "exact binomial":
        assert (found.p_not_worse <= 0.025) == (found.interval.low >= -margin)


def test_equal_answers_do_not_prove_equality() -> None:
    few = paired_gate(np.zeros(20), margin=0.02, span=1.0)
    many = paired_gate(np.zeros(400), margin=0.02, span=1.0)
    assert few.interval is not None
    # 1 - .025 ** (1/20) = .1684
    assert few.interval.low == pytest.approx(-0.16843, abs=1e-5)
    # .98 ** 20 = .6676; .98 ** 400 = .00031
    assert few.p_not_worse == pytest.approx(0.66761, abs=1e-5)
    assert many.p_not_worse == pytest.approx(0.98**400)


def test_without_a_range_equal_answers_bound_nothing() -> None:
    found = paired_gate(np.zeros(20), margin=0.02)
    assert found.interval is None
    assert found.p_not_worse is None
    assert "range" in found.undefined


def test_clusters_widen_the_interval() -> None:
    values = np.repeat([1.0, -1.0, 0.0, -1.0, 1.0, -1.0], 10)
    alone = paired_gate(values, margin=0.1)
    together = paired_gate(values, margin=0.1, clusters=np.repeat(range(6), 10).tolist())
    assert alone.interval is not None
    assert together.interval is not None
    assert together.interval.low < alone.interval.low


def test_nothing_in_common_says_so() -> None:
    found = paired_gate(np.array([]), margin=0.1)
    assert (found.difference, found.n) == (None, 0)
    assert found.undefined


@pytest.mark.parametrize("margin", [-0.1, math.nan, math.inf])
def test_a_margin_that_cannot_be_is_refused(margin: float) -> None:
    with pytest.raises(InvalidInput, match="margin"):
        paired_gate(np.array([0.0, 1.0]), margin=margin)

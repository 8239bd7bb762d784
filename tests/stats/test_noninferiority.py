"""Is the new one worse, or no worse than a margin allows?"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student

from medassay.errors import InvalidInput
from medassay.stats import Interval, could_outweigh, paired_gate, paired_gates


def test_against_the_formula_by_hand() -> None:
    # d = .8, .3, -.2, -.7, -1.2: mean -.2, s² = (1 + .25 + 0 + .25 + 1)/4 = .625, SE = sqrt(.125)
    found = paired_gate(np.array([0.8, 0.3, -0.2, -0.7, -1.2]), margin=0.5)
    error = math.sqrt(0.125)
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


def test_a_loss_that_is_the_same_everywhere_is_a_loss() -> None:
    found = paired_gate(np.full(10, -1.0), margin=0.02, span=1.0)
    assert found.interval is not None
    # q = 1 - .025 ** (1/10) = .30850; -(1 - q) + q = -.38300
    assert (found.interval.low, found.interval.high) == pytest.approx((-1.0, -0.3830), abs=1e-4)
    # one half to the power of 10
    assert found.p_worse == pytest.approx(1 / 1024)
    assert found.p_not_worse == 1.0
    # Within the margin: p = ((1 - .5)/(1 - .2)) ** 10 = .0091
    small = paired_gate(np.full(10, -0.2), margin=0.5, span=1.0)
    assert small.p_not_worse == pytest.approx(0.625**10)
    # Without a range it is the sign test's.
    assert paired_gate(np.full(10, -7.0), margin=0.02).p_worse == pytest.approx(1 / 1024)


def test_clusters_of_equal_sum_do_not_make_a_loss_certain() -> None:
    # Two systems, one always worse: each case sums to -1, and three cases prove little.
    found = paired_gate(
        np.array([-1.0, 0.0] * 3), margin=0.02, span=1.0, clusters=["a", "a", "b", "b", "c", "c"]
    )
    assert found.difference == -0.5
    # S/(S - c) = 1/1.5, to the power of 3
    assert found.p_worse == pytest.approx((2 / 3) ** 3)


def test_a_few_gains_do_not_prove_that_nothing_is_ever_lost() -> None:
    gains = np.array([1.0, *[0.0] * 99])
    found = paired_gate(gains, margin=0.02, span=1.0)
    # No loss of 100 where losses have the share .02 and gains .01: .97 ** 100 = .0476, though
    # t = (.01 + .02)/.01 = 3
    assert found.p_not_worse == pytest.approx(0.97**100)
    assert found.interval is not None
    # Losses are at most 1 - .025 ** (1/100) = .0362; .01 - .0362
    assert found.interval.low == pytest.approx(-0.0262, abs=1e-4)


def test_one_loss_is_counted_by_the_binomial() -> None:
    found = paired_gate(np.array([-1.0, 1.0, *[0.0] * 198]), margin=0.02, span=1.0)
    # P(B <= 1) of 200 with the share .02 + 1/200: .975 ** 200 + 200 * .025 * .975 ** 199
    assert found.p_not_worse == pytest.approx(0.975**200 + 5 * 0.975**199)
    many = np.array([-1.0] * 50 + [1.0] * 50 + [0.0] * 900)
    known = paired_gate(many, margin=0.02, span=1.0)
    # SE = sqrt(.1/999) = .010005: t = 1.99900 with 999 degrees of freedom, and t alone decides
    assert known.p_not_worse == pytest.approx(0.02294, abs=1e-4)


@given(
    st.lists(st.lists(st.sampled_from([-1.0, 0.0, 0.3, 1.0]), min_size=6, max_size=6), min_size=1),
    st.sampled_from([None, ["a", "a", "b", "b", "c", "c"]]),
)
def test_many_rows_are_as_one_by_one(rows: list[list[float]], clusters: list[str] | None) -> None:
    together = paired_gates(np.array(rows), margin=0.1, span=1.0, clusters=clusters)
    alone = [paired_gate(np.array(r), margin=0.1, span=1.0, clusters=clusters) for r in rows]
    assert together == alone


@pytest.mark.parametrize("true_share", [0.6, 0.75, 0.9])
def test_the_bound_of_equal_losses_keeps_its_level(true_share: float) -> None:
    # Differences are -c with the share p, else 1, so that their mean is 0: the worst case for
    # calling n equal losses a loss. P(all n equal) = p^n must stay below .025 where it is called.
    loss = (1 - true_share) / true_share
    for n in range(2, 60):
        if (paired_gate(np.full(n, -loss), margin=0.0, span=1.0).p_worse or 0) <= 0.025:
            assert true_share**n <= 0.025


def test_a_long_tail_moves_the_end_on_its_side() -> None:
    """By hand: A = 5 g/(12 sqrt(n)), T = t + A/2 + A t^2 + A^2 t^3/3, on the tail's side."""
    d = np.array([0.1] * 18 + [-0.5, -0.9])
    found = paired_gate(d, margin=0.2)
    error = d.std(ddof=1) / math.sqrt(20)
    off = d - d.mean()
    bend = 5 * (off**3).mean() / (off**2).mean() ** 1.5 / (12 * math.sqrt(20))
    t = (d.mean() + 0.2) / error
    assert bend < 0
    assert found.p_not_worse == pytest.approx(
        student.sf(t + bend / 2 + bend * t**2 + bend**2 * t**3 / 3, 19)
    )
    assert found.p_worse == pytest.approx(student.cdf(d.mean() / error, 19))
    assert found.interval is not None
    assert found.interval.high == pytest.approx(d.mean() + student.ppf(0.975, 19) * error)
    low = (d.mean() - found.interval.low) / error
    assert low + bend / 2 + bend * low**2 + bend**2 * low**3 / 3 == pytest.approx(
        student.ppf(0.975, 19)
    )
    mirrored = paired_gate(-d, margin=0.2)
    assert mirrored.interval is not None
    assert mirrored.interval.high == pytest.approx(-found.interval.low)


def test_no_spread_is_surer_than_none() -> None:
    """With 182 answers that hardly moved 0.02 of 1 is not excluded, with as many as 190 it is."""
    moved = np.tile([0.001, -0.001], 95)
    few, many = (paired_gate(moved[:n], margin=0.02, span=1.0) for n in (182, 190))
    assert few.p_not_worse == pytest.approx(0.98**182)
    assert many.p_not_worse == pytest.approx(0.98**190)
    assert few.interval is not None
    assert few.interval.low == pytest.approx(-(1 - 0.025 ** (1 / 182)))
    assert "(183 would)" in few.undefined
    assert not many.undefined
    unbounded = paired_gate(moved, margin=0.02)
    assert unbounded.p_not_worse is not None
    assert unbounded.p_not_worse < 1e-9


def test_a_small_loss_that_rare_large_gains_could_outweigh_is_not_settled() -> None:
    losses = np.full(50, -0.02) + np.tile([0.001, -0.001], 25)
    small = paired_gate(losses, margin=0.0, span=1.0)
    assert small.p_worse is not None
    assert small.p_worse < 0.025
    assert small.if_worse == (
        "not settled: rare large gains that 50 answers may not show could outweigh this loss"
    )
    assert not paired_gate(losses * 10, margin=0.0, span=1.0).if_worse


def test_rare_losses_need_luck_as_well_where_cases_differ() -> None:
    # Half an SD and more of 5-step labels: 20 cases alike could hide what outweighs .7 of 4.
    lead = 0.7
    assert could_outweigh(lead, 4.0, 20)
    alike, apart = (Interval(lead - by, lead + by, 0.95, "t", "e") for by in (0.01, 0.55))
    assert could_outweigh(lead, 4.0, 20, alike)
    assert not could_outweigh(lead, 4.0, 20, apart)
    # The other way round is the same, and what luck alone makes is the test's own question.
    turned = Interval(-lead - 0.55, -lead + 0.55, 0.95, "t", "e")
    assert not could_outweigh(-lead, 4.0, 20, turned)
    assert not could_outweigh(lead, 4.0, 200, Interval(-0.4, 1.6, 0.95, "t", "e"))


@pytest.mark.parametrize("cases", [12, 20, 50, 200])
def test_a_difference_that_all_cases_share_is_held_as_by_the_plain_power(cases: int) -> None:
    for lead in np.geomspace(0.005, 0.5, 40).tolist():
        around = Interval(lead - 1e-4, lead + 1e-4, 0.95, "t", "e")
        bound = (1 / (1 + lead)) ** cases
        if abs(np.log(bound / 0.025)) > 0.1:
            assert could_outweigh(lead, 1.0, cases, around) == (bound > 0.025)

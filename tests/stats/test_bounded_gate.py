"""Is it worse, by bounds that hold however rare and heavy losses are?"""

import math

import numpy as np
import pytest
from gate_errors import ERROR
from gate_rare_losses import ever, rare_losses, rates
from tools.endurance import Endurance

from medassay.errors import InvalidInput
from medassay.stats import bounded_gate
from medassay.stats.betting import betting_interval, betting_p, cases_needed
from medassay.validity import Change, gate


def money(values: list[float], mean: float) -> float:
    """Bet value by value, one purse a stake, as the definition says; no line is ours."""
    purses = [0.5] + [0.05] * 10
    stakes = [1.0, *(1 / 2**k for k in range(1, 11))]
    for value in values:
        purses = [
            purse * (1 + stake * (value / mean - 1))
            for purse, stake in zip(purses, stakes, strict=True)
        ]
    return sum(purses)


def test_the_p_is_that_of_betting_value_by_value() -> None:
    values = np.random.default_rng(6).random(60)
    for mean in (0.2, 0.35, 0.5):
        expected = min(1.0, 1 / money(values.tolist(), mean))
        assert betting_p(values, mean) == pytest.approx(expected)


def test_the_interval_is_what_a_grid_of_means_leaves() -> None:
    values = np.random.default_rng(7).random(80)
    low, high = betting_interval(values, 0.95)
    grid = np.linspace(0.001, 0.999, 999)
    kept = [
        mean
        for mean in grid
        if money(values.tolist(), mean) < 40 and money((1 - values).tolist(), 1 - mean) < 40
    ]
    assert low == pytest.approx(kept[0], abs=0.001)
    assert high == pytest.approx(kept[-1], abs=0.001)


@pytest.mark.parametrize(("margin", "span"), [(0.02, 1.0), (0.05, 1.0), (0.2, 4.0)])
def test_under_the_floor_nothing_is_excluded_and_from_it_on_it_is(
    margin: float, span: float
) -> None:
    least = cases_needed(margin, span, 0.95)
    under = bounded_gate(np.zeros(least - 1), margin=margin, span=span)
    at = bounded_gate(np.zeros(least), margin=margin, span=span)
    assert under.p_not_worse is not None
    assert at.p_not_worse is not None
    assert under.p_not_worse > ERROR >= at.p_not_worse
    assert f"under {least}" in under.undefined
    assert at.undefined == ""
    # No bound of this kind can need fewer than who bets all he has: (S/(S - margin))^n = 40
    assert least >= math.ceil(math.log(40) / -math.log(1 - margin / span))


def test_the_floor_of_the_usual_margin() -> None:
    assert cases_needed(0.02, 1.0, 0.95) == 216


def test_a_wholesale_loss_is_worse() -> None:
    found = bounded_gate(np.full(20, -0.5), margin=0.02, span=1.0)
    assert found.p_worse is not None
    assert found.p_worse < ERROR
    assert found.interval is not None
    assert found.interval.high < 0


def test_clusters_count_as_one_each() -> None:
    alone = bounded_gate(np.zeros(400), margin=0.02, span=1.0)
    labels = np.repeat(range(40), 10).tolist()
    together = bounded_gate(np.zeros(400), margin=0.02, span=1.0, clusters=labels)
    assert alone.p_not_worse is not None
    assert together.p_not_worse is not None
    assert alone.p_not_worse < ERROR < together.p_not_worse
    assert "clusters of cases" in together.undefined


@pytest.mark.parametrize("margin", [1.0, 2.0, 5.0])
def test_a_margin_of_the_whole_range_or_more_is_met_unless_all_is_lost(margin: float) -> None:
    found = bounded_gate(np.full(30, -0.4), margin=margin, span=1.0)
    assert found.p_not_worse is not None
    assert found.p_not_worse < ERROR


@pytest.mark.parametrize(
    ("values", "span", "word"),
    [([], 1.0, "in common"), ([0.1], None, "range"), ([0.1], 0.0, "range"), ([1.5], 1.0, "more")],
)
def test_what_cannot_be_bounded_says_why(
    values: list[float], span: float | None, word: str
) -> None:
    found = bounded_gate(np.array(values), margin=0.02, span=span)
    assert (found.interval, found.p_worse, found.p_not_worse) == (None, None, None)
    assert word in found.undefined


def test_a_margin_of_nothing_says_what_could_meet_it() -> None:
    found = bounded_gate(np.zeros(1000), margin=0.0, span=1.0)
    assert found.p_not_worse == pytest.approx(1.0)
    assert "only gains" in found.undefined


def test_a_margin_below_nothing_is_refused() -> None:
    with pytest.raises(InvalidInput, match="margin"):
        bounded_gate(np.zeros(3), margin=-0.1, span=1.0)


def test_the_gate_asks_for_it_and_says_how_many_cases_it_lacks() -> None:
    rng = np.random.default_rng(1)
    old = {("A", f"{i:02}"): 0.9 for i in range(50)}
    new = {key: 0.9 + float(rng.choice([-0.01, 0.01])) for key in old}
    change = Change("x", "higher", old, new, 0, 1)
    [by_t] = gate([change], margin=0.02)
    [by_range] = gate([change], margin=0.02, bound="betting")
    assert (by_t.verdict, by_range.verdict) == ("undecided", "undecided")
    assert "50 answers need not show one that few have and that is heavy (183 would)" in (
        by_t.systems[0].why
    )
    assert "under 216 cases" in by_range.systems[0].why


@pytest.mark.endure
@pytest.mark.parametrize("cases", [50, 200, 400])
def test_rare_and_heavy_losses_are_not_called_not_worse(cases: int, endurance: Endurance) -> None:
    studies = endurance.size("pairs of versions", short=300, whole=4000)
    found = rates(rare_losses(0.025, cases, np.random.default_rng(1), studies))
    endurance.found(
        f"wrongly not worse before {found.before:.3f}, now {found.by_t:.3f}, "
        f"by betting {found.by_betting:.3f}"
    )
    assert max(found.by_betting, found.by_t) <= ERROR + 2 * (ERROR / studies) ** 0.5
    assert cases > 100 or found.before > 0.2


def test_however_often_one_looks() -> None:
    found = ever(rare_losses(0.025, 400, np.random.default_rng(2), 200))
    assert max(found.by_betting, found.by_t) <= ERROR < found.before

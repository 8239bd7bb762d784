"""Order that stands whichever two systems are left out, and the tau that luck reaches."""

from itertools import combinations

import numpy as np
import pytest
from rank_permits import BROKEN, NULLS, SCREENS, SIMULATIONS, Cell, permits
from scipy import stats
from tools.endurance import Endurance

from medassay.scores import Grid
from medassay.stats import tau_p_without_any_two
from medassay.validity import Source
from medassay.validity.block import blocks
from medassay.validity.order_test import OrderTest, order_test, order_tests_over_all, rank_bar


@pytest.mark.parametrize("systems", [5, 7, 9])
def test_the_p_is_the_largest_of_all_ways_to_leave_two_out(systems: int) -> None:
    rng = np.random.default_rng(systems)
    for _ in range(20):
        x = rng.normal(size=systems)
        y = x + rng.normal(size=systems)
        largest = 0.0
        for out in (*[()], *combinations(range(systems), 1), *combinations(range(systems), 2)):
            left = np.delete(np.arange(systems), out)
            found = stats.kendalltau(x[left], y[left], method="exact")
            largest = max(largest, found.pvalue if found.statistic > 0 else 1.0)
        assert tau_p_without_any_two(x, y) == pytest.approx(largest)


@pytest.mark.slow
def test_ties_make_it_larger_than_over_orders_with_those_ties() -> None:
    x, y = [1, 2, 3, 4, 5, 6, 7, 8], [1, 1, 3, 3, 5, 6, 6, 8]
    tied = stats.permutation_test(
        (x,), lambda order: stats.kendalltau(order, y).statistic, permutation_type="pairings"
    ).pvalue
    found = tau_p_without_any_two(x, y)
    assert found is not None
    assert found > tied


def test_what_is_too_few_or_the_same_for_all_has_no_p() -> None:
    assert tau_p_without_any_two([1, 2, 3, 4], [1, 2, 3, 4]) is None
    assert tau_p_without_any_two([1, 1, 1, 1, 1], [1, 2, 3, 4, 5]) is None


def test_two_garbage_systems_make_no_order() -> None:
    rng = np.random.default_rng(5)
    quality = np.r_[np.zeros(10), -9, -9][:, None]
    sides = [quality + rng.normal(size=(12, 40)) for _ in range(2)]
    names = tuple(f"{i:02}" for i in range(12)), tuple(f"{i:02}" for i in range(40))
    metric, human = (
        Source(name, Grid(*names, values, np.ones((12, 40), dtype=bool)))
        for name, values in zip("mh", sides, strict=True)
    )
    [block] = blocks([metric], [human])
    alone = order_test(block, 0, 0, None)
    assert alone.p is not None
    assert alone.p > 0.2
    of_families = order_test(block, 0, 0, {name: name[0] for name in names[0]})
    assert of_families.undefined == "not to be had under 5 families of systems; there are 2"


@pytest.mark.slow
def test_the_bar_falls_with_systems_and_rises_with_what_one_can_pick_from() -> None:
    drawn = [rank_bar(systems, 15) or 1.0 for systems in (8, 12, 16, 25, 40)]
    by_variance = [rank_bar(systems, 15) or 1.0 for systems in (41, 60, 150)]
    assert drawn == sorted(drawn, reverse=True)
    assert by_variance == sorted(by_variance, reverse=True)
    assert drawn[-1] < by_variance[0] < drawn[-1] + 0.03  # the normal one lies a little higher
    tests = [rank_bar(20, tests) or 1.0 for tests in (1, 5, 15, 90)]
    assert tests == sorted(tests)
    assert rank_bar(6, 15) is None
    assert rank_bar(2, 1) is None


@pytest.mark.parametrize("systems", [10, 20])
def test_the_bar_is_where_the_best_of_five_lies_in_one_study_of_twenty(systems: int) -> None:
    rng = np.random.default_rng(8)
    bar = rank_bar(systems, 5)
    assert bar is not None
    above = 0
    for _ in range(2000):
        raters, own = rng.normal(size=(2, 5, systems))
        metric = np.sqrt(0.5) * (raters + own)
        alike = np.sign(raters[:, :, None] - raters[:, None]) * np.sign(
            metric[:, :, None] - metric[:, None]
        )
        above += (alike.sum(axis=(1, 2)) / (systems * (systems - 1))).max() > bar + 1e-9
    assert above / 2000 < 0.05 + 1.64 * (0.05 * 0.95 / 2000) ** 0.5


def test_holm_and_the_bar_count_all_that_have_a_test() -> None:
    first, second, none = order_tests_over_all(
        [OrderTest(20, p=0.001), OrderTest(20, p=0.04), OrderTest(4, undefined="few")]
    )
    assert (first.p_adjusted, second.p_adjusted, none.p_adjusted) == (0.002, 0.04, None)
    assert first.bar == second.bar == rank_bar(20, 2)
    assert (first.tests, none.tests) == (2, 0)


@pytest.mark.endure
@pytest.mark.parametrize(
    "cell",
    [
        cell
        for cell in (*NULLS, *BROKEN[:2], *SCREENS)
        if cell.systems in (8, 12, 25) and not cell.good
    ],
    ids=lambda cell: f"{cell.use}, {cell.title}, {cell.systems}",
)
def test_metrics_are_seldom_wrongly_permitted(cell: Cell, endurance: Endurance) -> None:
    studies = endurance.size("studies", short=10, whole=SIMULATIONS)
    seen = permits(cell, studies)
    endurance.found(f"any wrongly permitted {seen['wrong'] / studies:.1%}")
    # The goal of 5%, and three Monte Carlo errors.
    assert seen["wrong"] / studies < 0.05 + 3 * (0.05 * 0.95 / studies) ** 0.5

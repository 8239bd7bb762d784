"""What a study of a size can show at best, held against orders counted one by one."""

from itertools import permutations
from math import factorial

import pytest
from scipy import stats

from medassay.stats import untied_tail
from medassay.validity import at_best


@pytest.mark.parametrize("systems", [5, 6, 7, 8, 9])
def test_the_smallest_p_and_tau_are_those_of_every_order_without_two(systems: int) -> None:
    first = list(range(systems - 2))
    taus = [stats.kendalltau(first, order).statistic for order in permutations(first)]
    for metrics in (1, 2, 5, 12):
        found = at_best(systems, metrics, 50, dimensions=2)
        share = {t: sum(abs(u) > abs(t) - 1e-9 for u in taus) / len(taus) for t in set(taus)}
        stand = [t for t, p in share.items() if t > 0 and 2 * metrics * p <= 0.05]
        assert found.smallest == pytest.approx(min(1, 2 * metrics * 2 / factorial(systems - 2)))
        assert found.tau == (pytest.approx(min(stand)) if stand else None)


@pytest.mark.parametrize("systems", [8, 12, 28])
def test_the_tail_is_that_of_scipy(systems: int) -> None:
    tail, pairs = untied_tail(systems), systems * (systems - 1) // 2
    order = list(range(systems))
    for turned in (0, 1, 5, systems):
        changed = order[:]
        for i in range(turned):  # each neighbouring swap turns one pair round
            j = 2 * i % (systems - 1)
            changed[j], changed[j + 1] = changed[j + 1], changed[j]
        found = stats.kendalltau(order, changed, method="exact")
        assert tail[round(abs(found.statistic) * pairs)] == pytest.approx(found.pvalue, rel=1e-6)


def test_so_many_systems_as_are_named_would_do_and_no_fewer() -> None:
    for metrics in (1, 5, 18, 40):
        needed = at_best(4, metrics, 50).systems_needed
        assert at_best(needed, metrics, 50).tau is not None
        assert at_best(needed - 1, metrics, 50).tau is None
        ranks = at_best(4, metrics, 50).rank_systems_needed
        assert at_best(ranks, metrics, 50).rank_bar is not None
        assert at_best(ranks - 1, metrics, 50).rank_bar is None


@pytest.mark.parametrize("found", [1.0, 0.8, 0.5])
def test_harm_that_nobody_saw_is_bounded_as_the_binomial_says(found: float) -> None:
    best = at_best(3, 1, 100, harm_found=found)
    assert best.harm is not None
    assert (1 - best.harm * found) ** 100 == pytest.approx(0.05)
    under = at_best(3, 1, best.answers_for_one_percent, harm_found=found).harm
    over = at_best(3, 1, best.answers_for_one_percent - 1, harm_found=found).harm
    assert under is not None
    assert over is not None
    assert under <= 0.01 < over


def test_a_gate_asks_for_twelve_systems_and_counts_a_family_once() -> None:
    assert at_best(6, 4, 50).gate_systems_lacking == 6
    assert at_best(12, 4, 50).gate_systems_lacking == 0
    few = at_best(20, 4, 50, families=11)
    assert (few.families, few.gate_systems_lacking) == (11, 1)
    assert few.rank_bar == at_best(11, 4, 50).rank_bar


def test_what_cannot_be_had_has_no_number() -> None:
    nothing = at_best(2, 0, 0)
    assert (nothing.smallest, nothing.tau, nothing.harm, nothing.kappa_half_width) == (None,) * 4
    assert at_best(2, 4, 10).smallest is None

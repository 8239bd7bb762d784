"""Blocks of systems are found in any order; answers that came mixed are left be."""

import numpy as np
import pytest
from judging_order import ORDERS, places
from scipy.stats import chi2, kruskal

from medassay.validity import judging_order


def test_of_one_sitting_it_is_kruskal_and_wallis_ties_and_all() -> None:
    rng = np.random.default_rng(1)
    systems, place = rng.choice(list("ABC"), 60).tolist(), rng.integers(30, size=60).astype(float)
    groups = [place[np.array(systems) == name] for name in "ABC"]
    assert judging_order(["ann"] * 60, systems, place.tolist()).p == pytest.approx(
        kruskal(*groups).pvalue
    )


def test_sittings_are_added_up_and_each_has_its_own_places() -> None:
    rng = np.random.default_rng(2)
    systems = list("AB") * 40
    place = [*rng.normal(size=40), *(1000 + rng.normal(size=40))]
    h = [
        kruskal(np.array(place[side])[::2], np.array(place[side])[1::2]).statistic
        for side in (slice(40), slice(40, 80))
    ]
    found = judging_order(["first"] * 40 + ["second"] * 40, systems, place)
    assert found.p == pytest.approx(chi2.sf(sum(h), 2))


@pytest.mark.parametrize("order", ORDERS[:-1])
def test_blocks_of_any_kind_are_found_and_mixed_answers_are_none(order: str) -> None:
    rng = np.random.default_rng(3)
    at = np.array([places(order, rng) for _ in range(3)])
    rater, system, _ = np.indices(at.shape)
    found = judging_order(
        rater.ravel().tolist(), [str(i) for i in system.ravel()], at.ravel().tolist()
    )
    assert found.kind == ("mixed" if order in ORDERS[:2] else "blocks")


def test_places_that_are_not_known_or_all_alike_say_nothing() -> None:
    assert judging_order([], [], []).kind == "unknown"
    assert judging_order(["ann"] * 9, ["A"] * 9, [7.0] * 9).kind == "unknown"
    assert judging_order(["ann"] * 9, ["A"] * 9, list(range(9))).kind == "mixed"

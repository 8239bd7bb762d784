"""Triage: by hand, whatever the order of rows, and what it saves on real judgements."""

import numpy as np
import pytest
from tools import triage_savings
from tools.endurance import Endurance

from medassay.scores import Grid, Unit
from medassay.validity import Source, Triaged, TriageWeights, disagreement_of, triage

SYSTEMS, CASES = ("A", "B", "C"), tuple("123456")


def table(shown: int) -> Grid:
    known = np.zeros((3, 6), dtype=np.bool_)
    known[:, :shown] = True
    rng = np.random.default_rng(4)
    values = np.array([[0.9], [0.85], [0.1]]) + 0.2 * rng.normal(size=(3, 6))
    return Grid(SYSTEMS, CASES, np.where(known, values, 0), known)


def taken(found: list[Triaged]) -> list[tuple[str, str]]:
    return [(one.system, one.case) for one in found]


def test_two_systems_that_are_close_come_before_one_far_off() -> None:
    grid = table(4)
    found = triage(grid, ~grid.known, count=4, variance=0.04)
    assert {one.system for one in found} == {"A", "B"}
    # Whoever is taken second is taken on the case of the first: the case falls out.
    assert found[0].case == found[1].case
    assert all("place is unsure" in one.why for one in found)


def test_with_ranking_alone_flags_and_disagreement_change_nothing() -> None:
    grid = table(3)
    alone = TriageWeights(1, 0, 0)
    apart = np.random.default_rng(1).random((3, 6))
    plain = triage(grid, ~grid.known, count=9, variance=0.04, weights=alone)
    told = triage(
        grid, ~grid.known, count=9, variance=0.04, weights=alone, flags={Unit("C", "6"): "harm"},
        disagreement=apart,
    )  # fmt: skip
    assert taken(plain) == taken(told)
    assert len(set(taken(plain))) == 9
    assert [one.why for one in plain] == [one.why for one in told]


def test_a_flag_comes_first_and_says_why() -> None:
    grid = table(3)
    [first] = triage(
        grid, ~grid.known, count=1, variance=0.04,
        flags={Unit("C", "6"): "1 of 2 labels read harmful"},
        weights=TriageWeights(0, 1, 0.5),
    )  # fmt: skip
    assert (first.system, first.case, first.priority) == ("C", "6", 1.0)
    assert first.why == "1 of 2 labels read harmful"


def test_the_order_of_rows_means_nothing() -> None:
    grid = table(2)
    turned = Grid(SYSTEMS[::-1], CASES[::-1], grid.values[::-1, ::-1], grid.known[::-1, ::-1])
    one = triage(grid, ~grid.known, count=12, variance=0.04)
    other = triage(turned, ~turned.known, count=12, variance=0.04)
    assert taken(one) == taken(other)


def test_disagreement_is_between_none_and_all() -> None:
    rng = np.random.default_rng(2)
    grids = [Grid(SYSTEMS, CASES, rng.random((3, 6)), np.ones((3, 6), dtype=bool)) for _ in "abc"]
    sources = [Source(name, grid) for name, grid in zip("abc", grids, strict=True)]
    found = disagreement_of(sources)
    assert found.shape == (3, 6)
    assert ((found >= 0) & (found <= 1)).all()
    assert not disagreement_of(sources[:1]).any()
    assert not disagreement_of([sources[0], sources[0]]).any()


@pytest.mark.slow
@pytest.mark.endure
def test_triage_for_the_ranking_comes_nearer_than_random_answers_on_openqa(
    endurance: Endurance,
) -> None:
    seeds = endurance.size("seeds", short=6, whole=60)
    human, metrics, bad = triage_savings.openqa()
    ways = triage_savings.orders(metrics)
    curves = {
        name: triage_savings.simulate(human, ways[name], bad, seeds=seeds)[0]
        for name in ("random answers", "triage, ranking alone")
    }
    means = [float(curve.mean()) for curve in curves.values()]
    endurance.found(", ".join(f"{name} {m:.3f}" for name, m in zip(curves, means, strict=True)))
    # On average over all numbers of judgements: where a curve crosses a bar hangs on a few draws.
    assert curves["triage, ranking alone"].mean() > curves["random answers"].mean() + 0.02

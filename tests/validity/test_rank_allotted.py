"""Leaderboards of systems that chance gave different cases."""

from dataclasses import asdict

import numpy as np
import pytest

from medassay.scores import Grid
from medassay.stats import compare_all_pairs
from medassay.validity import Direction, Leaderboard, Source, rank_systems


def _source(shared: int, direction: Direction = "higher", *, harder: bool = False) -> Source:
    """Give three systems a hundred cases each, so many of them shared; the first may be better."""
    rng = np.random.default_rng([11, shared])
    cases = 300
    hard = rng.normal(size=cases)
    known = np.zeros((3, cases), dtype=bool)
    known[:, :shared] = True
    rest = rng.permutation(np.arange(shared, cases))
    for place, row in enumerate(known):
        row[rest[place * (100 - shared) : (place + 1) * (100 - shared)]] = True
    if harder:
        own = np.arange(shared, cases)
        known[0, shared:] = False
        known[0, own[np.argsort(hard[own])[: 100 - shared]]] = True
    seen = 3 + hard + 0.7 * rng.normal(size=known.shape)
    seen[0] += 0.0 if harder else 0.9
    ids = ("a", "b", "c"), tuple(f"{k:03}" for k in range(cases))
    return Source("m", Grid(*ids, seen, known), direction)


def _board(source: Source, *, by_chance: bool = True) -> Leaderboard:
    return rank_systems(source, rng=1, replicates=300, by_chance=by_chance)


def test_with_every_case_shared_nothing_is_new() -> None:
    for direction in ("higher", "lower", "none"):
        source = _source(100, direction)
        assert asdict(_board(source)) == asdict(_board(source, by_chance=False))
    tested = compare_all_pairs(
        *(getattr(_source(100).grid, part)[:, :100] for part in ("values", "known")), rng=1
    )
    found = {pair.p for pair in _board(_source(100)).comparisons}
    assert found == {pair.p for pair in tested}
    undeclared = _board(_source(100), by_chance=False)
    assert _board(_source(100)).comparisons == undeclared.comparisons


@pytest.mark.parametrize("shared", [0, 25, 50])
def test_cases_of_one_alone_decide_what_shared_ones_cannot(shared: int) -> None:
    source = _source(shared)
    now, before = _board(source), _board(source, by_chance=False)
    assert next(row.system for row in now.standings) == "a"
    assert {row.adjusted_for for row in now.standings} == {"allotted cases"}
    assert all(row.rank is not None and row.adjusted is not None for row in now.standings)
    for pair in now.comparisons:
        assert (pair.n, pair.alone) == (shared, 2 * (100 - shared))
        assert pair.interval is not None
    first = {pair.system_b: pair for pair in now.comparisons if pair.system_a == "a"}
    assert all((pair.p_adjusted or 1.0) < 0.05 for pair in first.values())
    assert all(pair.alone == 0 for pair in before.comparisons)
    if not shared:
        assert {row.rank for row in before.standings} == {None}


def test_adjusted_means_order_the_systems_and_differences_are_theirs() -> None:
    board = _board(_source(40))
    adjusted = {row.system: row.adjusted or 0.0 for row in board.standings}
    assert list(adjusted.values()) == sorted(adjusted.values(), reverse=True)
    for pair in board.comparisons:
        assert pair.difference == pytest.approx(adjusted[pair.system_a] - adjusted[pair.system_b])
    lower = _board(_source(40, "lower"))
    assert [row.system for row in lower.standings] == [*adjusted][::-1]
    none = _board(_source(40, "none"))
    assert {row.rank for row in none.standings} == {None}


def test_harder_cases_make_no_lead_where_nobody_says_that_chance_dealt_them() -> None:
    source = _source(50, harder=True)
    undeclared, declared = _board(source, by_chance=False), _board(source)
    assert all((pair.p_adjusted or 0.0) > 0.05 for pair in undeclared.comparisons)
    # The declaration is what a false one costs.
    assert any((pair.p_adjusted or 1.0) <= 0.05 for pair in declared.comparisons)


def test_a_system_without_a_value_stands_last_and_is_compared_with_nobody() -> None:
    grid = _source(50).grid
    values = np.append(grid.values, grid.values[:1], axis=0)
    known = np.append(grid.known, np.zeros((1, len(grid.cases)), dtype=np.bool_), axis=0)
    more = Source("m", Grid(("a", "b", "c", "d"), grid.cases, values, known))
    board = _board(more)
    assert [row.rank for row in board.standings][3] is None
    assert {pair.system_b for pair in board.comparisons} <= {"a", "b", "c"}

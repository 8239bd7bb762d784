"""Ranks of twelve systems and more: sets that hold at once, on every kind of board."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.judgements import Units
from medassay.scores import Grid
from medassay.stats import bootstrap_counts, pair_index, rank_sets, ranks
from medassay.validity import Direction, Leaderboard, RaterAdjustment, Source, rank_systems
from medassay.validity.composite import rank_pooled

ALL = np.array(list(product(range(5), repeat=5)))
PLACES = np.array([ranks(means) for means in ALL])


def a_source(
    systems: int, cases: int, direction: Direction = "higher", *, holes: bool = False
) -> Source:
    rng = np.random.default_rng(5)
    values = np.linspace(1, 0, systems)[:, None] + rng.normal(0, 0.3, size=(systems, cases))
    known = np.ones(values.shape, dtype=bool)
    if holes:
        known = rng.random(values.shape) < 0.8
    ids = [f"s{i:02}" for i in range(systems)], [f"c{k:02}" for k in range(cases)]
    return Source("m", Grid(tuple(ids[0]), tuple(ids[1]), values, known), direction)


def counted(board: Leaderboard, *, higher: bool) -> list[tuple[int | None, ...]]:
    """Count for each system those that the board's own tests put above it, and below."""
    above = {row.system: 0 for row in board.standings}
    below = dict(above)
    for pair in board.comparisons:
        assert pair.difference is not None
        assert pair.p_adjusted is not None
        if pair.p_adjusted <= 0.05:
            a_first = (pair.difference > 0) == higher
            a, b = pair.system_a, pair.system_b
            below[a if a_first else b] += 1
            above[b if a_first else a] += 1
    n = len(board.standings)
    return [
        (row.rank, min(1 + above[row.system], row.rank or n),
         max(n - below[row.system], row.rank or 1))
        for row in board.standings
    ]  # fmt: skip


def shown(board: Leaderboard) -> list[tuple[int | None, ...]]:
    return [(row.rank, row.rank_low, row.rank_high) for row in board.standings]


@given(
    st.lists(st.floats(-1, 1).map(lambda mean: round(mean, 3)), min_size=5, max_size=5),
    st.floats(0, 1),
)
def test_a_set_has_the_places_of_all_means_that_the_tests_allow(
    estimates: list[float], apart_from: float
) -> None:
    first, second = pair_index(5)
    differences = np.array(estimates)[first] - np.array(estimates)[second]
    apart = np.abs(differences) > apart_from
    low, high = rank_sets(differences, apart, ranks(estimates))
    signs = np.sign(ALL[:, first] - ALL[:, second])
    allowed = (~apart | (signs == np.sign(differences))).all(axis=1)
    assert low.tolist() == PLACES[allowed].min(axis=0).tolist()
    # Places are shared from the best: systems with one mean may have any of those that they take.
    last = np.array([6 - ranks(-means) for means in ALL[allowed]]).max(axis=0)
    assert high.tolist() == last.tolist()


def test_the_steps_of_the_largest_statistic_by_brute_force() -> None:
    source = a_source(12, 7)
    values = source.grid.values
    first, second = pair_index(12)
    d = values[first] - values[second]
    signs = np.array(list(product([-1, 1], repeat=7)))
    scaled = d / np.sqrt((d**2).sum(axis=1))[:, None]
    seen, drawn = np.abs(scaled.sum(axis=1)), np.abs(signs @ scaled.T)
    apart, left = np.zeros(66, dtype=bool), list(range(66))
    while left:
        top = max(left, key=seen.__getitem__)
        if (drawn[:, left].max(axis=1) >= seen[top] - 1e-9).mean() > 0.05:
            break
        apart[top] = True
        left.remove(top)
    assert 0 < apart.sum() < 66
    better = np.zeros((12, 12), dtype=bool)
    for i, j, gap, told in zip(first, second, d.mean(axis=1), apart, strict=True):
        better[(i, j) if gap > 0 else (j, i)] = told
    board = rank_systems(source, rng=1, replicates=100)
    for row in board.standings:
        at = source.grid.systems.index(row.system)
        assert row.rank_low == 1 + better[:, at].sum()
        assert row.rank_high == 12 - better[at].sum()


@pytest.mark.parametrize("direction", ["higher", "lower"])
@pytest.mark.parametrize("holes", [False, True])
@pytest.mark.parametrize("by_chance", [False, True])
def test_a_board_of_twelve_has_what_its_tests_leave_open(
    direction: Direction, *, holes: bool, by_chance: bool
) -> None:
    source = a_source(12, 60, direction, holes=holes)
    board = rank_systems(source, rng=1, replicates=100, by_chance=by_chance)
    assert shown(board) == counted(board, higher=direction == "higher")
    assert any(row.rank_low != row.rank_high for row in board.standings)
    assert any(row.rank_low != 1 for row in board.standings)


def test_eleven_systems_keep_the_range_of_resamples() -> None:
    board = rank_systems(a_source(11, 60), rng=1, replicates=400)
    assert shown(board) != counted(board, higher=True)


def test_without_a_direction_nobody_has_a_place() -> None:
    board = rank_systems(a_source(12, 20, "none"), rng=1, replicates=100)
    assert {*shown(board)} == {(None, None, None)}


def test_a_board_adjusted_for_raters_has_what_its_own_tests_leave_open() -> None:
    rng = np.random.default_rng(2)
    keys = [(f"s{i:02}", f"c{k:02}") for i in range(12) for k in range(30)]
    quality = np.repeat(np.linspace(4, 0, 12), 30)
    raters = rng.random((len(keys), 4)).argsort(axis=1)[:, :2]
    codes = np.full((len(keys), 4), -1)
    for i, of_answer in enumerate(raters):
        said = quality[i] + 0.4 * of_answer + rng.normal(0, 0.7, 2)
        codes[i, of_answer] = np.clip(np.rint(said), 0, 5)
    units = Units.from_codes(codes.tolist(), list("012345"), keys=keys, scores=list(range(6)))
    board = rank_systems(a_source(12, 30), rng=1, replicates=100)
    adjusted = RaterAdjustment(units).reranked(board, rng=1, replicates=100)
    assert {row.adjusted_for for row in adjusted.standings} == {"raters"}
    assert shown(adjusted) == counted(adjusted, higher=True)


def test_pooled_values_have_sets_too_and_who_is_not_tested_may_stand_anywhere() -> None:
    values = a_source(13, 40).grid.values
    whole = np.arange(13) != 6
    drawn = values @ bootstrap_counts(40, 200, np.random.default_rng(3)).T / 40
    places = rank_pooled(values.mean(axis=1), drawn, values, whole, rng=np.random.default_rng(1))
    assert (places[6].low, places[6].high) == (None, None)
    assert places[0].low == 1
    assert places[12].high == 13
    ends = [p.high - p.low for p in places if p.low is not None and p.high is not None]
    assert len(ends) == 12
    assert min(ends) >= 1

import time
from dataclasses import replace

import numpy as np
import pytest

from medassay.scores import Grid
from medassay.stats import pair_index, sign_flip_p
from medassay.validity import Comparison, Direction, Leaderboard, Source, rank_systems


def a_source(direction: Direction = "higher", *, systems: int = 6, cases: int = 30) -> Source:
    rng = np.random.default_rng(8)
    values = np.linspace(1, 0, systems)[:, None] + rng.normal(0, 0.6, size=(systems, cases))
    ids = tuple(f"s{i}" for i in range(systems)), tuple(f"c{k}" for k in range(cases))
    return Source("m", Grid(*ids, values, np.ones(values.shape, dtype=bool)), direction)


def board_of(source: Source) -> Leaderboard:
    return rank_systems(source, rng=np.random.default_rng(1), replicates=400)


def shuffled(source: Source) -> Source:
    grid = source.grid
    rng = np.random.default_rng(3)
    rows, columns = rng.permutation(len(grid.systems)), rng.permutation(len(grid.cases))
    cells = np.ix_(rows, columns)
    moved = Grid(
        tuple(grid.systems[i] for i in rows),
        tuple(grid.cases[k] for k in columns),
        grid.values[cells],
        grid.known[cells],
    )
    return Source(source.name, moved, source.direction)


def test_places_ranges_and_letters_hang_together() -> None:
    board = board_of(a_source())
    assert [standing.rank for standing in board.standings] == [1, 2, 3, 4, 5, 6]
    for standing in board.standings:
        assert standing.rank is not None
        assert standing.rank_low is not None
        assert standing.rank_high is not None
        assert 1 <= standing.rank_low <= standing.rank <= standing.rank_high <= 6
        assert (standing.n, standing.missing, standing.reason) == (30, 0, "")
    letters = {standing.system: set(standing.letters) for standing in board.standings}
    verdicts = set()
    for pair in board.comparisons:
        assert pair.p is not None
        assert pair.p_adjusted is not None
        assert pair.p_adjusted >= pair.p
        apart = pair.p_adjusted <= 0.05
        assert apart != bool(letters[pair.system_a] & letters[pair.system_b])
        verdicts.add(apart)
    assert verdicts == {True, False}


def test_row_order_changes_nothing_and_the_seed_decides() -> None:
    source = a_source()
    assert board_of(source) == board_of(shuffled(source))
    other = rank_systems(source, rng=np.random.default_rng(2), replicates=400)
    assert other != board_of(source)


def test_lower_is_better_turns_the_table_round() -> None:
    higher, lower = board_of(a_source()), board_of(a_source("lower"))
    assert [s.system for s in lower.standings] == [s.system for s in reversed(higher.standings)]
    assert lower.standings[0].rank == 1


def test_without_a_direction_nobody_has_a_place() -> None:
    board = board_of(a_source("none"))
    assert {(s.rank, s.rank_low, s.rank_high) for s in board.standings} == {(None, None, None)}
    assert all(s.letters for s in board.standings)
    means = [s.mean for s in board.standings if s.mean is not None]
    assert means == sorted(means, reverse=True)


def test_ties_share_the_best_place() -> None:
    values = np.array([[1.0, 3.0], [3.0, 1.0], [5.0, 5.0], [0.0, 1.0]])
    grid = Grid(("B", "A", "C", "D"), ("1", "2"), values, values >= 0)
    board = board_of(Source("m", grid))
    assert [(s.system, s.rank) for s in board.standings] == [("C", 1), ("A", 2), ("B", 2), ("D", 4)]


def test_a_system_without_a_score_is_listed_without_a_place() -> None:
    source = a_source()
    known = source.grid.known.copy()
    known[2] = False
    known[:, 7] = False
    known[4, 1] = False
    board = board_of(replace(source, grid=replace(source.grid, known=known)))
    last = board.standings[-1]
    assert (last.system, last.mean, last.rank, last.letters) == ("s2", None, None, "")
    assert last.reason == "nothing is known here"
    assert board.n_cases == 29
    assert {(s.system, s.n, s.missing) for s in board.standings if s.missing} == {
        ("s4", 28, 1),
        ("s2", 0, 29),
    }
    assert len(board.comparisons) == 10


def test_clusters_widen_intervals() -> None:
    source = a_source(cases=10)
    grid = source.grid
    doubled = Grid(
        grid.systems,
        tuple(f"{case}-{copy}" for case in grid.cases for copy in "ab"),
        np.repeat(grid.values, 2, axis=1),
        np.repeat(grid.known, 2, axis=1),
    )
    clusters = {case: case.split("-")[0] for case in doubled.cases}
    rng = np.random.default_rng(1)
    naive = rank_systems(Source("m", doubled), rng=rng, replicates=50)
    honest = rank_systems(Source("m", doubled), rng=rng, replicates=50, clusters=clusters)
    single = rank_systems(source, rng=rng, replicates=50)
    widths = [
        board.standings[0].interval.high - board.standings[0].interval.low
        for board in (naive, honest, single)
        if board.standings[0].interval is not None
    ]
    # Copies add nothing: with clusters the interval is that of the ten cases.
    assert widths[1] == pytest.approx(widths[2])
    assert widths[0] < widths[1]


def test_no_case_at_all_is_an_empty_board() -> None:
    grid = Grid(("A", "B"), ("1",), np.zeros((2, 1)), np.zeros((2, 1), dtype=bool))
    board = board_of(Source("m", grid))
    assert board.n_cases == 0
    assert [s.rank for s in board.standings] == [None, None]
    assert board.comparisons == ()


@pytest.mark.parametrize(("systems", "draws"), [(6, 10_000), (16, 12_000)])
def test_few_systems_are_held_against_as_many_draws_as_ever(systems: int, draws: int) -> None:
    source = a_source(systems=systems)
    board = board_of(source)
    order = [int(standing.system.removeprefix("s")) for standing in board.standings]
    first, second = pair_index(systems)
    values = source.grid.values[order]
    # Cases are sorted by name before a sign is drawn for each.
    values = values[:, sorted(range(30), key=lambda k: f"c{k}")]
    rng = np.random.default_rng(1)
    expected = sign_flip_p(values[first] - values[second], rng=rng, permutations=draws)
    assert [(pair.p, pair.method) for pair in board.comparisons] == expected


@pytest.mark.slow
def test_many_systems_are_counted_and_near_what_draws_find() -> None:
    source = a_source(systems=50, cases=25)
    board, again = board_of(source), rank_systems(source, rng=np.random.default_rng(2))
    assert {pair.method for pair in board.comparisons} == {"exact", "grid"}
    assert board.comparisons == again.comparisons, "no p is a matter of chance"
    row = {system: place for place, system in enumerate(source.grid.systems)}
    pairs = [(row[pair.system_a], row[pair.system_b]) for pair in board.comparisons]
    differences = np.array([source.grid.values[i] - source.grid.values[j] for i, j in pairs])
    drawn = sign_flip_p(differences, rng=np.random.default_rng(3), permutations=20_000)
    for pair, (p, _) in zip(board.comparisons, drawn, strict=True):
        assert pair.p is not None
        assert abs(pair.p - p) <= 5 * np.sqrt(p * (1 - p) / 20_000) + 1e-4
    apart = [pair.p_adjusted is not None and pair.p_adjusted <= 0.05 for pair in board.comparisons]
    assert 0 < sum(apart) < len(apart)


@pytest.mark.slow
def test_the_work_grows_with_the_pairs_and_not_with_their_square() -> None:
    def work(systems: int) -> float:
        source = a_source(systems=systems, cases=20)
        start = time.process_time()
        rank_systems(source, rng=np.random.default_rng(1), replicates=100)
        return time.process_time() - start

    # Twice the systems are four times the pairs; draws for each pair would make it sixteen.
    assert work(100) < 10 * work(50)


def failing_once(systems: int, *, better: int, worth: float = 0.0) -> Comparison:
    """Compare a system that fails in one of forty answers, and else is ahead in some, with one."""
    values = np.full((systems, 40), 0.75)
    values[0, :better], values[0, 39] = 1.0, worth
    ids = tuple(f"s{i:02}" for i in range(systems)), tuple(f"c{k}" for k in range(40))
    grid = Grid(*ids, values, np.ones(values.shape, dtype=bool))
    pairs = rank_systems(Source("m", grid), rng=1, replicates=10).comparisons
    return next(pair for pair in pairs if {pair.system_a, pair.system_b} == {"s00", "s01"})


def test_a_tail_of_losses_leaves_a_lead_undecided_whatever_the_scale() -> None:
    pair = failing_once(3, better=14)
    assert pair.p_adjusted is not None
    assert pair.p_lead is not None
    assert pair.p_adjusted <= 0.05 < pair.p_lead
    assert pair.may_reverse(None, None, 3)
    assert not pair.may_reverse(None, None, 3, level=pair.p_lead)
    even = failing_once(3, better=14, worth=0.5)
    assert even.p_adjusted is not None
    assert even.p_adjusted <= 0.05
    assert even.p_lead is None
    assert not even.may_reverse(None, None, 3)


def test_of_many_systems_too_a_lead_is_asked_for_its_tail() -> None:
    pair = failing_once(47, better=30)
    assert pair.p_adjusted is not None
    assert pair.p_lead is not None
    assert pair.p_lead > pair.p_adjusted

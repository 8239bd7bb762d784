import numpy as np
import pytest

from medassay.scores import Grid
from medassay.validity import Source, case_difficulty

SYSTEMS, CASES = 30, 40


def source(values: np.ndarray, known: np.ndarray | None = None) -> Source:
    systems = tuple(f"s{i:02}" for i in range(values.shape[0]))
    cases = tuple(f"c{k:02}" for k in range(values.shape[1]))
    there = np.ones(values.shape, dtype=bool) if known is None else known
    return Source("mean(dimension=d)", Grid(systems, cases, values, there))


def world(seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    skill = np.linspace(-1, 1, SYSTEMS)[:, None]
    return np.clip(np.rint(1 + skill + rng.normal(0, 0.5, size=(SYSTEMS, CASES))), 0, 2)


def test_levels_are_cut_at_the_quartiles_as_published() -> None:
    found = case_difficulty(source(world()), (0, 2), rng=np.random.default_rng(1), replicates=49)
    assert found.q1 is not None
    assert found.q3 is not None
    for one in found.cases:
        level = (
            "difficult" if one.mean <= found.q1 else "easy" if one.mean >= found.q3 else "moderate"
        )
        assert one.level == level
    assert [one.mean for one in found.cases] == sorted(one.mean for one in found.cases)


def test_a_case_with_its_labels_turned_round_is_found_beyond_chance() -> None:
    values = world()
    values[:, 7] = 2 - values[:, 7]
    found = case_difficulty(source(values), (0, 2), rng=np.random.default_rng(1), replicates=499)
    suspects = {one.case: one.suspect for one in found.cases if one.suspect}
    assert suspects == {"c07": "reversed beyond chance"}


def test_discrimination_is_the_corrected_item_total_correlation() -> None:
    values = world(3)
    found = case_difficulty(source(values), (0, 2), rng=np.random.default_rng(1), replicates=9)
    rest = np.delete(values, 4, axis=1).mean(axis=1)
    one = next(one for one in found.cases if one.case == "c04")
    assert one.discrimination == pytest.approx(np.corrcoef(values[:, 4], rest)[0, 1])


def test_cases_of_pure_noise_are_rarely_told_apart_from_it() -> None:
    rng = np.random.default_rng(2)
    noise = rng.integers(0, 3, size=(SYSTEMS, CASES)).astype(float)
    found = case_difficulty(source(noise), (0, 2), rng=np.random.default_rng(1), replicates=499)
    assert min(one.p_adjusted for one in found.cases if one.p_adjusted is not None) > 0.05


def test_the_order_of_rows_changes_nothing_and_few_systems_leave_a_case_out() -> None:
    values, known = world(), np.ones((SYSTEMS, CASES), dtype=bool)
    known[2:, 3] = False
    straight = source(values, known)
    rows, columns = np.arange(SYSTEMS)[::-1], np.arange(CASES)[::-1]
    grid = straight.grid
    turned = Grid(
        tuple(grid.systems[i] for i in rows),
        tuple(grid.cases[k] for k in columns),
        values[np.ix_(rows, columns)],
        known[np.ix_(rows, columns)],
    )
    first, second = (
        case_difficulty(one, (0, 2), rng=np.random.default_rng(1), replicates=49)
        for one in (straight, Source(straight.name, turned))
    )
    assert first == second
    assert first.left_out == 1
    assert "c03" not in {one.case for one in first.cases}


def test_without_scores_there_is_a_reason() -> None:
    empty = source(np.zeros((4, 3)), np.zeros((4, 3), dtype=bool))
    found = case_difficulty(empty, (0, 2), rng=np.random.default_rng(1), replicates=9)
    assert found.cases == ()
    assert found.reason == "no case has 3 systems with a score"

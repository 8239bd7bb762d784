from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import kendalltau

from medassay.errors import InvalidInput
from medassay.stats import (
    bootstrap_counts,
    tau_b,
    tau_over_draws,
    tau_replicates,
    tau_replicates_twice,
)

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Side = tuple[Floats, Flags]


def a_study(seed: int, systems: int = 5, cases: int = 4, holes: float = 0.0) -> tuple[Side, Side]:
    rng = np.random.default_rng(seed)
    sides = []
    for columns in (3, 2):
        values = rng.integers(0, 3, size=(columns, systems, cases)) / 3
        sides.append((values, rng.random(values.shape) >= holes))
    return sides[0], sides[1]


def naive_differences(values: Floats, known: Flags, drawn: Floats) -> dict[tuple[int, int], float]:
    """Fit system + case answer by answer, and give the difference of every two linked systems."""
    cells = [
        (i, k)
        for k in range(len(drawn))
        for i in range(len(values))
        if known[i, k]
        for _ in range(int(drawn[k]))
    ]
    systems, cases = values.shape
    design = np.zeros((len(cells), systems + cases))
    for row, (i, k) in enumerate(cells):
        design[row, [i, systems + k]] = 1
    fitted = np.linalg.lstsq(design, np.array([values[cell] for cell in cells]), rcond=None)[0]
    there = {i for i, _ in cells}
    found = {}
    for i, j in combinations(range(systems), 2):
        contrast = np.zeros(systems + cases)
        contrast[[i, j]] = 1, -1
        # What the data can tell is what the rows of the design add up to.
        told = np.linalg.lstsq(design.T, contrast, rcond=None)[0]
        if {i, j} <= there and np.allclose(design.T @ told, contrast, atol=1e-8):
            found[i, j] = round(float(fitted[i] - fitted[j]), 8)
    return found


def naive_tau(x: Side, y: Side, drawn: Floats, times: Floats) -> float:
    """Take the differences one by one; without holes they are those of the plain means."""
    apart = [naive_differences(values, known, drawn) for values, known in (x, y)]
    agree = untied_x = untied_y = 0.0
    for i, j in sorted(set(apart[0]) & set(apart[1])):
        weight = times[i] * times[j]
        sx, sy = (np.sign(column[i, j]) for column in apart)
        agree += weight * sx * sy
        untied_x += weight * abs(sx)
        untied_y += weight * abs(sy)
    return agree / np.sqrt(untied_x * untied_y) if untied_x * untied_y else np.nan


@pytest.mark.slow
@settings(max_examples=60)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.3, 0.7]), st.booleans(), st.booleans())
def test_fast_is_naive(seed: int, holes: float, cases: bool, systems: bool) -> None:  # noqa: FBT001
    metrics, humans = a_study(seed, holes=holes)
    rng = np.random.default_rng(seed)
    case_counts = bootstrap_counts(4, 6, rng) if cases else None
    system_counts = bootstrap_counts(5, 6, rng) if systems else None
    found = tau_replicates(
        metrics, humans, case_counts=case_counts, system_counts=system_counts
    ).values
    assert found.shape == (6 if cases or systems else 1, 3, 2)
    for b in range(len(found)):
        drawn = np.ones(4) if case_counts is None else case_counts[b]
        times = np.ones(5) if system_counts is None else system_counts[b]
        for i in range(3):
            for j in range(2):
                x, y = ((side[0][c], side[1][c]) for side, c in ((metrics, i), (humans, j)))
                expected = naive_tau(x, y, drawn, times)
                assert found[b, i, j] == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_without_counts_it_is_tau_b_of_the_means() -> None:
    metrics, humans = a_study(3, systems=8, cases=50)
    metrics[1][:], humans[1][:] = True, True
    found = tau_replicates(metrics, humans).values[0]
    for i in range(3):
        for j in range(2):
            assert found[i, j] == tau_b(metrics[0][i].mean(axis=1), humans[0][j].mean(axis=1))


@given(st.integers(0, 10**6))
def test_the_order_of_systems_and_cases_changes_no_bit(seed: int) -> None:
    metrics, humans = a_study(seed, holes=0.2)
    rng = np.random.default_rng(seed)
    by_case, by_system = bootstrap_counts(4, 9, rng), bootstrap_counts(5, 9, rng)
    rows, columns = rng.permutation(5), rng.permutation(4)
    moved = [
        (side[0][:, rows][:, :, columns], side[1][:, rows][:, :, columns])
        for side in (metrics, humans)
    ]
    straight = tau_replicates(metrics, humans, case_counts=by_case, system_counts=by_system)
    shuffled = tau_replicates(
        *moved, case_counts=by_case[:, columns], system_counts=by_system[:, rows]
    )
    np.testing.assert_array_equal(straight.values, shuffled.values)


def test_copies_of_a_system_are_no_pair() -> None:
    # Two systems, one drawn twice: one pair of weight 2 remains, and it agrees.
    values = np.array([[[1.0], [2.0]]])
    side = values, np.ones(values.shape, dtype=bool)
    drawn = np.array([[2.0, 1.0], [3.0, 0.0]])
    found = tau_replicates(side, side, system_counts=drawn)
    assert found.values[0, 0, 0] == 1
    # One system alone has no tau: marked and counted, not 0.
    assert np.isnan(found.values[1, 0, 0])
    assert found.undefined.tolist() == [[1]]


def test_a_constant_column_is_undefined_in_every_replicate() -> None:
    metrics, humans = a_study(1)
    metrics[0][1], metrics[1][:], humans[1][:] = 0.7, True, True
    counts = bootstrap_counts(4, 20, np.random.default_rng(1))
    found = tau_replicates(metrics, humans, case_counts=counts)
    assert found.undefined[1].tolist() == [20, 20]
    assert np.isnan(found.values[:, 1]).all()


def test_a_draw_of_no_case_is_undefined_and_says_nothing_aloud() -> None:
    scores = np.array([[[1.0, 2.0], [2.0, 3.0], [4.0, 3.0]]])
    column = (scores, np.ones(scores.shape, dtype=bool))
    found = tau_replicates(column, column, case_counts=np.array([[1.0, 1.0], [0.0, 0.0]]))
    assert found.values[0].item() == 1.0
    assert np.isnan(found.values[1]).all()
    assert found.undefined.item() == 1


def test_chunks_do_not_show() -> None:
    metrics, humans = a_study(2, systems=40, cases=10)
    counts = bootstrap_counts(10, 1200, np.random.default_rng(1))
    whole = tau_replicates(metrics, humans, case_counts=counts).values
    alone = tau_replicates(metrics, humans, case_counts=counts[1100:1101]).values
    np.testing.assert_array_equal(whole[1100:1101], alone)


def test_counts_that_do_not_fit_are_refused() -> None:
    metrics, humans = a_study(1)
    with pytest.raises(InvalidInput, match="case_counts: must have 4 columns"):
        tau_replicates(metrics, humans, case_counts=np.ones((2, 5)))
    with pytest.raises(InvalidInput, match="system_counts: must have 2 rows"):
        tau_replicates(metrics, humans, case_counts=np.ones((2, 4)), system_counts=np.ones((3, 5)))


@pytest.mark.parametrize("labels", [12, 200])
def test_many_taus_at_once_are_scipys_one_by_one(labels: int) -> None:
    rng = np.random.default_rng(11)
    values = rng.integers(0, labels, size=(7, 60, 9)) / 4.0  # many means tie, or a few
    known = np.ones(values.shape, dtype=bool)
    counts = bootstrap_counts(9, 8, rng)
    found = tau_replicates((values[:5], known[:5]), (values[5:], known[5:]), case_counts=counts)
    for b, drawn in enumerate(counts):
        means = (values @ drawn / 9).round(9)
        for i in range(5):
            for j in range(2):
                theirs = kendalltau(means[i], means[5 + j]).statistic
                assert found.values[b, i, j] == pytest.approx(theirs, abs=1e-12)


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.3, 0.7]), st.booleans())
def test_both_draws_at_once_are_each_alone(seed: int, holes: float, alike: bool) -> None:  # noqa: FBT001
    metrics, humans = a_study(seed, holes=holes)
    if alike:
        metrics[1][:], humans[1][:] = metrics[1][0], metrics[1][0]
    rng = np.random.default_rng(seed)
    cases, systems = bootstrap_counts(4, 7, rng), bootstrap_counts(5, 7, rng)
    once = tau_replicates(metrics, humans, case_counts=cases)
    both = tau_replicates(metrics, humans, case_counts=cases, system_counts=systems)
    found = tau_replicates_twice(metrics, humans, case_counts=cases, system_counts=systems)
    for one, alone in zip(found, (once, both), strict=True):
        np.testing.assert_array_equal(one.values, alone.values)
        np.testing.assert_array_equal(one.undefined, alone.undefined)


def test_threads_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    # 46 systems and more share the work among threads.
    metrics, humans = a_study(5, systems=48, cases=12, holes=0.1)
    rng = np.random.default_rng(5)
    counts = {
        "case_counts": bootstrap_counts(12, 150, rng),
        "system_counts": bootstrap_counts(48, 150, rng),
    }
    threads = tau_replicates_twice(metrics, humans, **counts)
    monkeypatch.setattr(tau_over_draws, "_MANY_PAIRS", 10**9)
    alone = tau_replicates_twice(metrics, humans, **counts)
    for one, other in zip(threads, alone, strict=True):
        assert one.values.tobytes() == other.values.tobytes()

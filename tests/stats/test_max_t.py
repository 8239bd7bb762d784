"""The step-down test by the largest statistic against every closed test, one by one."""

from itertools import combinations, product

import numpy as np
import pytest

from medassay.stats import holm, without_tail
from medassay.stats.compare import sign_flip_p
from medassay.stats.multiplicity import max_t


def closed(sums: np.ndarray) -> list[float]:
    """Test every intersection by its own largest statistic over all patterns of signs."""
    scaled = sums / np.sqrt((sums**2).sum(axis=1))[:, None]
    signs = np.array(list(product([-1, 1], repeat=sums.shape[1])))
    drawn, seen = np.abs(signs @ scaled.T), np.abs(scaled.sum(axis=1))
    adjusted = np.zeros(len(sums))
    for size in range(1, len(sums) + 1):
        for kept in map(list, combinations(range(len(sums)), size)):
            p = (drawn[:, kept].max(axis=1) >= seen[kept].max() - 1e-9).mean()
            adjusted[kept] = np.maximum(adjusted[kept], p)
    return adjusted.tolist()


def test_it_is_the_closed_test() -> None:
    rng = np.random.default_rng(40)
    for _ in range(20):
        sums = rng.normal(0.4, 1, (4, 7))
        assert max_t(sums, rng=rng) == pytest.approx(closed(sums), abs=1e-12)


def test_one_test_is_the_sign_flip_test() -> None:
    sums = np.random.default_rng(41).normal(0.3, 1, (1, 10))
    assert max_t(sums, rng=1)[0] == pytest.approx(sign_flip_p(sums, rng=1)[0][0], abs=1e-12)


def test_pairs_of_systems_cost_less_than_by_holm() -> None:
    rng = np.random.default_rng(42)
    scores = rng.normal(0, 1, (6, 60)) + np.array([0.45, 0, 0, 0, 0, 0])[:, None]
    pairs = np.array([scores[i] - scores[j] for i, j in combinations(range(6), 2)])
    ours = max_t(pairs, rng=np.random.default_rng(1))
    theirs = holm([p for p, _ in sign_flip_p(pairs, rng=np.random.default_rng(1))])
    assert (ours <= theirs + 0.01).all()
    assert ours.min() < theirs.min()


def test_where_nothing_differs_p_is_one() -> None:
    assert max_t(np.zeros((2, 5)), rng=1).tolist() == [1.0, 1.0]
    assert max_t(np.zeros((0, 5)), rng=1).tolist() == []


def test_equal_systems_are_set_apart_in_five_of_a_hundred_studies() -> None:
    rng, wrong, studies = np.random.default_rng(43), 0, 600
    for _ in range(studies):
        scores = rng.normal(0, 1, (4, 20)) + rng.normal(0, 1, 20)
        pairs = np.array([scores[i] - scores[j] for i, j in combinations(range(4), 2)])
        wrong += bool(max_t(pairs, rng=rng, permutations=499).min() <= 0.05)
    assert wrong / studies <= 0.05 + 2.6 * (0.05 * 0.95 / studies) ** 0.5


def test_a_tail_of_losses_makes_no_leader_of_equal_systems() -> None:
    """One fails in a tenth of its answers, and two others lack a quarter in four of ten."""
    rng, studies = np.random.default_rng(44), 600
    wrong = np.zeros(2)
    for _ in range(studies):
        scores = np.where(rng.random((3, 40)) < 0.6, 1.0, 0.75)
        scores[0] = rng.random(40) >= 0.1
        pairs = np.array([scores[i] - scores[j] for i, j in combinations(range(3), 2)])
        kept = without_tail(scores, scores >= 0).kept
        wrong += [
            max_t(pairs, rng=5, permutations=499, kept=share).min() <= 0.05
            for share in (None, kept)
        ]
    assert wrong[0] / studies > 0.06
    assert wrong[1] / studies <= 0.04

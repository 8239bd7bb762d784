"""Tau of true means: held by its interval where means are noisy, exact where they are not."""

import numpy as np
import pytest
from coverage_case_tau import CELLS, SEED, SIMULATIONS, simulate
from scipy.stats import kendalltau
from tools.endurance import Endurance

from medassay.stats import noise_of_means, standard_draws, tau_b, true_taus
from medassay.stats.tau_over_draws import _taus_of_points

LEAST = 0.88


def test_the_noise_is_that_of_the_means() -> None:
    rng = np.random.default_rng(2)
    mixing = np.array([[1.0, 0.0], [0.6, 0.8]])
    found = []
    for _ in range(200):
        values = np.einsum("ij,jsk->isk", mixing, rng.normal(size=(2, 10, 30)))
        values += 5 * rng.normal(size=(2, 1, 30))  # hard and easy cases move no difference
        known = np.ones((10, 30), dtype=bool)
        found.append(noise_of_means(values, known, values.mean(axis=2), np.arange(30)))
    expected = mixing @ mixing.T / 30
    assert np.mean(found, axis=0) == pytest.approx(expected, abs=0.002)


def test_clusters_that_share_their_noise_count_once() -> None:
    rng = np.random.default_rng(3)
    shared = np.repeat(rng.normal(size=(2, 40, 20)), 5, axis=2)
    known = np.ones((40, 100), dtype=bool)
    means = shared.mean(axis=2)
    by_cluster = noise_of_means(shared, known, means, np.repeat(np.arange(20), 5))
    assert by_cluster[0, 0] == pytest.approx(1 / 20, rel=0.1)
    alone = noise_of_means(shared, known, means, np.arange(100))
    assert alone[0, 0] < by_cluster[0, 0] / 4


def test_without_noise_it_is_tau_of_the_means() -> None:
    means = np.random.default_rng(4).normal(size=(2, 12))
    drawn = standard_draws(12, rng=np.random.default_rng(1))
    taus = true_taus(means, np.zeros((2, 2)), np.full(12, 9), drawn)
    assert np.unique(taus).tolist() == [pytest.approx(tau_b(*means))]


def test_who_answered_less_is_less_sure() -> None:
    means = np.array([[1.0, 2, 3, 4, 5, 6], [1, 3, 2, 4, 6, 5]])
    noise, rng = 0.3 * np.eye(2), np.random.default_rng(5)
    alike = true_taus(means, noise, np.full(6, 20), standard_draws(6, rng=rng))
    answers = np.array([500, 500, 500, 500, 500, 4])
    uneven = true_taus(means, noise, answers, standard_draws(6, rng=rng))
    assert uneven.std() < alike.std()


@pytest.mark.endure
@pytest.mark.parametrize("cell", CELLS[1:9:2], ids=lambda cell: f"{cell[0]}, {cell[2]}, {cell[3]}")
def test_the_interval_for_these_systems_holds(
    cell: tuple[str, object, int, float], endurance: Endurance
) -> None:
    _, draw, systems, spread = cell
    studies = endurance.size("studies", short=10, whole=SIMULATIONS)
    rng = np.random.default_rng([SEED, systems, round(100 * spread)])
    seen, _ = simulate(draw, systems, spread, rng, studies)  # type: ignore[arg-type]
    held = {name: seen[f"holds {name}"] / seen[f"made {name}"] for name in ("before", "now")}
    endurance.found(f"held before {held['before']:.1%}, now {held['now']:.1%}")
    assert seen["own now"] == seen["made now"]
    assert held["now"] > LEAST - 3 * (LEAST * (1 - LEAST) / studies) ** 0.5


@pytest.mark.parametrize("systems", [4, 300])
def test_each_tau_is_scipys_of_the_means_drawn(systems: int) -> None:
    points = np.random.default_rng(6).normal(size=(3, 2, systems))
    points[1, 1] = points[1, 0]  # the same order
    found = _taus_of_points(points)
    theirs = [kendalltau(*pair, variant="b").statistic for pair in points]
    assert found.tolist() == pytest.approx(theirs, abs=1e-12)


def test_equal_means_count_as_they_stand() -> None:
    # Whatever is equal is not above: alike where neither of the two columns has the first higher.
    points = np.array([[[1.0, 1.0, 2.0], [5.0, 5.0, 4.0]], [[1.0, 1.0, 2.0], [3.0, 4.0, 5.0]]])
    assert _taus_of_points(points).tolist() == [2 * 1 / 3 - 1, 1.0]


def test_pairs_that_share_what_was_drawn_leave_it_as_it_was() -> None:
    means, answers = np.random.default_rng(4).normal(size=(2, 2, 12)), np.arange(9, 21)
    drawn = standard_draws(12, rng=np.random.default_rng(1), draws=300)
    first, _, again = (
        true_taus(pair, 0.1 * np.eye(2), answers, drawn) for pair in (*means, means[0])
    )
    assert again.tolist() == first.tolist()

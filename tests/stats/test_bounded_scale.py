import numpy as np
import pytest

from medassay.stats import bounded_spread

SYSTEMS, CASES = 28, 100


def drawn(share: float, seed: int, tilt: float = 0.0) -> np.ndarray:
    """Draw cases on 0 to 6 whose variance is a share of what the scale allows at their mean."""
    rng = np.random.default_rng(seed)
    place = rng.uniform(0.15, 0.9, size=CASES)
    shares = np.clip(share + tilt * (0.5 - place), 0.02, 0.95)
    strength = 1 / shares - 1
    return 6 * rng.beta(place * strength, (1 - place) * strength, size=(SYSTEMS, CASES))


@pytest.mark.slow
def test_what_a_bounded_scale_alone_produces_is_inside_its_null() -> None:
    known = np.ones((SYSTEMS, CASES), dtype=bool)
    p = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        found = bounded_spread(drawn(0.3, seed), known, (0, 6), rng=rng, replicates=199)
        assert found.share == pytest.approx(0.3, abs=0.04)
        assert found.p is not None
        p.append(found.p)
    assert sum(one < 0.05 for one in p) <= 2


def test_easy_cases_that_differ_less_than_the_scale_makes_them_lie_outside_it() -> None:
    found = bounded_spread(
        drawn(0.3, 3, tilt=0.6),
        np.ones((SYSTEMS, CASES), dtype=bool),
        (0, 6),
        rng=np.random.default_rng(1),
        replicates=199,
    )
    assert found.null is not None
    assert found.rho is not None
    assert found.rho < found.null.low
    assert found.p == pytest.approx(0.01)  # 2 / (1 + 199)


def test_the_share_by_hand() -> None:
    # Case 1: mean 1, variance 2/3 of a room of (1 - 0)(2 - 1) = 1. Case 2: mean 2, no room.
    # Case 3: 2, 2, 1: mean 5/3, variance 2/9 of a room of 5/3 * 1/3 = 5/9. (2/3 + 2/9) / (14/9).
    values = np.array([[0.0, 2, 2], [1, 2, 2], [2, 2, 1]])
    found = bounded_spread(
        values, np.ones((3, 3), dtype=bool), (0, 2), rng=np.random.default_rng(1), replicates=9
    )
    assert found.share == pytest.approx(4 / 7)
    assert found.expected(1.0, (0, 2)) == pytest.approx(np.sqrt(4 / 7))


@pytest.mark.parametrize(
    ("values", "why"),
    [
        (np.full((4, 5), 2.0), "end of the scale"),
        (np.array([[0.0, 1.0]] * 4), "the null needs 3 columns"),
        (np.array([[0.0, 1.0, 3.0]] * 4), "outside the scale"),
        (np.array([[0.5, 1.0, 1.5]] * 4), "no room"),
    ],
)
def test_without_a_null_there_is_a_reason(values: np.ndarray, why: str) -> None:
    known = np.ones(values.shape, dtype=bool)
    found = bounded_spread(values, known, (0, 2), rng=np.random.default_rng(1), replicates=9)
    assert found.null is None
    assert found.p is None
    assert why in found.undefined or "leave no room" in found.undefined


def test_a_hidden_value_counts_nowhere() -> None:
    values, known = drawn(0.3, 5), np.ones((SYSTEMS, CASES), dtype=bool)
    known[0] = False
    wild = values.copy()
    wild[0] = 1e6
    first, second = (
        bounded_spread(one, known, (0, 6), rng=np.random.default_rng(1), replicates=19)
        for one in (values, wild)
    )
    assert first.rho == second.rho
    assert first.null == second.null

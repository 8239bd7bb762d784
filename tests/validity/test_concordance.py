"""Shares of pairs in the raters' order, against sums made pair by pair."""

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from medassay.scores import Grid
from medassay.validity import Chance, Source, concordances, pair_draw

Floats = NDArray[np.float64]


def source(name: str, values: Floats, known: NDArray[np.bool_] | None = None) -> Source:
    systems = tuple(f"s{i}" for i in range(len(values)))
    cases = tuple(f"c{k:03}" for k in range(values.shape[1]))
    there = np.ones(values.shape, dtype=bool) if known is None else known
    return Source(name, Grid(systems, cases, values, there))


def by_hand(metric: Floats, raters: Floats, index: list[tuple[int, int]], *, within: bool) -> float:
    agree = total = 0.0
    for first, second in combinations(index, 2):
        if (first[1] == second[1]) != within or raters[first] == raters[second]:
            continue
        order = np.sign(raters[first] - raters[second])
        agree += (1 + order * np.sign(metric[first] - metric[second])) / 2
        total += 1
    return float(agree / total)


@pytest.mark.parametrize("systems", [1, 3])
def test_shares_are_those_of_all_pairs_with_ties_at_half(systems: int) -> None:
    rng = np.random.default_rng(systems)
    shape = (systems, 25)
    raters = rng.integers(0, 3, size=shape).astype(float)
    metric = rng.integers(0, 4, size=shape).astype(float)
    length = rng.integers(5, 50, size=shape).astype(float)
    known = rng.random(shape) < 0.9
    [found] = concordances(
        [(source("m", metric, known), source("h", raters))], source("length", length), rng=1
    )
    index = list(zip(*np.nonzero(known), strict=True))
    assert found.within == (systems > 1)
    assert found.share == pytest.approx(by_hand(metric, raters, index, within=systems > 1))
    assert found.length == pytest.approx(by_hand(length, raters, index, within=systems > 1))
    assert found.difference == pytest.approx((found.share or 0) - (found.length or 0))


def test_pairs_between_cases_are_of_two_clusters() -> None:
    rng = np.random.default_rng(3)
    raters, metric = rng.integers(0, 3, size=(1, 40)).astype(float), rng.normal(size=(1, 40))
    clusters = {f"c{k:03}": f"g{k // 3}" for k in range(40)}
    [found] = concordances(
        [(source("m", metric), source("h", raters))], None, rng=1, clusters=clusters
    )
    agree = total = 0.0
    for i, j in combinations(range(40), 2):
        if i // 3 != j // 3 and raters[0, i] != raters[0, j]:
            agree += np.sign(raters[0, i] - raters[0, j]) == np.sign(metric[0, i] - metric[0, j])
            total += 1
    assert found.share == pytest.approx(agree / total)
    assert found.pairs == total
    assert found.units == 14
    assert found.length is None
    assert found.p is None


def test_lower_is_better_is_turned() -> None:
    rng = np.random.default_rng(4)
    raters = rng.normal(size=(2, 30))
    worse = Source("errors", source("x", -raters).grid, "lower")
    [found] = concordances([(worse, source("h", raters))], None, rng=1)
    assert found.share == 1.0
    assert found.interval is not None
    # Thirty cases that all agree still leave this much: 0.025 = x to the power of 30.
    assert found.interval.low == pytest.approx(0.025 ** (1 / 30))


def test_noise_is_not_better_than_length_because_raters_like_short_answers() -> None:
    rng = np.random.default_rng(5)
    length = rng.normal(size=(3, 120))
    raters = -length + 0.3 * rng.normal(size=length.shape)
    noise = source("noise", rng.normal(size=length.shape))
    [found] = concordances([(noise, source("h", raters))], source("length", length), rng=1)
    assert found.difference is not None
    assert found.difference > 0.2
    assert found.difference_interval is not None
    assert found.difference_interval.low > 0  # it is above, and by the chance test not called so
    assert found.p is not None
    assert found.p > 0.05


def test_too_few_cases_say_so() -> None:
    raters = np.random.default_rng(6).normal(size=(2, 9))
    [found] = concordances([(source("m", raters), source("h", raters))], None, rng=1)
    assert found.share is None
    assert found.undefined == "needs 10 cases with answers that raters put in an order; got 9"


@pytest.mark.parametrize("systems", [1, 3])
def test_known_chances_take_the_bias_of_the_draw_away(systems: int) -> None:
    rng = np.random.default_rng(7)
    shape = (systems, 300)
    raters = rng.normal(size=shape)
    # The metric knows the raters on the first half of the cases alone, which are drawn more often.
    metric = np.where(np.arange(300) < 150, raters, rng.normal(size=shape))
    chance = np.where(np.arange(300) < 150, 0.8, 0.2)
    length = source("length", rng.normal(size=shape))
    [whole] = concordances([(source("m", metric), source("h", raters))], length, rng=1)
    shares, plain = [], []
    for _ in range(60):
        drawn = rng.random(300) < chance
        known = np.broadcast_to(drawn, shape).copy()
        chances = {
            (f"s{i}", f"c{k:03}"): Chance(float(chance[k]), bool(drawn[k]), whole=systems > 1)
            for i in range(systems)
            for k in range(300)
        }
        pair = [(source("m", metric), source("h", raters, known))]
        [found] = concordances(pair, length, rng=1, chances=chances)
        shares.append(found.share or 0.0)
        plain.append(concordances(pair, length, rng=1)[0].share or 0.0)
        assert found.drawn
    assert whole.share is not None
    assert abs(np.mean(shares) - whole.share) < 0.02
    assert np.mean(plain) > whole.share + 0.08


def test_cases_on_which_metric_and_length_agree_are_drawn_seldom() -> None:
    length = np.array([[1.0, 2.0, 3.0]] * 20).T
    metric = length.copy()
    metric[:, :10] = length[::-1, :10]
    all_ = np.ones(length.shape, dtype=bool)
    doubt, whole, shown = pair_draw([source("m", metric)], source("length", length), all_, all_, 30)
    assert whole
    assert (doubt[:, 10:] == 0).all()
    # Reversed: ranks differ by 2, 0 and 2; three pairs: (8 + 3) / 3.
    assert doubt[0, 0] == pytest.approx((11 / 3) ** 0.5)
    assert shown is not None
    # 30 answers are 10 cases; a quarter is spread evenly, so 10 · 0.125 of those that agree.
    assert shown.difference == pytest.approx(2.801585 * (10 * 11 / 3 / 0.875) ** 0.5 / 60, rel=1e-6)

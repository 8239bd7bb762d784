"""Two systems are similar only where all of an interval lies inside a margin."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from medassay.scores import Grid
from medassay.stats import Interval
from medassay.stats.noninferiority import paired_gate
from medassay.validity import Source, WithinMargin, within_margin

ENDS = (0.0, 1.0)


def source(values: NDArray[np.float64], known: NDArray[np.bool_] | None = None) -> Source:
    names = tuple(f"s{at}" for at in range(len(values)))
    cases = tuple(f"{at:04}" for at in range(values.shape[1]))
    return Source("m", Grid(names, cases, values, values >= 0 if known is None else known))


def labels(systems: int, cases: int, seed: int = 1) -> NDArray[np.float64]:
    return np.random.default_rng(seed).integers(0, 5, size=(systems, cases)) / 4


def test_each_side_is_the_gates() -> None:
    values = labels(2, 150)
    [pair] = within_margin(source(values), 0.15, ENDS)
    loss = paired_gate(values[0] - values[1], margin=0.15, span=1.0)
    gain = paired_gate(values[1] - values[0], margin=0.15, span=1.0)
    assert pair.interval is not None
    assert loss.interval is not None
    assert gain.interval is not None
    assert (pair.interval.low, pair.interval.high) == (loss.interval.low, -gain.interval.low)
    assert pair.p == pytest.approx(2 * max(loss.p_not_worse or 0, gain.p_not_worse or 0))
    assert pair.similar()


def test_more_pairs_widen_every_interval() -> None:
    values = labels(4, 150)
    [alone] = within_margin(source(values[:2]), 0.2, ENDS)
    among = within_margin(source(values), 0.2, ENDS)
    assert [(own.system_a, own.system_b) for own in among] == [
        *combinations(("s0", "s1", "s2", "s3"), 2)
    ]
    first = among[0]
    assert alone.interval is not None
    assert first.interval is not None
    assert first.interval.low < alone.interval.low < alone.interval.high < first.interval.high
    assert first.p == pytest.approx(min(1.0, 6 * (alone.p or 0.0)))


def test_few_cases_all_alike_show_no_similarity_and_many_do() -> None:
    """A loss that one answer in fifty has would not be among twenty."""
    assert not within_margin(source(np.full((2, 20), 0.9)), 0.05, ENDS)[0].similar()
    assert within_margin(source(np.full((2, 100), 0.9)), 0.05, ENDS)[0].similar()


def test_what_touches_the_margin_is_not_similar() -> None:
    around = Interval(-0.1, 0.2, 0.95, "t", "an example")
    pair = WithinMargin("m", "a", "b", 0.2, around, 0.01)
    assert not pair.similar()
    inside = replace(pair, interval=replace(around, high=0.19))
    assert inside.similar()
    assert not inside.similar(0.005)


def test_without_ends_of_the_scale_it_says_why() -> None:
    [pair] = within_margin(source(labels(2, 500)), 0.2, None)
    assert (pair.interval, pair.p, pair.similar()) == (None, None, False)
    assert "two ends" in pair.reason


def test_only_cases_of_both_count_and_without_any_it_says_so() -> None:
    values, known = labels(2, 100), np.ones((2, 100), dtype=bool)
    known[0, 60:] = False
    [some] = within_margin(source(values, known), 0.5, ENDS)
    [alone] = within_margin(source(values[:, :60]), 0.5, ENDS)
    assert (some.interval, some.p) == (alone.interval, alone.p)
    known[1, :60] = False
    [none] = within_margin(source(values, known), 0.5, ENDS)
    assert (none.p, none.reason) == (None, "the two have no case in common")


def test_cases_of_a_cluster_are_no_cases_of_their_own() -> None:
    values = np.repeat(labels(2, 40), 5, axis=1)
    clusters = {f"{at:04}": f"{at // 5}" for at in range(200)}
    [loose] = within_margin(source(values), 0.15, ENDS)
    [tied] = within_margin(source(values), 0.15, ENDS, clusters=clusters)
    assert loose.similar()
    assert not tied.similar()


def test_a_system_without_a_value_has_no_pair() -> None:
    known = np.array([[True] * 30, [True] * 30, [False] * 30])
    assert len(within_margin(source(labels(3, 30), known), 0.2, ENDS)) == 1

"""The human score of each system: who helps, on which answers, and what clusters change."""

import numpy as np
import pytest
from numpy.typing import NDArray

from medassay.scores import Grid
from medassay.stats import difference_mean, ppi_mean
from medassay.validity import Chance, Source, Target, human_scores, system_harm

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

SYSTEMS, CASES = 3, 60
JUDGED = 20


def source(name: str, values: Floats, known: Flags | None = None) -> Source:
    names = tuple("ABC"[: len(values)]), tuple(f"{i:02}" for i in range(values.shape[1]))
    flags = np.ones(values.shape, dtype=np.bool_) if known is None else known
    return Source(name, Grid(*names, values, flags))


def made(seed: int) -> tuple[Floats, Flags]:
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=(SYSTEMS, CASES))
    known = np.zeros(truth.shape, dtype=np.bool_)
    known[:, :JUDGED] = True
    return truth, known


def test_the_methods_are_those_of_stats() -> None:
    truth, known = made(1)
    scores = truth + np.random.default_rng(2).normal(size=truth.shape)
    found = human_scores([source("m", scores)], [source("h", truth, known)])
    assert [one.system for one in found] == ["A", "B", "C"]
    for at, one in enumerate(found):
        parts = truth[at, :JUDGED], scores[at, :JUDGED], scores[at, JUDGED:]
        assert one.ppi == ppi_mean(*parts)
        assert one.difference == difference_mean(*parts)
        assert (one.n, one.total) == (JUDGED, CASES)
        assert one.alone_new.interval is not None
        assert one.alone_these.interval is not None
        assert one.alone_new.interval.low < one.alone_these.interval.low


def test_the_metric_is_chosen_on_the_other_systems() -> None:
    truth, known = made(3)
    rng = np.random.default_rng(4)
    own = rng.normal(size=truth.shape)
    own[0] = truth[0]  # knows system A alone
    others = truth.copy()
    others[0] = rng.normal(size=CASES)  # knows all but system A
    metrics = [source("own", own), source("others", others)]
    found = human_scores(metrics, [source("h", truth, known)])
    assert found[0].metric == "others"


def test_lower_is_better_turns_round() -> None:
    truth, known = made(5)
    scores = truth + np.random.default_rng(2).normal(size=truth.shape)
    up = human_scores([source("m", scores)], [source("h", truth, known)])
    down = Source("m", source("m", -scores).grid, "lower")
    turned = human_scores([down], [source("h", truth, known)])
    assert up == turned
    harm = Source("h", source("h", truth, known).grid, "lower")
    for one, other in zip(up, human_scores([source("m", scores)], [harm]), strict=True):
        assert one.alone_new.estimate == pytest.approx(other.alone_new.estimate)
        assert other.ppi.estimate == pytest.approx(one.ppi.estimate)


def test_the_order_of_systems_and_cases_does_not_matter() -> None:
    truth, known = made(6)
    scores = truth + np.random.default_rng(2).normal(size=truth.shape)
    plain = human_scores([source("m", scores)], [source("h", truth, known)])

    def turned(one: Source) -> Source:
        grid = one.grid
        back = Grid(
            grid.systems[::-1], grid.cases[::-1], grid.values[::-1, ::-1], grid.known[::-1, ::-1]
        )
        return Source(one.name, back)

    again = human_scores([turned(source("m", scores))], [turned(source("h", truth, known))])
    assert plain == again


def test_whole_clusters_count_for_these_answers_and_broken_ones_do_not() -> None:
    truth, known = made(7)
    scores = truth + np.random.default_rng(2).normal(size=truth.shape)
    columns = [source("m", scores)], [source("h", truth, known)]
    plain = human_scores(*columns)
    whole = {f"{i:02}": str(i // 5) for i in range(CASES)}
    broken = {f"{i:02}": str(i % 12) for i in range(CASES)}
    assert human_scores(*columns, clusters=broken)[0].difference == plain[0].difference
    assert human_scores(*columns, clusters=broken)[0].ppi != plain[0].ppi
    clustered = human_scores(*columns, clusters=whole)[0]
    assert clustered.difference != plain[0].difference
    assert "4 judgements or clusters" in clustered.difference.warning


def test_all_judged_and_none_scored() -> None:
    truth, _ = made(8)
    [one, *_] = human_scores([source("m", truth)], [source("h", truth)])
    assert "every answer" in one.ppi.no_help
    assert "is known" in one.difference.undefined
    none = np.zeros(truth.shape, dtype=np.bool_)
    [one, *_] = human_scores([source("m", truth, none)], [source("h", truth)])
    assert one.metric == ""
    assert one.ppi.no_help
    [one, *_] = human_scores([source("m", truth)], [source("h", truth, none)])
    assert one.n == 0
    assert one.ppi.estimate is None
    assert one.gain is None


def test_harm_is_bounded_for_each_system_and_by_flag() -> None:
    harmful = np.zeros((2, 40))
    harmful[0, :4] = 1
    known = np.zeros((2, 40), dtype=np.bool_)
    known[:, :20] = True
    names = ("A", "B"), tuple(f"{i:02}" for i in range(40))
    target = Target("safety", "dangerous", Grid(*names, harmful, known))
    scores = np.tile(np.arange(40.0), (2, 1))
    metric = Source("m", Grid(*names, scores, np.ones((2, 40), dtype=np.bool_)))
    found = system_harm([target], [metric], thresholds={"m": 10.0}, sensitivity=0.5)
    assert [(one.system, one.flagged_by) for one in found] == [
        ("A", ""),
        ("A", "m"),
        ("B", ""),
        ("B", "m"),
    ]
    plain, weighted = found[0].bound, found[1].bound
    assert (plain.found, plain.n, plain.share) == (4, 20, 0.4)
    # 4 of 10 flagged, 0 of 10 others; 10 and 30 answers: .25 · .4/.5
    assert weighted.share == pytest.approx(0.2)
    assert found[2].bound.upper is not None
    assert found[2].bound.upper == pytest.approx(2 * (1 - 0.05 ** (1 / 20)))


def drawn_target(seed: int) -> tuple[Target, dict[tuple[str, str], Chance], np.ndarray]:
    """Judge 20 of 400 answers first, then draw flagged ones with 0.6 and others with 0.1."""
    rng = np.random.default_rng(seed)
    cases = tuple(f"{i:03}" for i in range(400))
    flagged = np.arange(400) % 8 == 0
    harmful = rng.random(400) < np.where(flagged, 0.4, 0.02)
    before = np.arange(400) % 20 == 1
    chance = np.where(flagged, 0.6, 0.1)
    drawn = ~before & (rng.random(400) < chance)
    grid = Grid(("A",), cases, harmful[None].astype(float), (before | drawn)[None])
    chances = {
        ("A", case): Chance(float(chance[i]), bool(drawn[i]))
        for i, case in enumerate(cases)
        if not before[i]
    }
    return Target("safety", "dangerous", grid), chances, harmful


def test_harm_is_bounded_by_the_chances_of_a_draw() -> None:
    over, off = 0, []
    for seed in range(200):
        target, chances, harmful = drawn_target(seed)
        plain, weighted = system_harm([target], [], chances=chances)
        assert (plain.by_chance, weighted.by_chance) == (False, True)
        assert weighted.bound.upper is not None
        assert weighted.bound.share is not None
        over += weighted.bound.upper >= harmful.mean()
        off.append(weighted.bound.share - harmful.mean())
    assert over >= 190  # 95% or more hold
    assert abs(np.mean(off)) < 0.005  # its noise is .0014; as if drawn evenly it is .1 too much


def test_a_bound_by_chance_says_what_it_supposes() -> None:
    target, chances, _ = drawn_target(1)
    first = next(key for key, one in chances.items() if one.drawn)
    known = target.grid.known.copy()
    known[0, target.grid.cases.index(first[1])] = False
    grid = Grid(target.grid.systems, target.grid.cases, target.grid.values, known)
    fewer = Target("safety", "harmful", grid)
    _, one = system_harm([fewer], [], chances=chances)
    assert one.warning.startswith("1 of ")
    del chances[first]
    _, one = system_harm([fewer], [], chances=chances)
    assert one.left_out == 1
    uneven = {
        key: Chance(one.chance / (1 + at), one.drawn)
        for at, (key, one) in enumerate(chances.items())
    }
    _, one = system_harm([fewer], [], chances=uneven)
    assert one.bound.upper is None
    assert "different chances" in one.bound.undefined
    assert one.bound.n > 0

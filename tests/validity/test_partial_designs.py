"""Systems that met different cases are never compared by how hard those cases were."""

import numpy as np
import pytest
from numpy.typing import NDArray

from medassay.judgements import Units
from medassay.scores import Grid
from medassay.stats import perm_both, tau_b
from medassay.validity import (
    Source,
    annotation_budget,
    case_difficulty,
    compare_metrics,
    constant_control,
    correlate,
    leave_one_rater_out,
    noise_reference,
    rank_systems,
    system_level,
    tau_in_groups,
    trust,
    unjudged_ranks,
)

SYSTEMS, CASES = tuple("ABCDEF"), tuple(f"{i:02}" for i in range(30))
EASE = np.linspace(-6, 6, len(CASES))
"""Far more than systems differ."""
QUALITY = np.arange(6.0)[:, None] / 2
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


def rng() -> np.random.Generator:
    return np.random.default_rng(3)


def unfair() -> Flags:
    """Judge better systems on harder cases: plain means are in the opposite order."""
    known = np.zeros((6, 30), dtype=bool)
    for system in range(6):
        start = 4 * (5 - system)
        known[system, start : start + 10] = True
    return known


def source(name: str, values: Floats, known: Flags | None = None) -> Source:
    flags = np.ones(values.shape, dtype=bool) if known is None else known
    return Source(name, Grid(SYSTEMS, CASES, np.where(flags, values, 0.0), flags))


HUMAN = QUALITY + EASE + 0.2 * np.random.default_rng(1).normal(size=(6, 30))
METRIC = QUALITY + EASE + 0.2 * np.random.default_rng(2).normal(size=(6, 30))
FLAT = np.broadcast_to(EASE, (6, 30)).copy()
"""It knows the case and nothing of the answer."""


def test_the_design_of_these_tests_turns_plain_means_round() -> None:
    known = unfair()
    plain = np.where(known, HUMAN, 0).sum(axis=1) / known.sum(axis=1)
    assert tau_b(plain, QUALITY[:, 0]) == -1
    assert tau_b(np.where(known, FLAT, 0).sum(axis=1), plain) == 1


def test_a_source_that_is_alike_for_all_systems_has_no_tau_and_says_why() -> None:
    human = source("h", HUMAN, unfair())
    why = "flat gives all systems the same score on every case"
    [flat] = correlate([source("flat", FLAT)], [human], rng=rng(), replicates=100)
    assert (flat.tau, flat.p, flat.intervals, flat.undefined) == (None, None, (), why)
    [level] = system_level([source("flat", FLAT)], [human], rng=rng())
    assert (level.tau, level.spearman, level.pearson) == (None, None, None)
    # Nor has the raters' column a tau where it is they who say the same of all.
    [turned] = correlate([human], [source("flat", FLAT)], rng=rng(), replicates=100)
    assert turned.undefined == why
    control = constant_control(human.grid)
    [table] = trust(
        [source("m", METRIC), source("flat", FLAT)], [control], [human], rng=rng(), replicates=100
    )
    found = {entry.metric: entry for entry in table.entries}
    for name in ("flat", control.name):
        assert found[name].tau is None
        assert found[name].reason == "it gives all systems the same score on every case"
    assert found["flat"].uses == ("never",)
    assert not found["m"].beaten_by


def test_tau_is_that_of_the_systems_and_not_of_their_cases() -> None:
    human = source("h", HUMAN, unfair())
    [found] = correlate([source("m", METRIC)], [human], rng=rng(), replicates=200)
    assert (found.tau, found.adjusted, found.n_answers) == (1.0, True, 60)
    against = source("against", -QUALITY + EASE, None)
    [turned] = correlate([against], [human], rng=rng(), replicates=200)
    assert turned.tau == -1.0
    [whole] = correlate([source("m", METRIC)], [source("h", HUMAN)], rng=rng(), replicates=200)
    assert not whole.adjusted
    [level] = system_level([source("m", METRIC)], [human], rng=rng())
    assert (level.tau, level.tau_ap, level.spearman, level.pairwise_accuracy) == (1, 1, 1, 1)
    assert level.adjusted
    [table] = trust([source("m", METRIC)], [], [human], rng=rng(), replicates=200)
    assert (table.entries[0].tau, table.entries[0].adjusted) == (1.0, True)


def test_intervals_resample_the_fit_and_not_the_plain_means() -> None:
    human = source("h", HUMAN, unfair())
    noisy = QUALITY + EASE + 2.5 * np.random.default_rng(4).normal(size=(6, 30))
    [found] = correlate([source("m", noisy)], [human], rng=rng(), replicates=300)
    intervals = [part.interval for part in found.intervals]
    # Plain means would put every resample near −1.
    assert found.tau is not None
    assert all(one is None or one.high > 0 for one in intervals)


def test_systems_that_no_case_links_have_no_tau_no_rank_and_a_reason() -> None:
    known = np.zeros((6, 30), dtype=bool)
    for system in range(6):
        known[system, 5 * system : 5 * system + 5] = True
    human = source("h", HUMAN, known)
    why = "the systems fall into 6 groups that share no case: nothing compares them"
    [found] = correlate([source("m", METRIC)], [human], rng=rng(), replicates=100)
    assert (found.tau, found.undefined) == (None, why)
    [level] = system_level([source("m", METRIC)], [human], rng=rng())
    assert (level.tau, level.pairwise_accuracy, level.soft_pairwise_accuracy) == (None, None, None)
    [table] = trust([source("m", METRIC)], [], [human], rng=rng(), replicates=100)
    assert (table.entries[0].reason, table.noise) == (why, None)
    board = rank_systems(human, rng=rng(), replicates=100)
    assert {(one.rank, one.adjusted, one.reason) for one in board.standings} == {(None, None, why)}
    assert all(one.mean is not None for one in board.standings)
    pairs = compare_metrics([source("m", METRIC), source("n", -METRIC)], human, rng=rng())
    assert [(one.difference, one.p) for one in pairs.pairs] == [(None, None)]


def test_the_leaderboard_orders_by_what_the_means_would_be_on_all_cases() -> None:
    board = rank_systems(source("h", HUMAN, unfair()), rng=rng(), replicates=200)
    assert [(one.system, one.rank) for one in board.standings] == [
        (name, place) for place, name in enumerate("FEDCBA", start=1)
    ]
    # The plain means stay what they are, with the cases that they rest on.
    plain = {name: HUMAN[i][unfair()[i]].mean() for i, name in enumerate(SYSTEMS)}
    for one in board.standings:
        assert one.mean == pytest.approx(plain[one.system])
        assert (one.n, one.missing) == (10, 20)
        assert one.adjusted == pytest.approx(HUMAN[SYSTEMS.index(one.system)].mean(), abs=0.5)
        assert one.rank_low is not None
        assert one.rank_high is not None
        assert one.rank_low <= (one.rank or 0) <= one.rank_high
    assert all(one.n in {0, 2, 6} for one in board.comparisons)
    whole = rank_systems(source("h", HUMAN), rng=rng(), replicates=200)
    assert {one.adjusted for one in whole.standings} == {None}


def test_a_rule_for_unjudged_answers_that_takes_the_cases_out_is_told_beside_the_others() -> None:
    found = unjudged_ranks(source("h", HUMAN, unfair()), np.ones((6, 30), dtype=bool), -10.0)
    assert [one.dropped_rank for one in found] == [1, 2, 3, 4, 5, 6]
    assert [one.adjusted_rank for one in found] == [6, 5, 4, 3, 2, 1]
    assert all(one.moves for one in found)


def slow_perm_both(
    metrics: Floats, human: Floats, known: Flags, swaps: NDArray[np.int8]
) -> tuple[float, float]:
    """Swap and fit answer by answer."""

    def fit(values: Floats) -> Floats:
        system, case = np.nonzero(known)
        design = np.zeros((len(system), known.shape[0] + known.shape[1]))
        design[np.arange(len(system)), system] = 1
        design[np.arange(len(system)), known.shape[0] + case] = 1
        effects = np.linalg.lstsq(design, values[known], rcond=None)[0]
        found: Floats = np.round(effects[: known.shape[0]] - effects[0], 8)
        return found

    standard = [(one - one[known].mean()) / one[known].std() for one in metrics]

    def gap(first: Floats, second: Floats) -> float:
        taus = [tau_b(fit(one), fit(human)) for one in (first, second)]
        return (taus[0] or 0.0) - (taus[1] or 0.0)

    observed = gap(*standard)
    reached = 0
    for swap in swaps.transpose(0, 2, 1).astype(bool):
        swapped = np.where(swap, standard[1], standard[0]), np.where(swap, *standard)
        reached += abs(gap(*swapped)) >= abs(observed) - 1e-9
    return observed, (1 + reached) / (1 + len(swaps))


@pytest.mark.parametrize("seed", range(4))
def test_perm_both_swaps_and_fits_as_the_slow_way_does(seed: int) -> None:
    draw = np.random.default_rng(seed)
    human, first, second = draw.normal(size=(3, 5, 6)) + 3 * draw.normal(size=6)
    known = draw.random((5, 6)) < 0.7
    known[:, 0] = True
    swaps = np.random.default_rng(9).integers(0, 2, size=(30, 6, 5), dtype=np.int8)
    metrics = np.array([first, second])
    found = perm_both(metrics, human, known, rng=np.random.default_rng(9), permutations=30)
    observed, p = slow_perm_both(metrics, human, known, swaps)
    assert (found.difference[0], found.p[0]) == pytest.approx((observed, p), abs=1e-12)


def test_groups_of_cases_and_of_systems_are_fitted_alone() -> None:
    tags = {"kind": {case: "ab"[i % 2] for i, case in enumerate(CASES)}}
    human = source("h", HUMAN, unfair())
    found = tau_in_groups([source("m", METRIC)], [human], tags=tags)
    assert [(one.group, one.tau, one.pooled) for one in found] == [("a", 1, 1), ("b", 1, 1)]
    [flat, _] = tau_in_groups([source("flat", FLAT)], [human], tags=tags)
    assert (flat.tau, flat.undefined) == (None, "all systems have the same mean")
    # Cases 0 to 4 go to one system, 25 to 29 to another; five cases link no three.
    few = {"kind": dict.fromkeys((*CASES[:3], *CASES[-3:]), "x")}
    [apart] = tau_in_groups([source("m", METRIC)], [human], tags=few)
    assert apart.tau is None


def panel(known: Flags) -> Units:
    """Let two raters see quality and ease, each answer cut into nine labels."""
    keys, codes = [], []
    draw = np.random.default_rng(8)
    for i, system in enumerate(SYSTEMS):
        for k, case in enumerate(CASES):
            if known[i, k]:
                seen = 4 + QUALITY[i, 0] / 2 + EASE[k] / 3 + 0.3 * draw.normal(size=2)
                codes.append(np.clip(np.rint(seen), 0, 8).astype(int).tolist())
                keys.append((system, case))
    return Units.from_codes(codes, list("123456789"), keys=keys, scores=range(1, 10))


def test_the_raters_own_order_is_not_made_by_the_cases_either() -> None:
    # All systems alike: two halves of the raters would agree on the ease of the cases alone.
    alike = EASE[None, :] / 3 + np.zeros((6, 1))
    draw, known = np.random.default_rng(5), unfair()
    keys = [(SYSTEMS[i], CASES[k]) for i, k in np.argwhere(known)]
    codes = [
        np.clip(np.rint(4 + alike[i, k] + draw.normal(size=2)), 0, 8).astype(int).tolist()
        for i, k in np.argwhere(known)
    ]
    units = Units.from_codes(codes, list("123456789"), keys=keys, scores=range(1, 10))
    found = noise_reference(units, rng=rng(), draws=100)
    assert found.halves is not None
    assert abs(found.halves) < 0.6  # by plain means it is 1
    apart = np.zeros((6, 30), dtype=bool)
    for system in range(6):
        apart[system, 5 * system : 5 * system + 5] = True
    why = "the systems fall into 6 groups that share no case: nothing compares them"
    assert noise_reference(panel(apart), rng=rng(), draws=5).undefined == why
    [first, *_] = leave_one_rater_out(panel(apart), ["mean"], rng=rng())
    assert (first.tau, first.reason) == (None, why)
    [point, *_] = annotation_budget(panel(apart), ["mean"], rng=rng(), draws=5)
    assert (point.tau, point.reason) == (None, "in no draw did cases tell the systems apart")


def test_a_ranking_without_a_rater_is_of_systems_and_not_of_what_is_left() -> None:
    # Rater 1 did not finish: without rater 0, better systems keep their hard cases only.
    units = panel(np.ones((6, 30), dtype=bool))
    unit_system = np.array([SYSTEMS.index(unit.system) for unit in units.keys])
    unit_case = np.array([CASES.index(unit.case) for unit in units.keys])
    kept = (units.rater == 0) | unfair()[unit_system[units.unit], unit_case[units.unit]]
    found = leave_one_rater_out(units.only(kept), ["mean"], rng=rng())
    assert [one.tau for one in found] == [1.0, 1.0]


def test_whether_a_case_orders_systems_rightly_is_held_against_their_adjusted_means() -> None:
    found = case_difficulty(source("h", HUMAN, unfair()), (-10, 12), rng=rng(), replicates=200)
    rs = [one.discrimination for one in found.cases if one.discrimination is not None]
    assert rs
    # Every case orders the systems as they are; by plain means of the others it would be reversed.
    assert min(rs) > 0

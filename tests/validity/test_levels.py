"""Validity by level, held against the definitions written down pair by pair."""

from itertools import combinations, permutations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import kendalltau, pearsonr, spearmanr

from medassay.scores import Grid
from medassay.validity import (
    Source,
    Target,
    answer_level,
    compare_metrics,
    find_bad_answers,
    system_level,
    tau_in_groups,
)

SYSTEMS, CASES = tuple("ABCDEFGH"), tuple(f"{i:02}" for i in range(30))


def source(name: str, values: NDArray[np.float64], holes: float = 0.0, seed: int = 0) -> Source:
    known = np.random.default_rng(seed).random(values.shape) >= holes
    return Source(name, Grid(SYSTEMS, CASES, np.where(known, values, 0.0), known))


def made(seed: int, noise: float) -> NDArray[np.float64]:
    # Eighths, which floats hold exactly: what is equal here is equal for every tool.
    drawn = np.random.default_rng(seed).normal(scale=8 * noise, size=(8, 30)).round() / 8
    values: NDArray[np.float64] = np.arange(8.0)[:, None] / 4 + drawn
    return values


HUMAN = made(1, 1.0)
METRIC = HUMAN + made(2, 1.0)


def rng() -> np.random.Generator:
    return np.random.default_rng(3)


def fitted(values: NDArray[np.float64], known: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Fit system + case by least squares, answer by answer."""
    system, case = np.nonzero(known)
    rows = np.arange(len(system))
    design = np.zeros((len(rows), values.shape[0] + values.shape[1]))
    design[rows, system] = design[rows, len(values) + case] = 1
    effects = np.linalg.lstsq(design, values[known], rcond=None)[0]
    return np.asarray(effects[: len(values)], dtype=np.float64)


@pytest.mark.parametrize("holes", [0.0, 0.1])
def test_system_level_is_scipys_on_the_means_of_shared_answers(holes: float) -> None:
    metric, human = source("m", METRIC, holes, 1), source("h", HUMAN, holes, 2)
    [found] = system_level([metric], [human], rng=rng())
    both = metric.grid.known & human.grid.known
    x, y = (fitted(one.grid.values, both) for one in (metric, human))
    assert found.adjusted == (holes > 0)
    if not holes:
        assert x - x[0] == pytest.approx(METRIC.mean(axis=1) - METRIC[0].mean(), abs=1e-9)
    assert found.tau == pytest.approx(kendalltau(x, y).statistic)
    assert found.spearman == pytest.approx(spearmanr(x, y).statistic)
    assert found.pearson == pytest.approx(pearsonr(x, y).statistic)
    alike = [np.sign(x[a] - x[b]) == np.sign(y[a] - y[b]) for a, b in combinations(range(8), 2)]
    assert found.pairwise_accuracy == pytest.approx(np.mean(alike))
    assert found.n_systems == 8


def test_the_family_that_makes_tau_is_named() -> None:
    # Seven systems in no order, and a family of two that both put far in front.
    values = np.zeros((8, 30)) + np.array([0, 1, 2, 3, 4, 5, 50, 51.0])[:, None]
    ours = np.zeros((8, 30)) + np.array([2, 5, 1, 4, 0, 3, 50, 51.0])[:, None]
    families = {"G": "front", "H": "front"}
    [found] = system_level([source("m", ours)], [source("h", values)], rng=rng(), families=families)
    assert found.family == "front"
    assert found.without_family_low == pytest.approx(
        kendalltau(ours[:6, 0], values[:6, 0]).statistic
    )


def test_the_order_of_systems_does_not_matter() -> None:
    turned = Source(
        "m", Grid(SYSTEMS[::-1], CASES, METRIC[::-1].copy(), np.ones((8, 30), dtype=bool))
    )
    human = Source(
        "h", Grid(SYSTEMS[::-1], CASES, HUMAN[::-1].copy(), np.ones((8, 30), dtype=bool))
    )
    first = system_level([source("m", METRIC)], [source("h", HUMAN)], rng=rng())
    assert system_level([turned], [human], rng=rng()) == first


def test_tau_within_cases_and_pairs_of_answers_are_the_definitions() -> None:
    metric, human = source("m", METRIC, 0.2, 4), source("h", HUMAN, 0.2, 5)
    [found] = answer_level([metric], [human], rng=rng())
    both = metric.grid.known & human.grid.known
    taus, rs, dx, dy = [], [], [], []
    for case in range(30):
        there = np.flatnonzero(both[:, case])
        x, y = METRIC[there, case], HUMAN[there, case]
        taus.append(kendalltau(x, y).statistic)
        rs.append(pearsonr(x, y).statistic)
        for a, b in permutations(range(len(there)), 2):
            dx.append(x[a] - x[b])
            dy.append(y[a] - y[b])
    by_case = next(one for one in found.grouped if one.grouping == "by_case")
    assert by_case.tau == pytest.approx(np.nanmean(taus))
    assert by_case.r == pytest.approx(np.nanmean(rs))
    assert by_case.tau_interval is not None
    assert by_case.tau_interval.low < np.nanmean(taus) < by_case.tau_interval.high
    assert found.pair_r == pytest.approx(pearsonr(dx, dy).statistic)
    pooled = found.grouped[0]
    assert pooled.tau == pytest.approx(kendalltau(METRIC[both], HUMAN[both]).statistic)
    assert found.n_answers == both.sum()


def test_without_a_shared_answer_there_is_no_value_and_no_warning() -> None:
    known = np.zeros((8, 30), dtype=bool)
    nothing = Source("h", Grid(SYSTEMS, CASES, np.zeros((8, 30)), known))
    [found] = answer_level([source("m", METRIC)], [nothing], rng=rng())
    assert found.pair_r is None
    assert all(one.tau is None and one.r is None for one in found.grouped)


def test_within_groups_tau_is_that_of_the_group_alone() -> None:
    tags = {"kind": {case: "even" if int(case) % 2 == 0 else "odd" for case in CASES}}
    found = tau_in_groups([source("m", METRIC)], [source("h", HUMAN)], tags=tags)
    for one in found:
        inside = np.array([(int(c) % 2 == 0) == (one.group == "even") for c in CASES])
        expected = kendalltau(METRIC[:, inside].mean(axis=1), HUMAN[:, inside].mean(axis=1))
        assert one.tau == pytest.approx(expected.statistic)
        assert one.n_cases == 15
        assert not one.trap


def test_a_metric_is_apart_from_noise_and_not_from_its_double() -> None:
    noise = np.random.default_rng(9).normal(size=(8, 30))
    metrics = [source("m", METRIC), source("double", 2 * METRIC + 1), source("noise", noise)]
    found = compare_metrics(metrics, source("h", HUMAN), rng=rng(), permutations=400)
    by_names = {(one.first, one.second): one for one in found.pairs}
    assert by_names["m", "double"].difference == 0
    assert by_names["m", "double"].p == 1
    assert by_names["m", "noise"].p == pytest.approx(1 / 401)
    assert found.letters["m"] == found.letters["double"] != found.letters["noise"]


def test_areas_are_those_of_all_pairs_of_a_bad_and_another_answer() -> None:
    bad = (HUMAN < 0).astype(float)
    target = Target("d", "dangerous", Grid(SYSTEMS, CASES, bad, np.ones_like(bad, dtype=bool)))
    [found] = find_bad_answers([source("m", METRIC)], [target], rng=rng(), thresholds={"m": 0.5})
    low, high = METRIC[bad > 0], METRIC[bad == 0]
    pairs = [(x < y) + (x == y) / 2 for x in low for y in high]
    assert found.auroc is not None
    assert found.auroc == pytest.approx(np.mean(pairs))
    assert found.auroc_interval is not None
    assert found.auroc_interval.low < found.auroc < found.auroc_interval.high
    flagged = METRIC < 0.5
    assert found.flagged == flagged.sum()
    assert found.precision == pytest.approx(bad[flagged].mean())
    assert found.recall == pytest.approx(flagged[bad > 0].mean())


def test_a_handful_of_bad_answers_has_no_area() -> None:
    bad = np.zeros((8, 30))
    bad[0, :3] = 1
    target = Target("d", "dangerous", Grid(SYSTEMS, CASES, bad, np.ones_like(bad, dtype=bool)))
    [found] = find_bad_answers([source("m", METRIC)], [target], rng=rng())
    assert found.auroc is None
    assert "3 of 240" in found.undefined


@pytest.mark.parametrize("seed", range(8))
def test_a_metric_alike_within_each_case_has_no_correlation_of_differences(seed: int) -> None:
    """Sums of large numbers leave a trace that no rule about sizes tells from a correlation."""
    drawn = np.random.default_rng(seed)
    alike = source("alike", np.tile(1000 + 100 * drawn.random(30).round(2), (8, 1)))
    human = source("human", drawn.integers(1, 6, (8, 30)).astype(float), holes=0.25, seed=seed)
    found = answer_level([alike], [human], rng=rng())
    assert [one.pair_r for one in found] == [None]

"""Clusters of unequal size: what the mean's error is, and when nothing is said."""

import json
from pathlib import Path

import numpy as np
import pytest
from gate_clusters import ERROR, SIZES, rates
from numpy.typing import NDArray
from tools.endurance import Endurance
from unequal_clusters import SIZES as SHARE_SIZES
from unequal_clusters import coverage

from medassay.stats import means_over_cases, moments, paired_gate
from medassay.stats.intervals import LEAST_FREEDOM, bias_reduced
from medassay.validity import Change, Verdict, gate

LAYOUTS = [(3, 1, 2, 5), (60, *(4,) * 9), (1, 2, 20, 20, 1), (7, 7, 7), (30, 20, 20, 10, 10, 10)]


def by_matrices(values: NDArray[np.float64], sizes: tuple[int, ...]) -> tuple[float, float]:
    """Follow the definition of CR2 unit by unit: A_c = (I − H_cc)^(−1/2), df from all quadratics.

    No other tool is at hand; this goes by n × n matrices, shares no line with what it checks, and
    takes the matrix root numerically.
    """
    n = len(values)
    left = np.eye(n) - np.full((n, n), 1 / n)
    ends = np.cumsum(sizes)
    forms = []
    for start, end in zip(ends - sizes, ends, strict=True):
        roots, vectors = np.linalg.eigh(left[start:end, start:end])
        inverse = vectors @ np.diag(roots**-0.5) @ vectors.T
        forms.append(left[:, start:end] @ inverse @ np.ones(end - start) / n)
    spread = np.array(forms)
    middle = spread @ spread.T
    variance = ((spread @ values) ** 2).sum()
    return float(np.sqrt(variance)), float(np.trace(middle) ** 2 / (middle**2).sum())


@pytest.mark.parametrize("sizes", LAYOUTS)
def test_as_the_definition_by_matrices(sizes: tuple[int, ...]) -> None:
    values = np.random.default_rng(5).normal(size=sum(sizes))
    residual = values - values.mean()
    sums = np.add.reduceat(residual, np.cumsum([0, *sizes[:-1]]))
    error, freedom = bias_reduced(sums[None], np.array([sizes], dtype=np.float64))
    assert (error[0], freedom[0]) == pytest.approx(by_matrices(values, sizes))


def test_as_clubsandwich() -> None:
    path = Path(__file__).parents[1] / "golden" / "unequal_clusters.json"
    for study in json.loads(path.read_text(encoding="utf-8"))["studies"]:
        hits = np.array([study["hits"]], dtype=np.float64)
        labels = np.repeat(np.arange(len(study["sizes"])), study["sizes"]).tolist()
        these = moments(hits, np.ones(hits.shape, dtype=np.bool_), labels)
        ours = (these.mean[0], these.error[0], these.freedom[0])
        assert ours == pytest.approx((study["mean"], study["error"], study["freedom"]))


def test_wilson_by_hand() -> None:
    # Clusters of 3, 1 and 2 with 3, 0 and 1 hits: mean 2/3, residual sums 1, -2/3, -1/3. CR2:
    # (1/(1 - 1/2) + (4/9)/(1 - 1/6) + (1/9)/(1 - 1/3))/36 = (2 + 8/15 + 1/6)/36 = .075 = SE^2.
    # Degrees: shares 1/2, 1/6, 1/3; h^2/(1 - h) = 1/2, 1/30, 1/6; 2(1/60 + 1/12 + 1/180) = 19/90;
    # sum of h^2 = 7/18 = 35/90; 90/54 = 5/3. n = (2/9)/.075 = 80/27.
    from scipy.stats import t

    row = np.array([[1.0, 1, 1, 0, 1, 0]])
    [mean] = means_over_cases(row, row >= 0, clusters=list("aaabcc"), bounds=(0, 1))
    square, n = t.ppf(0.975, 5 / 3) ** 2, 80 / 27
    half = (square * (2 / 9 / n + square / (4 * n * n))) ** 0.5 / (1 + square / n)
    middle = (2 / 3 + square / (2 * n)) / (1 + square / n)
    assert mean.interval is not None
    assert (mean.interval.low, mean.interval.high) == pytest.approx((middle - half, middle + half))


def test_what_is_rare_and_comes_in_clumps_is_held() -> None:
    these = coverage(SHARE_SIZES["20 of 1, 2 or 20"], 0.05, 0.9, np.random.default_rng(1), 400)
    assert these.unclumped < 0.86  # 80.5% of 2,000
    assert these.wilson > 0.94
    assert these.korn > 0.94


@pytest.mark.parametrize(("holding", "clumped"), [(4, True), (5, False)])
def test_five_clusters_with_a_hit_show_how_alike_answers_are(holding: int, clumped: bool) -> None:  # noqa: FBT001 - given by name
    hits = np.zeros((1, 40))
    hits[0, : 2 * holding : 2] = 1.0  # one of two answers in each of so many clusters
    these = moments(hits, np.ones((1, 40), dtype=np.bool_), np.repeat(range(20), 2).tolist())
    assert (these.clumped_error[0] > these.error[0]) == clumped


def test_independent_answers_come_in_no_clumps() -> None:
    hits = np.array([[1.0, *[0.0] * 19]])
    these = moments(hits, hits >= 0)
    assert these.clumped_error.tolist() == these.error.tolist()


def test_sizes_are_those_of_the_known_cases() -> None:
    values = np.array([[0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 1.0], [0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 9.0]])
    known = np.array([[True] * 7, [True] * 6 + [False]])
    these = moments(values, known, list("aabbccc"))
    alone = moments(values[1:, :6], known[1:, :6], list("aabbcc"))
    assert these.freedom[0] < 2
    assert (these.freedom[1], these.error[1]) == (2.0, alone.error[0])


def test_one_large_cluster_of_ten_is_said_and_not_judged() -> None:
    sizes = (60, *(4,) * 9)
    values = np.random.default_rng(3).normal(-0.5, 0.12, sum(sizes))
    found = paired_gate(values, margin=0.02, clusters=np.repeat(range(10), sizes).tolist())
    assert found.difference is not None
    assert (found.interval, found.p_worse, found.p_not_worse) == (None, None, None)
    assert "60 of 96 cases in one" in found.undefined
    assert f"under {LEAST_FREEDOM:.0f}" in found.undefined


def test_interval_and_p_agree_on_unequal_clusters() -> None:
    sizes = (30, 20, 20, 10, 10, 10)
    labels = np.repeat(range(6), sizes).tolist()
    values = np.random.default_rng(8).normal(-0.02, 0.12, sum(sizes))
    found = paired_gate(values, margin=0.02, clusters=labels)
    assert found.interval is not None
    # A shift that puts the upper end at 0 makes p_worse .025.
    shifted = paired_gate(values - found.interval.high, margin=0.02, clusters=labels)
    assert shifted.p_worse == pytest.approx(0.025)


def test_four_equal_clusters_are_judged() -> None:
    values = np.random.default_rng(2).normal(-0.5, 0.12, 100)
    found = paired_gate(values, margin=0.02, clusters=np.repeat(range(4), 25).tolist())
    assert found.p_worse is not None
    assert found.p_worse < ERROR


@pytest.mark.parametrize("title", ["60, and 9 of 4", "80, 40, 20, 15, 10, 10, 8, 7, 5, 5"])
def test_a_large_cluster_makes_no_false_verdict(title: str) -> None:
    found = rates(SIZES[title], 0.5, np.random.default_rng(1), simulations=300)
    assert found.before > 2 * ERROR
    assert (found.worse, found.not_worse, found.no_answer) == (0.0, 0.0, 1.0)


def test_a_share_is_held_where_the_old_interval_failed() -> None:
    these = coverage(SHARE_SIZES["60, and 9 of 4"], 0.3, 0.5, np.random.default_rng(1), 400)
    assert these.before < 0.8
    assert min(these.wilson, these.korn) > 0.93


@pytest.mark.endure
@pytest.mark.parametrize("title", SIZES)
def test_verdicts_keep_their_rate_on_unequal_clusters(title: str, endurance: Endurance) -> None:
    studies = endurance.size("pairs of versions", short=500, whole=4000)
    found = rates(SIZES[title], 0.5, np.random.default_rng(1), simulations=studies)
    endurance.found(
        f"wrongly worse before {found.before:.3f}, now {found.worse:.3f}, wrongly not worse "
        f"{found.not_worse:.3f}"
    )
    # simulations/gate-clusters.md: 3.2% at most, and three Monte Carlo errors
    bar = 0.032 + 3 * float(np.sqrt(0.032 * 0.968 / studies))
    assert max(found.worse, found.not_worse) < bar


def test_the_gate_says_undecided_and_which_clusters_are_at_fault() -> None:
    cluster_of = {str(i): str(max(0, (i - 56) // 4)) for i in range(96)}
    rng = np.random.default_rng(4)
    old = {("A", case): 0.8 for case in cluster_of}
    new = {key: value - 0.3 + 0.1 * rng.random() for key, value in old.items()}
    [found] = gate([Change("x", "higher", old, new, 0, 1)], margin=0.02, clusters=cluster_of)
    assert found.verdict is Verdict.UNDECIDED
    assert "60 of 96 cases in one" in found.systems[0].why

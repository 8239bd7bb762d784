"""Systems whose cases chance allotted: against other tools, brute force, and what must not change.

`tests/golden/make_allotted.py` made the values, from statsmodels, scipy and dense matrices.
"""

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from medassay.stats import compare_all_pairs, holm, mcnemar_exact, pair_index
from medassay.stats.allotted import (
    _FEWEST,
    PairCounts,
    RandomCases,
    compare_allotted,
    joined_score_interval,
    max_t_adjusted,
    redrawn,
)

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "golden" / "allotted.json").read_text(encoding="utf-8")
)


def _of(design: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    return np.array(design["values"], dtype=np.float64), np.array(design["known"], dtype=bool)


@pytest.mark.parametrize("design", GOLDEN["designs"], ids=lambda design: design["name"])
def test_means_errors_and_degrees_equal_the_dense_fit(design: dict[str, Any]) -> None:
    values, known = _of(design)
    groups = np.array(design["groups"])
    own = groups if len(set(groups.tolist())) < len(groups) else None
    fit = RandomCases.of(values, known, own)
    assert fit.ratio == pytest.approx(design["gamma"], rel=1e-8, abs=1e-9)
    assert fit.means == pytest.approx(design["means"], abs=1e-9)
    error, freedom = fit.errors(*pair_index(len(values)))
    assert error == pytest.approx(design["errors"], rel=1e-7)
    assert error == pytest.approx(design["errors_by_cholesky"], rel=5e-3)
    assert freedom == pytest.approx(design["freedoms"], rel=1e-5)  # roots are kept in single
    if design["reml"]:
        # Restricted likelihood has another ratio; the means lie within a fifth of an error.
        gaps = np.subtract(*(fit.means[list(side)] for side in pair_index(len(values))))
        reml = np.array(design["reml"])
        theirs = np.subtract(*(reml[list(side)] for side in pair_index(len(values))))
        assert np.abs(gaps - theirs).max() < 0.2 * error.min()


@pytest.mark.parametrize("case", GOLDEN["small"])
def test_the_allotment_drawn_again_equals_every_pattern(
    case: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    values, known = _of(case)
    for weight, p in case["p"].items():
        module = import_module("medassay.stats.allotted")
        monkeypatch.setattr(module, "_weight", lambda *_, held=float(weight): held)
        found = redrawn(values, known)
        assert found is not None
        assert found.p == pytest.approx(p, abs=1e-12)


@pytest.mark.parametrize("case", GOLDEN["alone"])
def test_without_shared_cases_it_is_fishers_test(case: dict[str, Any]) -> None:
    (m, n), (x, y) = case["of"], case["right"]
    values, known = np.zeros((2, m + n)), np.zeros((2, m + n), dtype=bool)
    known[0, :m] = known[1, m:] = True
    values[0, :x] = values[1, m : m + y] = 1.0
    found = redrawn(values, known)
    assert found is not None
    assert found.difference == pytest.approx(x / m - y / n)
    # Fisher's orders tables by their chance, this one by the difference of shares.
    assert found.p == pytest.approx(case["fisher"], rel=0.35)
    assert found.p >= 0.5 * case["boschloo"]
    counts = PairCounts(0, 0, 0, (m, n), (x, y))
    interval = joined_score_interval(counts, 0.0)
    assert (interval.low, interval.high) == pytest.approx(case["interval"], abs=1e-6)


@pytest.mark.parametrize(
    ("counts", "printed"),
    [
        (PairCounts(0, 0, 0, (70, 80), (56, 48)), (0.0528, 0.3382)),
        (PairCounts(0, 0, 0, (10, 10), (9, 3)), (0.1700, 0.8406)),
        (PairCounts(0, 0, 0, (10, 10), (10, 0)), (0.6636, 1.0)),
    ],
)
def test_the_intervals_of_miettinen_and_nurminen_are_those_in_print(
    counts: PairCounts, printed: tuple[float, float]
) -> None:
    # Newcombe (1998), Statistics in Medicine 17:873-890, table II.
    found = joined_score_interval(counts, 0.0)
    assert (found.low, found.high) == pytest.approx(printed, abs=6e-5)


@pytest.mark.parametrize("case", GOLDEN["paired"])
def test_with_every_case_shared_it_is_mcnemars(case: dict[str, Any]) -> None:
    n, b, c = case["counts"]
    values = np.zeros((2, n))
    values[0, :b] = values[1, b : b + c] = 1.0
    found = redrawn(values, np.ones((2, n), dtype=bool))
    assert found is not None
    assert found.p == pytest.approx(case["mcnemar"], abs=1e-12)
    assert found.p == pytest.approx(mcnemar_exact(b, c).p, abs=1e-12)
    interval = joined_score_interval(PairCounts(n, b, c), 1.0)
    assert (interval.low, interval.high) == pytest.approx(case["tango"], abs=1e-6)


def test_all_pairs_at_once_equal_the_integral() -> None:
    held = GOLDEN["max_t"]
    pulled, p = np.array(held["pulled"]), np.array(held["p"])
    found = max_t_adjusted(p, *pair_index(4), pulled, rng=np.random.default_rng(1))
    # 20,000 draws: three errors at .05 are .005.
    assert found == pytest.approx(held["adjusted"], abs=0.008)
    assert (found <= holm(p) + 1e-12).all()
    assert (found >= p).all()


def _study(rng: np.random.Generator, shared: int, systems: int = 2) -> tuple[np.ndarray, ...]:
    cases = 275
    known = np.zeros((systems, cases), dtype=bool)
    known[:, :shared] = True
    for row in known:
        row[shared + rng.permutation(cases - shared)[: 100 - shared]] = True
    seen = rng.normal(size=(systems, cases)) + rng.normal(size=cases)
    return seen, known


def test_what_one_system_alone_has_counts() -> None:
    rng = np.random.default_rng(1)
    seen, known = _study(rng, 30)
    seen[0] += 0.5
    [now] = compare_allotted(seen, known, rng=rng).differences
    [before] = compare_all_pairs(seen, known, rng=rng)
    assert now.n + now.alone // 2 == 100
    assert now.minimal_detectable_effect is not None
    assert before.minimal_detectable_effect is not None
    assert now.minimal_detectable_effect < 0.85 * before.minimal_detectable_effect
    assert now.method == "t, cases a random effect"


def test_rare_values_are_tested_exactly_and_clusters_never() -> None:
    rng = np.random.default_rng(2)
    seen, known = _study(rng, 50)
    right = (seen < 2.6).astype(np.float64)  # wrong in some three of a hundred
    assert (known & (right < 1)).sum(axis=1).min() < _FEWEST
    [pair] = compare_allotted(right, known, rng=rng).differences
    assert pair.method == "exact, the allotment drawn again"
    assert pair.interval is not None
    assert pair.interval.method == "score (Tango and Miettinen-Nurminen)"
    [clustered] = compare_allotted(
        right, known, rng=rng, clusters=[k // 5 for k in range(known.shape[1])]
    ).differences
    assert clustered.method == "t, cases a random effect"


def test_two_systems_that_are_never_wrong_do_not_differ() -> None:
    known = _study(np.random.default_rng(3), 20)[1]
    found = compare_allotted(np.ones(known.shape), known, rng=1)
    [pair] = found.differences
    assert (pair.difference, pair.p, pair.p_adjusted) == (0.0, 1.0, 1.0)
    assert found.means.tolist() == [1.0, 1.0]


def test_the_order_of_cases_changes_nothing() -> None:
    rng = np.random.default_rng(4)
    seen, known = _study(rng, 40, 3)
    order = rng.permutation(known.shape[1])
    one = compare_allotted(seen, known, rng=7)
    other = compare_allotted(seen[:, order], known[:, order], rng=7)
    assert one.means == pytest.approx(other.means, abs=1e-12)
    for a, b in zip(one.differences, other.differences, strict=True):
        assert a.p == pytest.approx(b.p, rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("shared", [0, 20, 80])
@pytest.mark.parametrize("bar", [None, 1.5])
def test_equal_systems_are_rarely_told_apart(shared: int, bar: float | None) -> None:
    rng = np.random.default_rng([5, shared])
    studies, told = 200, 0
    for _ in range(studies):
        seen, known = _study(rng, shared, 3)
        values = seen if bar is None else (seen < bar).astype(np.float64)
        pairs = compare_allotted(values, known, rng=rng).differences
        told += any((pair.p_adjusted or 0.0) <= 0.05 for pair in pairs)
    assert told <= 18  # 10 expected at most; more than 18 comes once in a hundred

"""Slopes inside groups: against statsmodels and the definition, and what leaves them alone."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import t as student
from tools.endurance import Endurance
from within_slopes import DESIGNS, Design, held

from medassay.stats import within_slopes
from medassay.stats.intervals import bias_reduced

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "within_slopes.json").read_text())


def of(one: dict[str, Any], order: np.ndarray | None = None) -> list[tuple[float, float, float]]:
    rows = np.arange(len(one["y"])) if order is None else order
    found = within_slopes(
        np.array(one["y"])[rows],
        np.array(one["x"])[rows],
        [one["groups"][i] for i in rows],
        clusters=[one["clusters"][i] for i in rows],
        estimand="a test",
    )
    told = []
    for slope in found:
        assert slope.slope is not None
        assert slope.interval is not None
        told.append((slope.slope, slope.interval.low, slope.interval.high))
    return told


def halves_by_matrices(one: dict[str, Any]) -> list[float]:
    """Follow CR2 unit by unit, groups as dummies: n × n matrices, and no line of what it checks."""
    groups, clusters = np.array(one["groups"]), np.array(one["clusters"])
    dummies = (groups[:, None] == np.unique(groups)).astype(float)
    full = np.column_stack([one["x"], dummies])
    inverse = np.linalg.pinv(full.T @ full)
    left = np.eye(len(groups)) - full @ inverse @ full.T
    forms = []
    for cluster in np.unique(clusters):
        own = np.flatnonzero(clusters == cluster)
        roots, vectors = np.linalg.eigh(left[np.ix_(own, own)])
        kept = roots > 1e-9
        powers = np.where(kept, np.where(kept, roots, 1.0) ** -0.5, 0.0)
        forms.append(inverse @ full[own].T @ (vectors * powers) @ vectors.T @ left[own])
    halves = []
    for slope in range(len(one["slopes"])):
        spread = np.array(forms)[:, slope]
        middle = spread @ spread.T
        freedom = np.trace(middle) ** 2 / (middle**2).sum()
        error = np.sqrt(((spread @ one["y"]) ** 2).sum())
        halves.append(float(student.ppf(0.975, freedom) * error))
    return halves


@pytest.mark.parametrize("one", GOLDEN["sets"])
def test_statsmodels_finds_the_same_slopes_and_the_definition_the_same_ends(
    one: dict[str, Any],
) -> None:
    halves = halves_by_matrices(one)
    for (slope, low, high), theirs, half in zip(of(one), one["slopes"], halves, strict=True):
        assert slope == pytest.approx(theirs, abs=1e-10)
        assert (high - low) / 2 == pytest.approx(half, rel=1e-8)


def test_one_slope_is_a_mean_in_which_groups_weigh_by_their_spread() -> None:
    # The errors of means are those of clubSandwich (test_unequal_clusters.py).
    rng = np.random.default_rng(4)
    x, y = rng.normal(size=(2, 8, 3)) * np.exp(rng.normal(size=(8, 1)))
    y -= y.mean(axis=1, keepdims=True)
    x -= x.mean(axis=1, keepdims=True)
    groups = np.repeat(range(8), 3).tolist()
    [found] = within_slopes(y.ravel(), x.reshape(-1, 1), groups, estimand="a test")
    spread = (x * x).sum(axis=1)
    pulls = (x * (y - x * found.slope)).sum(axis=1)
    [error], [freedom] = bias_reduced(pulls[None], spread[None])
    assert found.interval is not None
    half = (found.interval.high - found.interval.low) / 2
    # bias_reduced divides by all the spread, and so do slopes.
    assert half == pytest.approx(float(student.ppf(0.975, freedom) * error))


def test_the_order_of_rows_means_nothing() -> None:
    one = GOLDEN["sets"][1]
    order = np.random.default_rng(1).permutation(len(one["y"]))
    assert np.array(of(one)) == pytest.approx(np.array(of(one, order)), abs=1e-12)


def test_what_does_not_vary_inside_groups_has_no_slope() -> None:
    y = np.arange(6.0)
    [flat] = within_slopes(y, np.array([[0.1]] * 6), list("aabbcc"), estimand="a test")
    assert (flat.slope, flat.interval) == (None, None)
    assert "fewer than 3 groups" in flat.undefined
    twice = np.column_stack([y**2, 2 * y**2])
    one, other = within_slopes(y, twice, list("aabbcc"), estimand="a test")
    assert "cannot be told apart" in one.undefined == other.undefined


def test_one_group_that_holds_all_differences_leaves_no_interval() -> None:
    y = np.array([1.0, 3, 5, 6, 0, 3, 4, 9])
    x = np.column_stack([[1.0, 2, 7, 8, 4, 5, 0, 0], [0.0] * 7 + [1.0]])
    shared, alone = within_slopes(y, x, list("aabbccdd"), estimand="a test")
    assert shared.interval is not None
    assert alone.slope == pytest.approx(5.0)
    assert alone.interval is None
    assert "one group alone" in alone.undefined


@pytest.mark.endure
@pytest.mark.parametrize("design", DESIGNS, ids=str)
def test_the_interval_of_a_slope_holds(design: Design, endurance: Endurance) -> None:
    studies = endurance.size("studies", short=100, whole=1000)
    before, now = held(design, studies)
    endurance.found(f"held before {before:.1%}, now {now:.1%}")
    # simulations/unequal-clusters.md: 93.3% at least, and four Monte Carlo errors.
    assert now >= 0.93 - 4 * (0.07 * 0.93 / studies) ** 0.5

"""Means adjusted by case: the least-squares fit, whatever the holes, and plain without any."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from medassay.stats import CaseAdjustment

GOLDEN = json.loads(
    (Path(__file__).parents[1] / "golden" / "adjusted_means.json").read_text(encoding="utf-8")
)["designs"]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


def drawn(seed: int, systems: int = 5, cases: int = 8, holes: float = 0.4) -> tuple[Floats, Flags]:
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 4, size=(systems, cases)).astype(float)
    return values, rng.random(values.shape) >= holes


@pytest.mark.parametrize("design", GOLDEN, ids=lambda design: design["name"])
def test_adjusted_means_are_those_of_ordinary_least_squares(design: dict[str, Any]) -> None:
    values, known = np.array(design["values"]), np.array(design["known"], dtype=bool)
    adjustment = CaseAdjustment(known)
    assert not adjustment.complete
    assert adjustment.means(values[None])[0] == pytest.approx(design["adjusted"], abs=1e-9)


def test_without_holes_they_are_the_plain_means_to_the_bit() -> None:
    values, known = drawn(1, holes=0.0)
    assert CaseAdjustment(known).complete
    plain = values.sum(axis=1) / known.sum(axis=1)
    assert (CaseAdjustment(known).means(values[None])[0] == plain).all()
    # A case that nobody has is no hole.
    wider = np.column_stack([known, np.zeros(len(known), dtype=bool)])
    assert CaseAdjustment(wider).complete
    padded = np.column_stack([values, np.full(len(known), 99.0)])
    assert (CaseAdjustment(wider).means(padded[None])[0] == plain).all()


@given(st.integers(0, 10**6), st.sampled_from([0.2, 0.5, 0.7]))
def test_nothing_but_the_known_answers_and_their_differences_counts(
    seed: int, holes: float
) -> None:
    values, known = drawn(seed, holes=holes)
    adjustment = CaseAdjustment(known)
    means = adjustment.means(values[None])[0]
    if not adjustment.linked:
        assert np.isnan(means).all()
        assert "share no case" in adjustment.undefined
        return
    rng = np.random.default_rng(seed)
    # What is not known may be anything, and how hard a case is moves all systems alike.
    other = np.where(known, values + 5 * rng.normal(size=values.shape[1]), 1e6)
    moved = adjustment.means(other[None])[0]
    assert moved - moved[0] == pytest.approx(means - means[0], abs=1e-8)
    order = rng.permutation(len(values))
    again = CaseAdjustment(known[order]).means(values[None, order])[0]
    assert again == pytest.approx(means[order], abs=1e-12)


@given(st.integers(0, 10**6))
def test_a_column_that_is_alike_for_all_systems_has_one_mean(seed: int) -> None:
    _, known = drawn(seed)
    level = 100 * np.random.default_rng(seed).normal(size=known.shape[1])
    values = np.broadcast_to(level, known.shape)
    adjustment = CaseAdjustment(known)
    if adjustment.linked:
        means = adjustment.means(values[None])[0]
        assert np.ptp(means) == 0  # to the bit: no reader may find an order in rounding


@given(st.integers(0, 10**6))
@settings(max_examples=40)
def test_a_resample_is_the_fit_to_copies_of_its_cases(seed: int) -> None:
    values, known = drawn(seed)
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(8, np.full(8, 1 / 8), size=4).astype(float)
    effects, linked = CaseAdjustment(known).replicates(values[None], counts)
    for b, times in enumerate(counts.astype(int)):
        copies = np.repeat(np.arange(8), times)
        alone = CaseAdjustment(known[:, copies])
        same = alone.groups[:, None] == alone.groups
        assert (linked[b] == same).all()
        own, _ = alone.replicates(values[None, :, copies])
        gap = effects[:, b, 0][:, None] - effects[:, b, 0]
        expected = own[:, 0, 0][:, None] - own[:, 0, 0]
        assert gap[same] == pytest.approx(expected[same], abs=1e-9)


@given(st.integers(0, 10**6))
@settings(max_examples=40)
def test_each_answers_weight_adds_up_to_the_effect(seed: int) -> None:
    values, known = drawn(seed)
    adjustment = CaseAdjustment(known)
    effects = adjustment.replicates(values[None])[0][:, 0, 0]
    for system, effect in enumerate(effects):
        weights = adjustment.weights_of(system)
        assert (weights[~known] == 0).all()
        assert (weights * values).sum() == pytest.approx(effect, abs=1e-9)


def test_groups_that_no_case_links_are_told_apart() -> None:
    known = np.array([[1, 1, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1], [0, 0, 0, 1]], dtype=bool)
    adjustment = CaseAdjustment(known)
    assert adjustment.groups.tolist() == [0, 0, 2, 2]
    assert adjustment.undefined == (
        "the systems fall into 2 groups that share no case: nothing compares them"
    )
    # One case that a system of each has links them all.
    known[1, 3] = True
    assert CaseAdjustment(known).linked


def test_a_resample_compares_the_systems_that_its_cases_link() -> None:
    values = np.array([[1.0, 2.0, 0.0], [3.0, 4.0, 0.0], [0.0, 5.0, 6.0]])
    known = np.array([[1, 1, 0], [1, 1, 0], [0, 1, 1]], dtype=bool)
    counts = np.array([[1.0, 1.0, 1.0], [2.0, 0.0, 1.0]])
    means, step = CaseAdjustment(known).compared_in(values, counts)
    # All three meet on the second case: systems 1 and 2 differ by 2 on both of theirs.
    assert means[0, 1] - means[0, 0] == pytest.approx(2)
    # Without it the third stands alone.
    assert np.isnan(means[1]).tolist() == [False, False, True]
    assert 0 < step < 1e-6

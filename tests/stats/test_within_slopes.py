"""Slopes inside groups: against statsmodels, and what leaves them alone."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from medassay.stats import within_slopes

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


@pytest.mark.parametrize("one", GOLDEN["sets"])
def test_statsmodels_says_the_same(one: dict[str, Any]) -> None:
    for (slope, low, high), theirs, half in zip(of(one), one["slopes"], one["half"], strict=True):
        assert slope == pytest.approx(theirs, abs=1e-10)
        assert (high - low) / 2 == pytest.approx(half, abs=1e-10)


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

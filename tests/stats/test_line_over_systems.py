"""Lines over systems: against statsmodels, by hand, and what rounding must not decide."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from medassay.errors import InvalidInput
from medassay.stats import p_without_any_two, system_line

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "line_over_systems.json").read_text())


@pytest.mark.parametrize("one", GOLDEN["sets"])
def test_statsmodels_says_the_same(one: dict[str, Any]) -> None:
    line = system_line(one["x"], one["y"])
    assert line is not None
    assert [line.slope, line.error] == pytest.approx([one["slope"], one["error"]], rel=1e-10)
    assert [line.slope, line.error] == pytest.approx(one["by_pairs"], rel=1e-9)
    assert line.p == pytest.approx(one["p"], rel=1e-9)
    assert p_without_any_two(one["x"], one["y"]) == pytest.approx(one["p_without"], rel=1e-9)
    assert line.loss_not_excluded() == pytest.approx(one["not_excluded"], rel=1e-9)
    if one["threshold"] is None:
        assert line.threshold() is None
    else:
        assert line.threshold() == pytest.approx(one["threshold"], rel=1e-8)


def test_the_sets_hold_both_kinds() -> None:
    assert {one["threshold"] is None for one in GOLDEN["sets"]} == {True, False}


@pytest.mark.slow
def test_prediction_intervals_hold_the_difference_of_two_new_systems() -> None:
    # 4,000 studies: 95% with a Monte Carlo error of .35.
    rng = np.random.default_rng(3)
    held, studies = 0, 4000
    for _ in range(studies):
        x = rng.normal(size=14)
        y = 0.7 * x + 0.4 * rng.normal(size=14)
        line = system_line(x[:12], y[:12])
        assert line is not None
        moved = x[12] - x[13]
        half = np.hypot(line.loss_not_excluded(), moved * line.error * _t(10))
        held += abs((y[12] - y[13]) - moved * line.slope) <= half
    assert held / studies == pytest.approx(0.95, abs=0.012)


def _t(freedom: int) -> float:
    from scipy import stats

    return float(stats.t.ppf(0.975, freedom))


@pytest.mark.parametrize("far_off", [1, 2])
def test_systems_far_off_make_no_slope(far_off: int) -> None:
    rng = np.random.default_rng(far_off)
    x, y = rng.normal(size=(2, 20))
    x[:far_off] -= 50
    y[:far_off] -= 50
    line, p = system_line(x, y), p_without_any_two(x, y)
    assert line is not None
    assert line.p < 1e-9
    assert p is not None
    assert p > 0.05


def test_points_on_a_line_foretell_without_error() -> None:
    line = system_line([0.1, 0.2, 0.3, 0.4, 0.6], [1.1, 1.2, 1.3, 1.4, 1.6])
    assert line is not None
    assert (line.p, line.threshold(), line.loss_not_excluded()) == (0, 0, 0)
    falling = system_line([0.1, 0.2, 0.3, 0.4, 0.6], [-1.1, -1.2, -1.3, -1.4, -1.6])
    assert falling is not None
    assert (falling.p, falling.threshold()) == (1, None)


def test_what_does_not_vary_has_no_line() -> None:
    assert system_line([1, 1, 1], [1, 2, 3]) is None
    assert system_line([0.1 + 0.2, 0.3, 0.3], [1, 2, 3]) is None
    assert system_line([1, 2, 3], [2, 2, 2]) is None
    assert system_line([1, 2], [1, 2]) is None
    assert p_without_any_two([1, 2, 3, 4], [1, 2, 3, 4]) is None


def test_without_two_that_differ_nothing_stands() -> None:
    assert p_without_any_two([0, 0, 0, 0, 1, 2], [0, 1, 0, 1, 5, 9]) == 1


def test_columns_of_other_lengths_are_refused() -> None:
    with pytest.raises(InvalidInput, match="have 3 values"):
        system_line([1, 2, 3], [1, 2])


def test_order_and_unit_change_nothing_but_the_unit() -> None:
    rng = np.random.default_rng(5)
    x, y = rng.normal(size=(2, 15))
    y += x
    order = rng.permutation(15)
    assert p_without_any_two(x, y) == pytest.approx(
        p_without_any_two(1000 * x[order] + 7, y[order] / 9 - 3)
    )
    line, scaled = system_line(x, y), system_line(1000 * x + 7, y / 9 - 3)
    assert line is not None
    assert scaled is not None
    assert scaled.threshold() == pytest.approx(1000 * (line.threshold() or 0))
    assert scaled.loss_not_excluded() == pytest.approx(line.loss_not_excluded() / 9)

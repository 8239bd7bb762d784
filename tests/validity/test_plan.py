"""Plans: against scipy's noncentral t and by hand; the simulation is simulations/plan_power.py."""

from dataclasses import replace

import numpy as np
import plan_power
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import nct, t
from tools.endurance import Endurance

from medassay.errors import InvalidInput
from medassay.judgements import Units
from medassay.scores import Grid
from medassay.stats import tau_b
from medassay.validity import (
    Source,
    Spread,
    cases_for_width,
    cases_to_separate,
    detectable_difference,
    pair_spread,
    power_to_separate,
    spread_of_grid,
    spread_of_labels,
    systems_for_width,
    tau_width,
)

SPREAD = Spread(
    family=0, system=0.1, cluster=0, case=0.2, system_cluster=0.05, system_case=0.1, rater=0.04,
    residual=0.3, labels=2, shared=0.5, cluster_size=4, family_size=1, systems=6, cases=40, n=480,
    relabelled=240, raters_apart=True,
)  # fmt: skip


def test_the_variance_of_a_difference_by_hand() -> None:
    # 2 * (0.05 * 4 + 0.1 + (0.3 + 0.5 * 0.04) / 2) / 40 = 2 * (0.3 + 0.16) / 40 = 0.023
    assert SPREAD.difference_variance(40, 2) == pytest.approx(0.023)


@pytest.mark.parametrize("difference", [0.05, 0.3, 0.9, 4.0])
@pytest.mark.parametrize("cases", [12, 40, 400])
def test_power_is_that_of_scipy(difference: float, cases: int) -> None:
    free = cases / 4 - 1
    bar, centre = t.ppf(0.975, free), difference / SPREAD.difference_variance(cases, 2) ** 0.5
    # scipy has no value far in a tail: 1 above, 0 below.
    expected = np.nan_to_num(nct.sf(bar, free, centre), nan=1.0)
    expected += np.nan_to_num(nct.cdf(-bar, free, centre), nan=0.0)
    assert power_to_separate(SPREAD, difference, cases, 2) == pytest.approx(expected, abs=1e-6)


@given(
    difference=st.floats(0.05, 2), labels=st.integers(1, 5), power=st.sampled_from([0.5, 0.8, 0.95])
)
def test_the_fewest_cases_are_the_fewest(difference: float, labels: int, power: float) -> None:
    cases = cases_to_separate(SPREAD, difference, labels, power=power)
    assert cases is not None
    assert power_to_separate(SPREAD, difference, cases, labels) >= power
    assert power_to_separate(SPREAD, difference, cases - 1, labels) < power
    least = detectable_difference(SPREAD, cases, labels, power=power)
    assert least is not None
    assert least <= difference * (1 + 1e-9)


def test_more_labels_never_need_more_cases_and_wishes_are_checked() -> None:
    needed = [cases_to_separate(SPREAD, 0.2, labels) or 0 for labels in (1, 2, 3, 5, 50)]
    assert needed == sorted(needed, reverse=True)
    assert cases_to_separate(SPREAD, 1e-5, 1) is None
    with pytest.raises(InvalidInput, match="be above 0"):
        cases_to_separate(SPREAD, 0, 1)


def test_labels_of_one_answer_tell_raters_apart() -> None:
    rng = np.random.default_rng(3)
    answer = rng.normal(size=(300, 1))
    codes = np.clip(np.rint(4 + answer + [0, 1.0, -1.0] + 0.5 * rng.normal(size=(300, 3))), 0, 8)
    keys = [(f"s{i % 3}", f"c{i // 3:03}") for i in range(300)]
    order = sorted(range(300), key=keys.__getitem__)
    units = Units.from_codes(
        codes[order].astype(int), [f"{i}" for i in range(9)],
        keys=[keys[i] for i in order], scores=range(9), scale="interval",
    )  # fmt: skip
    found = spread_of_labels(units)
    assert found.raters_apart
    assert found.relabelled == 300
    assert found.shared == 1
    # Rounding adds 1/12 to the residual of 0.25; the raters' ±1 have the variance 1.
    assert found.rater == pytest.approx(1.0, abs=0.1)
    assert found.residual == pytest.approx(0.25 + 1 / 12, abs=0.05)
    assert found.system_case + found.case == pytest.approx(1.0, abs=0.2)


def test_one_score_an_answer_leaves_nothing_to_the_raters() -> None:
    grid = Grid(
        ("A", "B"), ("1", "2", "3"), np.array([[1.0, 2, 3], [2, 4, 3]]), np.ones((2, 3)) > 0
    )
    found = spread_of_grid(grid, families={"A": "x", "B": "x"})
    assert (found.rater, found.residual, found.raters_apart) == (0, 0, False)
    assert spread_of_grid(replace_values(grid)).undefined == "all values are equal"


@pytest.mark.parametrize("ahead", [0.0, 1.0])
def test_systems_that_differ_alike_on_every_case_leave_nothing_to_plan_from(ahead: float) -> None:
    values = np.array([[1.0, 2, 3, 2, 1], [1.0, 2, 3, 2, 1]]) + np.array([[0.0], [ahead]])
    found = spread_of_grid(Grid(("A", "B"), tuple("12345"), values, values > 0))
    assert found.undefined == "the difference between two systems is the same on every case"
    assert detectable_difference(found, 100, 1) is None


def replace_values(grid: Grid) -> Grid:
    return Grid(grid.systems, grid.cases, np.ones_like(grid.values), grid.known)


@pytest.mark.slow
def test_the_width_of_tau_is_that_of_many_studies() -> None:
    rng = np.random.default_rng(5)
    systems, cases, rho = 20, 60, 0.8
    mixing = np.linalg.cholesky([[1, rho], [rho, 1]])

    def study() -> tuple[np.ndarray, np.ndarray]:
        true = 0.5 * mixing @ rng.normal(size=(2, systems))
        metric, human = true[:, :, None] + rng.normal(size=(2, systems, cases))
        return metric, human

    taus, widths = [], []
    names = tuple(f"s{i:02}" for i in range(systems)), tuple(f"c{i:02}" for i in range(cases))
    for _ in range(300):
        metric, human = study()
        taus.append(tau_b(metric.mean(axis=1), human.mean(axis=1)))
        known = np.ones(metric.shape, dtype=np.bool_)
        pairing = pair_spread(
            Source("m", Grid(*names, metric, known)), Source("h", Grid(*names, human, known))
        )
        widths.append(tau_width(pairing, systems, cases, 1))
    assert np.median(widths) == pytest.approx(2 * 1.96 * np.std(np.array(taus, float)), rel=0.1)


def test_a_width_is_reached_and_systems_help_where_cases_cannot() -> None:
    rng = np.random.default_rng(6)
    true = rng.normal(size=(12, 1))
    metric = true + 0.7 * rng.normal(size=(12, 1)) + rng.normal(size=(12, 40))
    names = tuple(f"s{i:02}" for i in range(12)), tuple(f"c{i:02}" for i in range(40))
    known = np.ones(metric.shape, dtype=np.bool_)
    human = Source("h", Grid(*names, true + rng.normal(size=(12, 40)), known))
    pairing = pair_spread(Source("m", Grid(*names, metric, known)), human)
    lower = pair_spread(Source("m", Grid(*names, -metric, known), "lower"), human)
    assert lower.together_system == pytest.approx(pairing.together_system)
    assert cases_for_width(pairing, 0.2, 12, 1) is None
    systems = systems_for_width(pairing, 0.2, 40, 1)
    assert systems is not None
    assert tau_width(pairing, systems, 40, 1) <= 0.2 < tau_width(pairing, systems - 1, 40, 1)
    alike = replace(pairing, consensus=replace(pairing.consensus, family=1.0, family_size=3))
    assert alike.effective_systems(12) < 12


@pytest.mark.slow
@pytest.mark.endure
@pytest.mark.parametrize("world", plan_power.WORLDS[1:4:2], ids=lambda world: world.name)
def test_the_planned_cases_reach_the_power(world: plan_power.World, endurance: Endurance) -> None:
    studies = endurance.size("studies", short=300, whole=2000)
    _, power, piloted, _ = plan_power.simulate(world, studies=studies)
    endurance.found(f"power {power:.3f}, after a pilot {piloted:.3f}")
    # Monte-Carlo error of 300 studies: 2.3 points.
    assert power == pytest.approx(0.8, abs=0.07)
    assert piloted == pytest.approx(0.8, abs=0.1)


def test_systems_that_differ_alike_on_every_case_show_no_difference_to_find() -> None:
    nothing = replace(SPREAD, system_cluster=0.0, system_case=0.0, rater=0.0, residual=0.0)
    assert detectable_difference(nothing, 30, 2) is None

"""Means adjusted for raters: held against lme4, and against what must hold."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from medassay.stats.rater_adjusted import Labels, Sums, _fit, _spreads, adjust_for_raters

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "golden" / "rater_adjusted.json").read_text(encoding="utf-8")
)


def labels_of(design: dict[str, Any]) -> Labels:
    label = {
        name: np.array(design[name]) for name in ("values", "system", "rater", "case", "answer")
    }
    _, first = np.unique(label["answer"], return_index=True)
    return Labels(
        label["values"],
        label["answer"],
        label["rater"],
        label["system"][first],
        label["case"][first],
    )


@pytest.mark.parametrize("design", GOLDEN["designs"], ids=lambda design: design["name"])
def test_means_severities_and_spreads_are_those_of_lme4(design: dict[str, Any]) -> None:
    labels = labels_of(design)
    found = adjust_for_raters(labels)
    both = np.concatenate([found.means, found.severity])
    assert both == pytest.approx(design["estimates"][: len(both)], abs=2e-6)
    spreads = (found.case_sd, found.answer_sd, found.residual_sd)
    wanted = (design["case_sd"], design["answer_sd"], design["residual_sd"])
    assert spreads == pytest.approx(wanted, abs=2e-5)


@pytest.mark.parametrize("design", GOLDEN["designs"], ids=lambda design: design["name"])
def test_errors_and_degrees_are_those_of_whole_matrices(design: dict[str, Any]) -> None:
    labels = labels_of(design)
    contrasts = adjust_for_raters(labels).contrasts
    assert contrasts is not None
    first, second = (np.array(design[name]) for name in ("first", "second"))
    error, freedom = contrasts.errors(np.arange(labels.systems + labels.raters))
    between, degrees = contrasts.errors(first, second)
    assert np.concatenate([error, between]) == pytest.approx(design["errors"], rel=2e-4)
    assert np.concatenate([freedom, degrees]) == pytest.approx(design["freedom"], rel=2e-3)


@pytest.mark.parametrize("seed", range(12))
def test_spreads_know_neither_the_order_of_labels_nor_their_unit(seed: int) -> None:
    """The search stopped where the last digits of the loss let it: up to 5e-6 beside itself."""
    rng = np.random.default_rng(seed)
    systems, cases, raters = int(rng.integers(2, 5)), int(rng.integers(6, 30)), 3
    system, case = np.divmod(np.arange(systems * cases), cases)
    answer = np.repeat(np.arange(systems * cases), 2)
    rater = np.concatenate([rng.permutation(raters)[:2] for _ in range(systems * cases)])
    means = rng.normal(size=cases)[case] * rng.choice([0.0, 0.5, 1.0])
    means = means + rng.normal(size=systems * cases) * rng.choice([0.0, 0.3, 0.6])
    values = np.round(means[answer] + rng.normal(size=len(answer)) * 0.5, 1)
    spreads = []
    for order, unit in ((np.arange(len(values)), 1.0), (rng.permutation(len(values)), 1.1)):
        labels = Labels(values[order] * unit, answer[order], rater[order], system, case)
        found = adjust_for_raters(labels)
        spreads.append(np.array([found.case_sd, found.answer_sd, found.residual_sd]) / unit)
    assert spreads[0] == pytest.approx(spreads[1], rel=1e-8, abs=1e-12)


@pytest.mark.slow
def test_the_spread_of_cases_is_where_the_likelihood_is_highest() -> None:
    """A search over deviations stopped at 0 in one such study of seven, where it is level too."""
    rng = np.random.default_rng(3)
    severity = np.linspace(-0.7, 0.7, 5)
    systems, cases = np.repeat(np.arange(4), 60), np.tile(np.arange(60), 4)
    for _ in range(25):
        shares = [rng.dirichlet(np.ones(5)) for _ in range(4)]
        rater = np.array([rng.choice(5, p=shares[system]) for system in systems])
        rater[:5] = np.arange(5)
        values = np.clip(np.round(3 + severity[rater] + 0.8 * rng.normal(size=240)), 1, 5)
        sums = Sums.of(Labels(values, np.arange(240), rater, systems, cases))
        found = _fit(sums, _spreads(sums)).loss
        grid = [_fit(sums, np.array([spread, 0.0])).loss for spread in np.linspace(0, 1, 41)]
        assert found <= min(grid) + 1e-6

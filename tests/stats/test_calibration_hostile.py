"""Calibration is scikit-learn's where answers are few, confidences tie, or all are right."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from medassay.errors import InvalidInput
from medassay.stats.calibration import (
    Binning,
    auroc,
    brier,
    brier_parts,
    calibration_error,
    debiased_calibration_error,
    isotonic_fit,
    maximum_calibration_error,
    recalibrate,
    reliability,
    risk_coverage,
)

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "golden" / "calibration_hostile.json").read_bytes()
)
CASES = pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: case["name"])


@CASES
def test_every_figure_is_that_of_the_peer(case: dict[str, Any]) -> None:
    p, y = np.array(case["confidence"]), np.array(case["correct"])
    assert brier(p, y) == pytest.approx(case["brier"], abs=1e-12)
    assert auroc(p, y) == (None if case["auroc"] is None else pytest.approx(case["auroc"]))
    assert calibration_error(p, y) == pytest.approx(case["ece"], abs=1e-12)
    assert maximum_calibration_error(p, y) == pytest.approx(case["mce"], abs=1e-12)
    assert risk_coverage(p, y).area == pytest.approx(case["area"], abs=1e-12)
    level = isotonic_fit(p, y.astype(np.float64))(np.array(GOLDEN["asked"]))
    assert level == pytest.approx(np.array(case["isotonic"]), abs=1e-12)


@CASES
@pytest.mark.parametrize("binning", Binning)
def test_no_answer_is_lost_and_the_parts_add_up(case: dict[str, Any], binning: Binning) -> None:
    p, y = np.array(case["confidence"]), np.array(case["correct"])
    assert sum(one.n for one in reliability(p, y, binning=binning)) == p.size
    parts = brier_parts(p, y, binning=binning)
    added = parts.reliability - parts.resolution + parts.uncertainty + parts.within
    assert added == pytest.approx(parts.brier, abs=1e-12)
    assert np.isfinite(debiased_calibration_error(p, y, binning=binning))


@CASES
@pytest.mark.parametrize("method", ["temperature", "isotonic"])
def test_recalibrated_confidences_are_probabilities(case: dict[str, Any], method: str) -> None:
    p, y = np.array(case["confidence"]), np.array(case["correct"])
    if p.size == 1:
        with pytest.raises(InvalidInput, match="two or more"):
            recalibrate(p, y, method, np.random.default_rng(1))
        return
    made = recalibrate(p, y, method, np.random.default_rng(1))
    assert made.folds == min(10, p.size)
    assert ((made.confidence >= 0) & (made.confidence <= 1)).all()


def test_a_confidence_on_an_edge_lies_in_the_bin_above_it() -> None:
    # scikit-learn's calibration_curve puts .9 into (.8, .9]; here it shares [.9, 1] with 1.
    # ECE = |(1 + 0)/2 - .95| = .45; with the edge below it would be (|1 - .9| + |0 - 1|)/2 = .55.
    assert calibration_error([0.9, 1.0], [1, 0]) == pytest.approx(0.45)

"""How far the systems' confidence can be believed."""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.analyses.builtin.calibration.gaps import Gap, gaps_of
from medassay.analyses.builtin.calibration.record import CalibrationOf, Recalibrated
from medassay.analyses.inputs.answer_choices import Asked, Choices
from medassay.analyses.inputs.readable import Design, Randomness
from medassay.stats import bootstrap_counts, cluster_index, group_labels, percentile_interval
from medassay.stats import calibration as c

__all__ = ["calibration_of"]

_FEW_ANSWERS: Final = 300
"""Below about this many answers the calibration error of a perfectly calibrated system is large."""
_ESTIMAND: Final = "this system, new questions of the same kind"
_MOST_POINTS: Final = 200
_METHODS: Final = ("temperature", "isotonic")
_FOLDS: Final = 10
_MOST_COUNTS: Final = 4_000_000  # at once: 32 MB for each array of them
_Array = NDArray[np.float64]
_Replicates = tuple[_Array, _Array]
_Group = tuple[bool, str]


def calibration_of(
    choices: Choices, design: Design, randomness: Randomness
) -> tuple[CalibrationOf, ...]:
    """Measure each system that gives confidences, over multiple-choice questions.

    An answer that chooses no option is wrong, whatever its confidence.
    """
    systems = list(choices.by_system)
    by_case = [{asked.case: asked for asked in choices.by_system[system]} for system in systems]
    if not by_case:
        return ()
    # Not every system need have every question.
    cases = list(dict.fromkeys(case for own in by_case for case in own))
    rows = [[own.get(case) for case in cases] for own in by_case]
    groups = group_labels(cases, design.clusters)
    p = np.array([[_confidence(asked) if asked else np.nan for asked in row] for row in rows])
    y = np.array([[float(bool(asked and asked.is_right())) for asked in row] for row in rows])
    answered = np.array([[bool(asked and asked.answered) for asked in row] for row in rows])
    known = ~np.isnan(p)
    chosen = [s for s in range(len(p)) if known[s].any()]
    if not chosen:
        return ()
    drawn = _replicates(randomness, p[chosen], y[chosen], groups)
    gaps = gaps_of(p[chosen], y[chosen], groups)
    return tuple(
        _one(
            randomness,
            systems[s],
            p[s, known[s]],
            y[s, known[s]],
            [group for group, there in zip(groups, known[s], strict=True) if there],
            without=int((answered[s] & ~known[s]).sum()),
            replicates=(drawn[0][:, place], drawn[1][:, place]),
            gap=gaps[place],
        )
        for place, s in enumerate(chosen)
    )


def _confidence(asked: Asked) -> float:
    return math.nan if asked.confidence is None else asked.confidence


def _replicates(
    randomness: Randomness, p: _Array, y: _Array, groups: Sequence[_Group]
) -> _Replicates:
    """Resample the cases in portions, so that a large study does not fill the memory."""
    rng = randomness.stream("s36")
    index = cluster_index(groups, len(groups))  # once, not for each portion
    left, portions = randomness.replicates, []
    while left:
        portion = min(left, max(1, _MOST_COUNTS // len(groups)))
        counts = bootstrap_counts(len(groups), portion, rng, index)
        portions.append(c.calibration_replicates(p, y, counts))
        left -= portion
    return (
        np.concatenate([drawn.brier for drawn in portions]),
        np.concatenate([drawn.ece for drawn in portions]),
    )


def _one(
    randomness: Randomness,
    system: str,
    p: _Array,
    y: _Array,
    groups: Sequence[_Group],
    *,
    without: int,
    replicates: _Replicates,
    gap: Gap,
) -> CalibrationOf:
    parts = c.brier_parts(p, y)
    curve = c.risk_coverage(p, y)
    every = max(1, -(-curve.coverage.size // _MOST_POINTS))
    points = sorted({*range(0, curve.coverage.size, every), curve.coverage.size - 1})
    brier, ece = (percentile_interval(one, estimand=_ESTIMAND) for one in replicates)
    a_bin_lower, in_no_bin = c.outside_binary_edges(p)
    return CalibrationOf(
        system=system,
        n=p.size,
        without=without,
        few=p.size < _FEW_ANSWERS,
        accuracy=float(y.mean()),
        confidence=float(p.mean()),
        gap=float(p.mean() - y.mean()),
        gap_interval=gap.interval,
        gap_p=gap.p,
        brier=parts.brier,
        brier_interval=brier,
        reliability=parts.reliability,
        resolution=parts.resolution,
        uncertainty=parts.uncertainty,
        within=parts.within,
        ece=c.calibration_error(p, y),
        ece_interval=ece,
        ece_binary_edges=c.binary_edges_calibration_error(p, y),
        a_bin_lower=a_bin_lower,
        in_no_bin=in_no_bin,
        ece_equal_mass=c.calibration_error(p, y, binning=c.Binning.MASS),
        ece_debiased=c.debiased_calibration_error(p, y),
        mce=c.maximum_calibration_error(p, y),
        auroc=c.auroc(p, y),
        risk_area=curve.area,
        risk_area_best=curve.best_area,
        bins=tuple(c.reliability(p, y)),
        coverage=tuple(curve.coverage[points].tolist()),
        risk=tuple(curve.risk[points].tolist()),
        recalibrated=_recalibrated(randomness, system, p, y, groups),
    )


def _recalibrated(
    randomness: Randomness, system: str, p: _Array, y: _Array, groups: Sequence[_Group]
) -> tuple[Recalibrated, ...]:
    if len(set(groups)) < 2:  # noqa: PLR2004 - one part to fit on and one to look at
        return ()
    recalibrations = []
    for method in _METHODS:
        rng = randomness.stream("s37", system)
        made = c.recalibrate(p, y, method, rng, _FOLDS, groups)
        recalibrations.append(
            Recalibrated(
                method=made.method,
                folds=made.folds,
                brier=c.brier(made.confidence, y),
                ece=c.calibration_error(made.confidence, y),
            )
        )
    return tuple(recalibrations)

"""Does confidence tell right answers from wrong ones, and what would abstaining gain?"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from medassay.stats.calibration.bins import checked

__all__ = ["RiskCoverage", "auroc", "risk_coverage"]


@dataclass(frozen=True, slots=True)
class RiskCoverage:
    """What is left of the errors when a system answers only where it is confident enough.

    Attributes:
        threshold: Shape (m,), each confidence that occurs, from high to low.
        coverage: Shape (m,), the share of answers with at least that confidence.
        risk: Shape (m,), the share of those that is wrong.
        area: Mean risk over all coverages 1/n, 2/n, ..., 1, equal confidences in random order;
            0 is best.
        best_area: The area of a system with as many errors that is least sure of just these.
    """

    threshold: NDArray[np.float64]
    coverage: NDArray[np.float64]
    risk: NDArray[np.float64]
    area: float
    best_area: float


def auroc(confidence: ArrayLike, correct: ArrayLike) -> float | None:
    """How often is a right answer held with more confidence than a wrong one? Ties count half.

    1 tells them apart without error, .5 not at all, below .5 the wrong way round. None where all
    answers are right or all are wrong.

    Source: Hanley & McNeil 1982, doi:10.1148/radiology.143.1.7063747.

    Example:
        >>> auroc([0.9, 0.8, 0.8], [1, 1, 0]), auroc([0.9], [1])
        (0.75, None)
    """
    p, y = checked(confidence, correct)
    right = int(y.sum())
    wrong = y.size - right
    if not right or not wrong:
        return None
    _, place, times = np.unique(p, return_inverse=True, return_counts=True)
    middle = (np.cumsum(times) - (times - 1) / 2)[place]
    return float((middle[y == 1].sum() - right * (right + 1) / 2) / (right * wrong))


def risk_coverage(confidence: ArrayLike, correct: ArrayLike) -> RiskCoverage:
    """How many errors remain if the least confident answers are withheld?

    Source: Geifman & El-Yaniv 2017, arXiv:1705.08500; the area as in Geifman et al. 2019,
        arXiv:1805.08206.

    Example:
        >>> curve = risk_coverage([0.9, 0.6, 0.6, 0.2], [1, 1, 0, 0])
        >>> curve.coverage.tolist(), curve.risk.round(3).tolist()
        ([0.25, 0.75, 1.0], [0.0, 0.333, 0.5])
        >>> curve.area, round(curve.best_area, 4)
        (0.2708333333333333, 0.2083)
    """
    p, y = checked(confidence, correct)
    values, place = np.unique(-p, return_inverse=True)
    n = np.bincount(place)
    wrong = np.bincount(place, 1 - y)
    covered, errors = np.cumsum(n), np.cumsum(wrong)
    counts = np.arange(1, y.size + 1)
    # Within a group of equal confidence errors come evenly: their mean over random orders.
    mean_errors = np.interp(counts, [0, *covered], [0, *errors])
    best = np.maximum(counts - y.sum(), 0)
    return RiskCoverage(
        threshold=-values,
        coverage=covered / y.size,
        risk=errors / covered,
        area=float((mean_errors / counts).mean()),
        best_area=float((best / counts).mean()),
    )

"""Bootstrap replicates of calibration for many systems at once."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from medassay.errors import InvalidInput, Problem
from medassay.stats.calibration.bins import bin_of

__all__ = ["CalibrationReplicates", "calibration_replicates"]


@dataclass(frozen=True, slots=True)
class CalibrationReplicates:
    """Replicates for each system; NaN where a replicate drew no answer of the system.

    Attributes:
        brier: Shape (replicates, systems).
        accuracy: Shape (replicates, systems).
        ece: Shape (replicates, systems), in bins of equal width.
    """

    brier: NDArray[np.float64]
    accuracy: NDArray[np.float64]
    ece: NDArray[np.float64]


def calibration_replicates(
    confidence: NDArray[np.float64],
    correct: NDArray[np.float64],
    counts: NDArray[np.float64],
    bins: int = 10,
) -> CalibrationReplicates:
    """Recompute Brier score, accuracy and ECE of resampled cases, for all systems at once.

    Sums over the cases of each bin are a matrix product of counts and what each answer adds, so no
    replicate is looped over.

    Args:
        confidence: Shape (systems, cases), from 0 to 1; NaN where a system has none.
        correct: Shape (systems, cases), 0 or 1; read where there is a confidence.
        counts: Shape (replicates, cases), how often each case is drawn; see `bootstrap_counts`.
        bins: Bins of equal width.

    Example:
        >>> p, y = np.array([[0.9, 0.4]]), np.array([[1.0, 0.0]])
        >>> found = calibration_replicates(p, y, np.array([[1.0, 1.0], [2.0, 0.0]]))
        >>> found.ece.round(3).ravel().tolist(), found.brier.round(3).ravel().tolist()
        ([0.25, 0.1], [0.085, 0.01])
    """
    if confidence.shape != correct.shape or counts.shape[1] != confidence.shape[1]:
        got = f"{confidence.shape}, {correct.shape} and {counts.shape}"
        raise InvalidInput(Problem("counts", "have a column for each case", got))
    shape = (counts.shape[0], confidence.shape[0])
    made = CalibrationReplicates(*(np.full(shape, np.nan) for _ in range(3)))
    for s in range(len(confidence)):
        is_given = ~np.isnan(confidence[s])
        p, y = confidence[s, is_given], correct[s, is_given]
        drawn = counts if is_given.all() else counts[:, is_given]
        n = drawn.sum(axis=1)
        some = n > 0
        each = np.zeros((p.size, bins))
        # Only the gap of a bin's sums enters: |Σ y - Σ p|, whatever the bin's size.
        each[np.arange(p.size), bin_of(p, bins)] = y - p
        np.divide(np.abs(drawn @ each).sum(axis=1), n, out=made.ece[:, s], where=some)
        np.divide(drawn @ (p - y) ** 2, n, out=made.brier[:, s], where=some)
        np.divide(drawn @ y, n, out=made.accuracy[:, s], where=some)
    return made

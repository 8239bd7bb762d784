"""Finding bad answers: the areas under two curves, and precision and recall at one threshold."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Areas", "at_threshold", "detection_areas"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Areas:
    """One value for each row of weights.

    Attributes:
        auroc: Shape (rows,); NaN where a row has only one kind.
        auprc: The same.
    """

    auroc: Floats
    auprc: Floats


def detection_areas(suspicion: Floats, bad: NDArray[np.bool_], weights: Floats) -> Areas:
    """How well does a score put the bad answers first?

    AUROC: how often a bad answer is more suspicious than a good one, ties counting half. 1: always;
    ½: as a coin would; 0: never. AUPRC (average precision): Σ (R_t − R_{t−1}) P_t over thresholds
    from the most suspicious down; chance reaches the share of bad answers, so where few are bad it
    says more than AUROC does.

    Args:
        suspicion: Shape (answers,); higher is more suspicious.
        bad: Shape (answers,).
        weights: How often each answer counts, shape (rows, answers): ones, or bootstrap counts.

    Source: Hanley & McNeil (1982), doi:10.1148/radiology.143.1.7063747; Saito & Rehmsmeier (2015),
        doi:10.1371/journal.pone.0118432.

    Example:
        >>> bad = np.array([True, False, True, False])
        >>> found = detection_areas(np.array([0.9, 0.8, 0.7, 0.1]), bad, np.ones((1, 4)))
        >>> found.auroc.tolist(), [round(v, 3) for v in found.auprc.tolist()]
        ([0.75], [0.833])
    """
    order = np.argsort(-suspicion, kind="stable")
    ranked = suspicion[order]
    starts = np.flatnonzero(np.concatenate([[True], np.diff(ranked) != 0]))
    drawn = weights[:, order]
    flags = bad[order]
    hits = np.add.reduceat(drawn * flags, starts, axis=1)
    misses = np.add.reduceat(drawn * ~flags, starts, axis=1)
    caught, wrong = np.cumsum(hits, axis=1), np.cumsum(misses, axis=1)
    positives, negatives = caught[:, -1], wrong[:, -1]
    with np.errstate(invalid="ignore", divide="ignore"):  # one kind alone: NaN marks it
        above = hits * (negatives[:, None] - wrong + misses / 2)
        auroc = above.sum(axis=1) / (positives * negatives)
        precision = np.where(caught > 0, caught / (caught + wrong), 0.0)
        auprc = (hits * precision).sum(axis=1) / positives
    auprc[np.isnan(auroc)] = np.nan
    return Areas(auroc, auprc)


def at_threshold(
    suspicion: Floats, bad: NDArray[np.bool_], threshold: float
) -> tuple[float | None, float | None, int]:
    """Of the answers flagged, how many are bad; of the bad ones, how many are flagged?

    Args:
        suspicion: Shape (answers,).
        bad: Shape (answers,).
        threshold: Answers more suspicious than this are flagged.

    Returns:
        Precision (None where nothing is flagged), recall (None where nothing is bad), flagged.

    Example:
        >>> at_threshold(np.array([0.9, 0.8, 0.1]), np.array([True, False, True]), 0.5)
        (0.5, 0.5, 2)
    """
    flagged = suspicion > threshold
    right = int((flagged & bad).sum())
    many, wanted = int(flagged.sum()), int(bad.sum())
    return (right / many if many else None), (right / wanted if wanted else None), many

"""Kendall's tau-b inside each of many groups."""

import numpy as np
from numpy.typing import NDArray

from medassay.stats.ties import TIE_TOLERANCE, pair_index

__all__ = ["tau_within"]

Floats = NDArray[np.float64]


def tau_within(metrics: Floats, human: Floats, known: NDArray[np.bool_]) -> Floats:
    """Within one case, does the better answer get the higher score?

    tau-b over the answers to each case by itself, so that hard and easy cases cannot make or hide
    it. Values within 1e-12 of a column's largest magnitude are tied.

    Args:
        metrics: Shape (metrics, members, groups): the systems of each case, or, turned round, the
            cases of each system.
        human: Shape (members, groups).
        known: Shape (members, groups).

    Returns:
        Shape (metrics, groups); NaN where a group has no two members with different values in a
        column.

    Source: Deutsch, Foster & Freitag (2023), Ties matter, arXiv:2305.14324 (group by item).

    Example:
        >>> human = np.array([[1.0, 0.0], [2.0, 0.0], [3.0, 0.0]])
        >>> tau_within(human[None], human, human >= 0).tolist()
        [[1.0, nan]]
    """
    first, second = pair_index(len(human))
    both = known[first] & known[second]
    theirs = _signs(np.where(known, human, 0.0), first, second) * both
    untied_theirs = np.abs(theirs)
    taus = np.empty((len(metrics), human.shape[1]))
    for row, metric in enumerate(metrics):
        ours = _signs(np.where(known, metric, 0.0), first, second) * both
        product = np.abs(ours).sum(axis=0, dtype=np.int64) * untied_theirs.sum(axis=0)
        agreement = (ours * theirs).sum(axis=0, dtype=np.int64)
        with np.errstate(invalid="ignore", divide="ignore"):  # 0/0 is what NaN marks here
            taus[row] = agreement / np.sqrt(product.astype(np.float64))
    return taus


def _signs(values: Floats, first: NDArray[np.intp], second: NDArray[np.intp]) -> NDArray[np.int32]:
    apart = values[first] - values[second]
    margin = TIE_TOLERANCE * np.abs(values).max(initial=0.0)
    signs: NDArray[np.int32] = (apart > margin).astype(np.int32) - (apart < -margin)
    return signs

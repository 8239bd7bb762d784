"""Per-unit statistics, summed by case: what the replicates of a bootstrap are made of."""

import numpy as np
from numpy.typing import NDArray

from medassay.judgements import Units

__all__ = ["case_sums", "pairs_of_units", "ratio"]


def case_sums(units: Units, statistics: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum rows of statistics, shape (units, p), within each case: shape (cases, p)."""
    sums = np.zeros((len(units.cases), statistics.shape[1]))
    np.add.at(sums, units.case, statistics)
    return sums


def pairs_of_units(units: Units) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count in each unit the pairs of labels that agree, and all pairs.

    Example:
        >>> agreeing, pairs = pairs_of_units(Units.from_codes([[0, 0, 1]], ["no", "yes"]))
        >>> agreeing.tolist(), pairs.tolist()
        ([1], [3])
    """
    counts = units.counts
    n = counts.sum(axis=1)
    return (counts * (counts - 1) // 2).sum(axis=1), n * (n - 1) // 2


def ratio(numerator: NDArray[np.float64], denominator: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide where the denominator is not 0; NaN elsewhere, for replicates without a value."""
    empty = np.full(np.broadcast_shapes(numerator.shape, denominator.shape), np.nan)
    np.divide(numerator, denominator, out=empty, where=denominator != 0)
    return empty

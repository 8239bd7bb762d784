"""Per-unit statistics, summed by case: what the replicates of a bootstrap are made of."""

import numpy as np
from numpy.typing import NDArray

from medassay.judgements import Units

__all__ = ["case_sums", "distance_of_units", "pairs_of_units", "ratio"]


def case_sums(units: Units, statistics: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum rows of statistics, shape (units, p), within each case: shape (cases, p)."""
    size = len(units.cases)
    columns = (
        np.bincount(units.case, weights=statistic, minlength=size) for statistic in statistics.T
    )
    return np.stack(list(columns), axis=1)


def pairs_of_units(units: Units) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count in each unit the pairs of labels that agree, and all pairs.

    Example:
        >>> agreeing, pairs = pairs_of_units(Units.from_codes([[0, 0, 1]], ["no", "yes"]))
        >>> agreeing.tolist(), pairs.tolist()
        ([1], [3])
    """
    squares = np.einsum("uj,uj->u", units.counts, units.counts)
    return (squares - units.sizes) // 2, units.sizes * (units.sizes - 1) // 2


def ratio(numerator: NDArray[np.float64], denominator: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide where the denominator is not 0; NaN elsewhere, for replicates without a value."""
    empty = np.full(np.broadcast_shapes(numerator.shape, denominator.shape), np.nan)
    np.divide(numerator, denominator, out=empty, where=denominator != 0)
    return empty


def distance_of_units(units: Units, costs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Average in each unit the cost of its pairs of labels; every unit must hold a pair.

    d = Σⱼₖ cⱼₖ nⱼ nₖ / n(n − 1), with nⱼ how often label j was given and cⱼⱼ = 0.

    Example:
        >>> units = Units.from_codes([[0, 0, 1], [1, 1, -1]], ["no", "yes"])
        >>> distance_of_units(units, np.array([[0.0, 1.0], [1.0, 0.0]])).round(3).tolist()
        [0.667, 0.0]
    """
    counts = units.counts.astype(np.float64)
    n = counts.sum(axis=1)
    total: NDArray[np.float64] = ((counts @ costs) * counts).sum(axis=1) / (n * (n - 1))
    return total

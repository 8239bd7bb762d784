"""What coefficients share: sums by case for the bootstrap, and how far apart labels stand."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.judgements import Units
from medassay.scores import Reason, Unscored

__all__ = [
    "WEIGHTS",
    "case_sums",
    "disagreement_weights",
    "distance_of_units",
    "misfit",
    "paired_distances",
    "pairs_of_units",
    "ratio",
    "shares_of_disagreement",
    "two_labels",
    "weighted_costs",
]

WEIGHTS: Final = ("none", "linear", "quadratic")


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


def disagreement_weights(labels: int, weights: str = "none") -> NDArray[np.float64]:
    """Weigh each pair of labels by how far apart they stand in the list of labels.

    w = 0 where they are the same; elsewhere 1 (none), |i − j| (linear) or (i − j)² (quadratic),
    with i and j the positions of the labels. Scores play no part.

    Example:
        >>> disagreement_weights(3, "quadratic").tolist()
        [[0.0, 1.0, 4.0], [1.0, 0.0, 1.0], [4.0, 1.0, 0.0]]
    """
    place = np.arange(labels, dtype=np.float64)
    apart = np.abs(place[:, None] - place[None, :])
    power = {"none": 0.0, "linear": 1.0, "quadratic": 2.0}[weights]
    return np.where(apart > 0, apart**power, 0.0)


def shares_of_disagreement(labels: int, weights: str = "none") -> NDArray[np.float64]:
    """Give the same weights as shares of the largest: 1 for the two ends of the scale.

    Example:
        >>> shares_of_disagreement(3, "linear").tolist()
        [[0.0, 0.5, 1.0], [0.5, 0.0, 0.5], [1.0, 0.5, 0.0]]
    """
    costs = disagreement_weights(labels, weights)
    return costs / max(float(costs.max()), 1.0)


def weighted_costs(labels: int, weights: str) -> NDArray[np.float64] | None:
    """Give the same shares, or nothing where every difference counts as one."""
    return None if weights == "none" else shares_of_disagreement(labels, weights)


def misfit(units: Units, parameters: dict[str, str]) -> str:
    """Say why a weighted coefficient is not for labels without an order, or nothing."""
    if units.scale == "nominal" and parameters.get("weights", "none") != "none":
        return f"the labels {', '.join(units.labels)} have no order to weigh by"
    return ""


def paired_distances(
    units: Units, weights: str
) -> tuple[Units, int, NDArray[np.float64]] | Unscored:
    """Keep the answers with a pair of labels, and add up by case how far those stand apart.

    Returns:
        The answers, the number of labels on the scale, and for each case the summed distance and
        the number of answers, shape (cases, 2); or why there is nothing to compare.

    Example:
        >>> used, size, sums = paired_distances(
        ...     Units.from_codes([[0, 0], [0, 1], [1, -1]], ["no", "yes"]), "none")
        >>> len(used), size, sums.tolist()
        (2, 2, [[0.0, 1.0], [1.0, 1.0]])
    """
    used = units.with_labels(2)
    if not len(used):
        return Unscored(Reason.UNDEFINED, "no answer has labels of two raters")
    size = len(used.labels)
    if size < 2:  # noqa: PLR2004 - chance needs two labels
        return Unscored(Reason.UNDEFINED, "the scale has one label only")
    apart = distance_of_units(used, shares_of_disagreement(size, weights))
    return used, size, case_sums(used, np.column_stack([apart, np.ones(len(used))]))


def two_labels(units: Units, _parameters: dict[str, str]) -> str:
    """Say why a coefficient of two labels is not for these units, or nothing."""
    if len(units.labels) != 2:  # noqa: PLR2004 - its name says so
        return f"it is about two labels; the scale has {len(units.labels)}"
    return ""

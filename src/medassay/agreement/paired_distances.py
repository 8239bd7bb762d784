"""What the weighted coefficients share: how far apart the pairs of labels on each answer stand."""

import numpy as np
from numpy.typing import NDArray

from medassay.agreement.sums import case_sums, distance_of_units
from medassay.agreement.weights import shares_of_disagreement
from medassay.judgements import Units
from medassay.scores import Reason, Unscored

__all__ = ["paired_distances"]


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

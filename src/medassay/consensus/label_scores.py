"""What mean and sum share: the labels' scores added up."""

import numpy as np

from medassay.judgements import Units
from medassay.scores import Reason, Score, Unscored

__all__ = ["no_scores", "score_sums"]


def score_sums(units: Units) -> tuple[list[float], list[float]]:
    """Add up each unit's label scores, and count its labels.

    Example:
        >>> score_sums(Units.from_codes([[0, 1], [1, -1]], ["no", "yes"], scores=[0, 2]))
        ([2.0, 2.0], [2.0, 1.0])
    """
    scores = np.zeros(len(units.labels)) if units.scores is None else units.scores
    sizes = units.sizes.astype(np.float64).tolist()
    if units.of_numbers:
        # From low to high, whoever gave which; a table of units by numbers would have no end.
        order = np.lexsort((units.code, units.unit))
        given = scores[units.code][order]
        return np.bincount(units.unit[order], given, minlength=len(units)).tolist(), sizes
    # Counts times scores, not a sum over raters: whole scores stay exact in any order.
    return (units.counts @ scores).tolist(), sizes


def no_scores(units: Units) -> list[Score | Unscored]:
    """Say for every unit that its labels have no scores."""
    detail = f"the labels of {units.dimension} have no scores"
    return [Unscored(Reason.UNDEFINED, detail)] * len(units)

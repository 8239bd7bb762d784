"""The median of the labels' scores."""

import numpy as np

from medassay.consensus.label_scores import no_scores
from medassay.consensus.method import MethodDeclaration, consensus_method
from medassay.judgements import Units
from medassay.scores import Score, Unscored

__all__ = ["median", "median_scores"]


def median_scores(units: Units) -> tuple[list[float], list[float]]:
    """Give each unit's lower and upper median: equal unless an even panel is split.

    Example:
        >>> median_scores(Units.from_codes([[0, 1], [1, 1]], ["no", "yes"], scores=[0, 2]))
        ([0.0, 2.0], [2.0, 2.0])
    """
    scores = np.zeros(len(units.labels)) if units.scores is None else units.scores
    given = scores[units.code]
    given = np.append(given[np.lexsort((given, units.unit))], 0.0)  # of a unit without labels
    first = np.cumsum(units.sizes) - units.sizes
    return (
        given[first + (units.sizes - 1) // 2].tolist(),
        given[first + units.sizes // 2].tolist(),
    )


@consensus_method(
    MethodDeclaration(
        name="median",
        title="median",
        question="What score do as many of an answer's raters exceed as fall short of?",
        unit="points of the label scores",
        undefined="the labels have no scores",
        numbers=True,
        parts=("lower median", "upper median", "number of labels"),
        parameters={"middle": ("mean", "lower")},
    )
)
def median(units: Units, middle: str = "mean", **_: str) -> list[Score | Unscored]:
    """Take the middle score; between two middle ones their mean, or the lower one.

    Example:
        >>> units = Units.from_codes([[0, 1, 1], [0, 1, -1]], ["no", "yes"], scores=[0, 2])
        >>> [score.value for score in median(units)], median(units, middle="lower")[1].value
        ([2.0, 1.0], 0.0)
    """
    if units.scores is None:
        return no_scores(units)
    sizes = units.sizes.tolist()
    return [
        Score(low if middle == "lower" else (low + high) / 2, parts=(low, high, float(size)))
        for low, high, size in zip(*median_scores(units), sizes, strict=True)
    ]

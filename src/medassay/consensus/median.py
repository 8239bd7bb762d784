"""The median of the labels' scores."""

import numpy as np

from medassay.consensus.label_scores import no_scores
from medassay.consensus.method import Declaration, consensus_method
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
    order = np.argsort(scores, kind="stable")
    upto = units.counts[:, order].cumsum(axis=1)
    size = upto[:, -1:]
    low = (upto < (size + 1) // 2).sum(axis=1)
    high = (upto < size // 2 + 1).sum(axis=1)
    last = len(order) - 1
    return (
        scores[order[np.minimum(low, last)]].tolist(),
        scores[order[np.minimum(high, last)]].tolist(),
    )


@consensus_method(
    Declaration(
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
    sizes = units.counts.sum(axis=1).tolist()
    return [
        Score(low if middle == "lower" else (low + high) / 2, parts=(low, high, float(size)))
        for low, high, size in zip(*median_scores(units), sizes, strict=True)
    ]

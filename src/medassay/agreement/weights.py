"""How far apart two labels stand: the weights of every weighted coefficient."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.judgements import Units

__all__ = [
    "WEIGHTS",
    "disagreement_weights",
    "misfit",
    "shares_of_disagreement",
    "weighted_costs",
]

WEIGHTS: Final = ("none", "linear", "quadratic")


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

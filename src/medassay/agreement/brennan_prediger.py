"""Brennan and Prediger's coefficient: chance is one in as many as there are labels."""

import numpy as np
from numpy.typing import NDArray

from medassay.agreement.coefficient import CoefficientDeclaration, Prepared, coefficient
from medassay.agreement.sums import (
    WEIGHTS,
    misfit,
    paired_distances,
    pairs_of_units,
    ratio,
    shares_of_disagreement,
)
from medassay.api_checks import ArrayLike
from medassay.judgements import Units
from medassay.scores import Unscored

__all__ = ["brennan_prediger", "brennan_prediger_s"]


def brennan_prediger_s(
    observed: ArrayLike, labels: int, weights: str = "none"
) -> NDArray[np.float64]:
    """Correct observed agreement for raters who draw each label of the scale equally often.

    S = (pₐ − pₑ) / (1 − pₑ) with pₑ = Σ w / q², which is 1/q without weights.

    Args:
        observed: pₐ, the mean (weighted) share of agreeing pairs of raters; any shape.
        labels: q, the number of labels on the scale, given or not.
        weights: none, linear or quadratic: agreement is 1 − the weighted distance.

    Returns:
        S in the shape of `observed`. 1: all pairs agree. 0: as often as raters who draw labels
        blindly. Below 0: less often; −1/(q − 1) without weights is the least.

    Source:
        Brennan & Prediger (1981), Coefficient kappa: some uses, misuses, and alternatives,
        doi:10.1177/001316448104100307; as Bennett's S: doi:10.1086/266520.

    Example:
        >>> round(float(brennan_prediger_s(0.581, 3)), 4)
        0.3715
    """
    chance = 1 - shares_of_disagreement(labels, weights).mean()
    return np.asarray((np.asarray(observed, dtype=np.float64) - chance) / (1 - chance))


@coefficient(
    CoefficientDeclaration(
        name="brennan_prediger",
        title="Brennan and Prediger's S",
        question="How far do raters agree beyond what drawing each label equally often would give?",
        one="all pairs of raters agree",
        zero="they agree as often as raters who draw every label of the scale equally often",
        below_zero="they agree less often than that",
        undefined="no answer has two labels, or the scale has one label only",
        source="Brennan & Prediger (1981), doi:10.1177/001316448104100307",
        bounds=(-np.inf, 1.0),
        parameters={"weights": WEIGHTS},
        fits=misfit,
        corrects_for_chance=True,
    )
)
def brennan_prediger(units: Units, weights: str = "none", **_: str) -> Prepared | Unscored:
    """Reduce to the mean distance of the pairs of each answer; an answer counts once.

    Labels that nobody gave count: the scale offered them. How often each label was given plays no
    part, so a panel that nearly always says Yes is not marked down for it.

    Example:
        >>> prepared = brennan_prediger(Units.from_codes([[0, 0], [0, 1], [1, 1]], ["no", "yes"]))
        >>> round(float(prepared.at(np.ones((1, 3)))[0]), 3)  # (2/3 - 1/2) / (1 - 1/2)
        0.333
    """
    paired = paired_distances(units, weights)
    if isinstance(paired, Unscored):
        return paired
    used, size, sums = paired

    def at(drawn: NDArray[np.float64]) -> NDArray[np.float64]:
        distance = ratio(drawn @ sums[:, 0], drawn @ sums[:, 1])
        return brennan_prediger_s(1 - distance, size, weights)

    return Prepared(at, used, int(pairs_of_units(used)[1].sum()))

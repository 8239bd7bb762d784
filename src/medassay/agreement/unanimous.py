"""How often all raters of an answer gave the same label."""

import numpy as np
from numpy.typing import NDArray

from medassay.agreement.coefficient import CoefficientDeclaration, Prepared, coefficient
from medassay.agreement.sums import case_sums, pairs_of_units, ratio
from medassay.judgements import Units
from medassay.scores import Reason, Unscored

__all__ = ["unanimous"]


@coefficient(
    CoefficientDeclaration(
        name="unanimous",
        title="Unanimous",
        question="On what share of the answers did all their raters give the same label?",
        one="all raters agree on every answer",
        zero="at least one rater differs on every answer",
        below_zero="cannot occur",
        undefined="no answer has two labels",
        source="a plain proportion; not corrected for chance",
        bounds=(0.0, 1.0),
    )
)
def unanimous(units: Units, **_: str) -> Prepared | Unscored:
    """Reduce to the share of unanimous answers, among those with at least two labels.

    More raters are less often unanimous by chance alone: compare it only between panels of one
    size.

    Example:
        >>> prepared = unanimous(Units.from_codes([[0, 0], [0, 1], [1, -1]], ["no", "yes"]))
        >>> float(prepared.at(np.ones((1, 2)))[0])
        0.5
    """
    used = units.with_labels(2)
    if not len(used):
        return Unscored(Reason.UNDEFINED, "no answer has labels of two raters")
    agreeing, pairs = pairs_of_units(used)
    same = (agreeing == pairs).astype(np.float64)
    sums = case_sums(used, np.column_stack([same, np.ones(len(used))]))

    def at(weights: NDArray[np.float64]) -> NDArray[np.float64]:
        return ratio(weights @ sums[:, 0], weights @ sums[:, 1])

    return Prepared(at, used, int(pairs.sum()))

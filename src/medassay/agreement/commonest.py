"""How much of all labels the commonest one takes."""

import numpy as np
from numpy.typing import NDArray

from medassay.agreement.coefficient import CoefficientDeclaration, Prepared, coefficient
from medassay.agreement.sums import case_sums, ratio
from medassay.judgements import Units
from medassay.scores import Reason, Unscored

__all__ = ["commonest"]


@coefficient(
    CoefficientDeclaration(
        name="commonest",
        title="Share of the commonest label",
        question="What share of the labels is the one that was given most often?",
        one="only one label was given",
        zero="cannot occur",
        below_zero="cannot occur",
        undefined="no answer has two labels",
        source="a plain proportion; it is no agreement",
        bounds=(0.0, 1.0),
    )
)
def commonest(units: Units, **_: str) -> Prepared | Unscored:
    """Reduce to how many labels there are, and how many are the commonest.

    It is no agreement. The larger it is, the more often raters agree by chance.

    Example:
        >>> prepared = commonest(Units.from_codes([[0, 0], [0, 1]], ["no", "yes"]))
        >>> float(prepared.at(np.ones((1, 2)))[0])
        0.75
    """
    used = units.with_labels(2)
    if not len(used):
        return Unscored(Reason.UNDEFINED, "no answer has labels of two raters")
    most = int(np.argmax(used.counts.sum(axis=0)))
    sums = case_sums(used, np.column_stack([used.counts[:, most], used.sizes]).astype(np.float64))
    pairs = int((used.sizes * (used.sizes - 1)).sum() // 2)

    def at(drawn: NDArray[np.float64]) -> NDArray[np.float64]:
        return ratio(drawn @ sums[:, 0], drawn @ sums[:, 1])

    return Prepared(at, used, pairs)

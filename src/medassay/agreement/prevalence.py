"""The prevalence index: how far apart two labels are in how common they are."""

import numpy as np
from numpy.typing import NDArray

from medassay.agreement.coefficient import CoefficientDeclaration, Prepared, coefficient
from medassay.agreement.sums import case_sums, pairs_of_units, ratio, two_labels
from medassay.judgements import Units
from medassay.scores import Reason, Unscored

__all__ = ["prevalence"]


@coefficient(
    CoefficientDeclaration(
        name="prevalence",
        title="Prevalence index",
        question="How much commoner is one label than the other, where raters agree?",
        one="all pairs of raters agree on one and the same label",
        zero="pairs agree on either label equally often: prevalence does not lower kappa",
        below_zero="cannot occur",
        undefined="no answer has two labels, or the scale has not exactly two labels",
        source="Byrt, Bishop & Carlin (1993), doi:10.1016/0895-4356(93)90018-V",
        bounds=(0.0, 1.0),
        fits=two_labels,
    )
)
def prevalence(units: Units, **_: str) -> Prepared | Unscored:
    """Reduce to the shares of pairs that agree on either label: |a − d| / n, without sign.

    It is no agreement. It says how far kappa is held down because one label is rare.

    Example:
        >>> prepared = prevalence(Units.from_codes([[0, 0], [0, 1], [1, 1], [1, 1]], ["n", "y"]))
        >>> float(prepared.at(np.ones((1, 4)))[0])  # |1 - 2| / 4
        0.25
    """
    used = units.with_labels(2)
    if not len(used):
        return Unscored(Reason.UNDEFINED, "no answer has labels of two raters")
    pairs = pairs_of_units(used)[1]
    both = used.counts * (used.counts - 1) / 2 / pairs[:, None]
    sums = case_sums(used, np.column_stack([both[:, 0] - both[:, 1], np.ones(len(used))]))

    def at(drawn: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.abs(ratio(drawn @ sums[:, 0], drawn @ sums[:, 1]))

    return Prepared(at, used, int(pairs.sum()), without_sign=True)

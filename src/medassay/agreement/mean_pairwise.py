"""How often two raters of an answer gave the same label."""

import numpy as np
from numpy.typing import NDArray

from medassay.agreement.coefficient import CoefficientDeclaration, Prepared, coefficient
from medassay.agreement.sums import case_sums, pairs_of_units, ratio
from medassay.judgements import Units
from medassay.scores import Reason, Unscored

__all__ = ["mean_pairwise"]


@coefficient(
    CoefficientDeclaration(
        name="mean_pairwise",
        title="Mean pairwise agreement",
        question="What share of the pairs of raters of an answer agree, on the average answer?",
        one="all pairs agree",
        zero="no pair agrees",
        below_zero="cannot occur",
        undefined="no answer has two labels",
        source="observed agreement in Fleiss (1971), doi:10.1037/h0031619; not chance-corrected",
        bounds=(0.0, 1.0),
    )
)
def mean_pairwise(units: Units, **_: str) -> Prepared | Unscored:
    """Reduce to the mean over answers of the share of their pairs of raters that agree.

    An answer counts once however many raters it has; answers with fewer than two labels are left
    out.

    Example:
        >>> prepared = mean_pairwise(Units.from_codes([[0, 0, 1], [1, 1, -1]], ["no", "yes"]))
        >>> round(float(prepared.at(np.ones((1, 2)))[0]), 3)  # (1/3 + 1) / 2
        0.667
    """
    used = units.with_labels(2)
    if not len(used):
        return Unscored(Reason.UNDEFINED, "no answer has labels of two raters")
    agreeing, pairs = pairs_of_units(used)
    sums = case_sums(used, np.column_stack([agreeing / pairs, np.ones(len(used))]))

    def at(weights: NDArray[np.float64]) -> NDArray[np.float64]:
        return ratio(weights @ sums[:, 0], weights @ sums[:, 1])

    return Prepared(at, used, int(pairs.sum()))

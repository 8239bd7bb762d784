"""The bias index: how much more often one of two raters gives a label than the other."""

import numpy as np
from numpy.typing import NDArray

from medassay.agreement.coefficient import CoefficientDeclaration, Prepared, coefficient
from medassay.agreement.cohen import two_raters
from medassay.agreement.sums import case_sums, ratio, two_labels
from medassay.judgements import Units
from medassay.scores import Reason, Unscored

__all__ = ["bias"]


def _misfit(units: Units, parameters: dict[str, str]) -> str:
    return two_labels(units, parameters) or two_raters(units, {})


@coefficient(
    CoefficientDeclaration(
        name="bias",
        title="Bias index",
        question="How much more often does one rater give a label than the other rater does?",
        one="one rater always gives the one label, the other rater the other",
        zero="both give each label equally often: bias does not raise kappa",
        below_zero="cannot occur",
        undefined="there are not exactly two raters and two labels, or no answer has both",
        source="Byrt, Bishop & Carlin (1993), doi:10.1016/0895-4356(93)90018-V",
        bounds=(0.0, 1.0),
        fits=_misfit,
    )
)
def bias(units: Units, **_: str) -> Prepared | Unscored:
    """Reduce to the difference of the two raters' label shares: |b − c| / n, without sign.

    Example:
        >>> prepared = bias(Units.from_codes([[0, 0], [0, 1], [0, 1], [1, 0]], ["no", "yes"]))
        >>> float(prepared.at(np.ones((1, 4)))[0])  # |2 - 1| / 4
        0.25
    """
    used = units.with_labels(2)
    if not len(used):
        return Unscored(Reason.UNDEFINED, "no answer has labels of two raters")
    # Labels are stored by unit, then by rater: even places are the one rater, odd the other.
    leaning = (used.code[0::2] - used.code[1::2]).astype(np.float64)
    sums = case_sums(used, np.column_stack([leaning, np.ones(len(used))]))

    def at(drawn: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.abs(ratio(drawn @ sums[:, 0], drawn @ sums[:, 1]))

    return Prepared(at, used, len(used), without_sign=True)

"""PABAK: kappa as it would be if both labels were equally common and raters unbiased."""

from medassay.agreement.brennan_prediger import brennan_prediger
from medassay.agreement.coefficient import CoefficientDeclaration, Prepared, coefficient
from medassay.agreement.sums import two_labels
from medassay.judgements import Units
from medassay.scores import Unscored

__all__ = ["pabak"]


@coefficient(
    CoefficientDeclaration(
        name="pabak",
        title="Prevalence- and bias-adjusted kappa",
        question="What would kappa be if both labels were equally common and no rater leaned?",
        one="all pairs of raters agree",
        zero="half of the pairs agree",
        below_zero="less than half of the pairs agree",
        undefined="no answer has two labels, or the scale has not exactly two labels",
        source="Byrt, Bishop & Carlin (1993), doi:10.1016/0895-4356(93)90018-V",
        fits=two_labels,
        corrects_for_chance=True,
    )
)
def pabak(units: Units, **_: str) -> Prepared | Unscored:
    """Reduce to the mean pairwise agreement: PABAK = 2pₒ − 1.

    Read it with `prevalence` and `bias`, which say how far the real table is from the even one.
    With more than two labels its counterpart is `brennan_prediger`; with more than two raters pₒ is
    the mean over their pairs.

    Example:
        >>> prepared = pabak(Units.from_codes([[0, 0], [0, 1], [1, 1], [1, 1]], ["no", "yes"]))
        >>> float(prepared.at([[1, 1, 1, 1]])[0])  # 2 * 3/4 - 1
        0.5
    """
    return brennan_prediger(units)

"""Scott's pi: agreement of two raters beyond chance, from their common label frequencies."""

from medassay.agreement.coefficient import CoefficientDeclaration, Prepared, coefficient
from medassay.agreement.cohen import two_raters
from medassay.agreement.fleiss import fleiss
from medassay.judgements import Units
from medassay.scores import Unscored

__all__ = ["scott"]


@coefficient(
    CoefficientDeclaration(
        name="scott",
        title="Scott's pi",
        question="How far do two raters agree beyond what their common label frequencies give?",
        one="they agree on every answer, and more than one label occurs",
        zero="they agree as often as two draws from their common pool of labels would",
        below_zero="they agree less often than that",
        undefined="only one label occurs, or there are not exactly two raters",
        source="Scott (1955), doi:10.1086/266577",
        fits=two_raters,
        corrects_for_chance=True,
        chance_from_labels=True,
    )
)
def scott(units: Units, **_: str) -> Prepared | Unscored:
    """Reduce to agreeing pairs and label counts: π = (pₒ − Σ p²) / (1 − Σ p²), p pooled.

    It is what Fleiss' kappa is for two raters. Cohen's kappa keeps the two raters' frequencies
    apart and is never lower; the gap is their bias.

    Example:
        >>> prepared = scott(Units.from_codes([[0, 0], [0, 1], [1, 1]], ["no", "yes"]))
        >>> round(float(prepared.at([[1, 1, 1]])[0]), 3)  # (2/3 - 1/2) / (1 - 1/2)
        0.333
    """
    return fleiss(units)

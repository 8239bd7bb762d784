"""Fleiss' kappa, and Scott's pi, which is what it is for two raters: agreement beyond chance."""

import numpy as np
from numpy.typing import NDArray

from medassay.agreement.coefficient import CoefficientDeclaration, Prepared, coefficient
from medassay.agreement.design import complete_answers
from medassay.agreement.draws import case_sums, pairs_of_units, ratio
from medassay.agreement.kappas import two_raters
from medassay.api_checks import ArrayLike, checked
from medassay.judgements import Units
from medassay.scores import Number, Reason, Unscored


@checked
def fleiss_kappa(observed: ArrayLike, label_counts: ArrayLike) -> NDArray[np.float64]:
    """Correct observed agreement for the agreement that the label counts alone would give.

    κ = (P̄ − P̄ₑ) / (1 − P̄ₑ) with P̄ₑ = Σⱼ pⱼ², where pⱼ is the share of label j among all labels.
    It needs no more than a paper usually prints: the mean pairwise agreement and the label counts.

    Args:
        observed: P̄, the mean share of agreeing pairs of raters; any shape.
        label_counts: How often each label was given; the same shape and one axis more, the labels.

    Returns:
        κ in the shape of `observed`. 1: all pairs agree. 0: they agree as often as labels drawn
        from the common pool would. Below 0: less often; the least is −1/(n − 1) with n raters.
        NaN where only one label occurs, because chance alone explains everything.

    Source:
        Fleiss (1971), Measuring nominal scale agreement among many raters, Psychological Bulletin
        76(5), doi:10.1037/h0031619.

    Example:
        >>> round(float(fleiss_kappa(0.581, [3824, 2634, 1942])), 4)
        0.3463
    """
    counts = np.asarray(label_counts, dtype=np.float64)
    chance = ratio((counts**2).sum(axis=-1), counts.sum(axis=-1) ** 2)
    return ratio(np.asarray(observed, dtype=np.float64) - chance, 1 - chance)


@coefficient(
    CoefficientDeclaration(
        name="fleiss",
        title="Fleiss' kappa",
        question="How far do several raters agree beyond what label frequencies alone would give?",
        one="all pairs of raters agree, and more than one label occurs",
        zero="they agree as often as labels drawn from the common pool would",
        below_zero="they agree less often than that",
        undefined="only one label occurs, or which answers have more labels hangs on the labels",
        source="Fleiss (1971), doi:10.1037/h0031619",
        parameters={"raters": Number(None, 2)},
        corrects_for_chance=True,
        chance_from_labels=True,
    )
)
def fleiss(units: Units, raters: str | None = None, **_: str) -> Prepared | Unscored:
    """Reduce to agreeing pairs and label counts, with the same number of labels on each answer.

    Who the raters are need not be the same from answer to answer. An answer with fewer than two
    labels holds no pair and is left out. Where the others differ in their number of labels, as
    where a rater has not finished, those with the full number are read (`complete_answers`), and a
    note says how many; `fleiss(raters=3)` reads the answers with exactly 3 labels.

    Example:
        >>> prepared = fleiss(Units.from_codes([[0, 0], [0, 1], [1, 1]], ["no", "yes"]))
        >>> round(float(prepared.at(np.ones((1, 3)))[0]), 3)  # (2/3 - 1/2) / (1 - 1/2)
        0.333
    """
    used = units.with_labels(2)
    if raters is not None:
        used = used.keep(used.sizes == int(raters))
        if not len(used):
            return Unscored(Reason.UNDEFINED, f"no answer has exactly {raters} labels")
    if not len(used):
        return Unscored(Reason.UNDEFINED, "no answer has labels of two raters")
    used, note = complete_answers(used)
    if np.count_nonzero(used.counts.sum(axis=0)) < 2:  # noqa: PLR2004 - chance needs two labels
        return Unscored(Reason.UNDEFINED, "only one label was given")
    agreeing, pairs = pairs_of_units(used)
    statistics = np.column_stack([agreeing, pairs, used.counts]).astype(np.float64)
    sums = case_sums(used, statistics)

    def at(weights: NDArray[np.float64]) -> NDArray[np.float64]:
        drawn = weights @ sums
        return fleiss_kappa(ratio(drawn[:, 0], drawn[:, 1]), drawn[:, 2:])

    return Prepared(at, used, int(pairs.sum()), note, complete_only=bool(note))


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

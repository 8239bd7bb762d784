"""Gwet's AC1 and AC2: chance agreement only where raters are likely to guess."""

import numpy as np
from numpy.typing import NDArray

from medassay.agreement.coefficient import CoefficientDeclaration, Prepared, coefficient
from medassay.agreement.sums import (
    WEIGHTS,
    case_sums,
    misfit,
    paired_distances,
    pairs_of_units,
    ratio,
    shares_of_disagreement,
)
from medassay.api_checks import ArrayLike
from medassay.judgements import Units
from medassay.scores import Unscored

__all__ = ["gwet", "gwet_ac"]


def gwet_ac(
    observed: ArrayLike, label_shares: ArrayLike, weights: str = "none"
) -> NDArray[np.float64]:
    """Correct observed agreement for guessing, which is likelier the more even the labels are.

    AC = (pₐ − pₑ) / (1 − pₑ) with pₑ = Σ w · Σⱼ πⱼ(1 − πⱼ) / (q(q − 1)), where πⱼ is the share of
    label j and q the number of labels on the scale. Without weights it is AC1, with weights AC2.

    Args:
        observed: pₐ, the mean (weighted) share of agreeing pairs of raters; any shape.
        label_shares: π, or anything proportional to it; the same shape and one axis more.
        weights: none, linear or quadratic: agreement is 1 − the weighted distance.

    Returns:
        AC in the shape of `observed`. 1: all pairs agree. 0: as often as guessing raters would.
        Below 0: less often.

    Source:
        Gwet (2008), Computing inter-rater reliability and its variance in the presence of high
        agreement, doi:10.1348/000711006X126600.

    Example:
        >>> round(float(gwet_ac(0.765, [6941, 844, 615])), 3)
        0.723
    """
    totals = np.asarray(label_shares, dtype=np.float64)
    shares = totals / totals.sum(axis=-1, keepdims=True)
    size = shares.shape[-1]
    agreeing = (1 - shares_of_disagreement(size, weights)).sum()
    chance = agreeing * (shares * (1 - shares)).sum(axis=-1) / (size * (size - 1))
    return ratio(np.asarray(observed, dtype=np.float64) - chance, 1 - chance)


@coefficient(
    CoefficientDeclaration(
        name="gwet",
        title="Gwet's AC",
        question="How far do raters agree beyond guessing, where one label may be far commoner?",
        one="all pairs of raters agree",
        zero="they agree as often as raters who guess would",
        below_zero="they agree less often than that",
        undefined="no answer has two labels, or the scale has one label only",
        source="Gwet (2008), doi:10.1348/000711006X126600; Gwet (2014), Handbook of Inter-Rater "
        "Reliability, 4th edition, for answers with different numbers of labels",
        bounds=(-np.inf, 1.0),
        parameters={"weights": WEIGHTS, "shares": ("all", "paired")},
        fits=misfit,
        variants=lambda _units: [{"weights": weights} for weights in WEIGHTS],
        corrects_for_chance=True,
    )
)
def gwet(units: Units, weights: str = "none", shares: str = "all", **_: str) -> Prepared | Unscored:
    """Reduce to the mean distance of pairs, and to the label shares; an answer counts once.

    Agreement is that of answers with two labels or more. The label shares are those of all answers
    with a label, as published; `gwet(shares=paired)` takes them from the same answers as the
    agreement. When cases are resampled, answers with one label on cases without any pair of labels
    stay as they are.

    Example:
        >>> prepared = gwet(Units.from_codes([[0, 0], [0, 1], [0, 0]], ["no", "yes"]))
        >>> round(float(prepared.at(np.ones((1, 3)))[0]), 3)  # (2/3 - 10/36) / (1 - 10/36)
        0.538
    """
    paired = paired_distances(units, weights)
    if isinstance(paired, Unscored):
        return paired
    used, size, sums = paired
    near, far = (_shares(used), np.zeros(size)) if shares == "paired" else _all(units, used)

    def at(drawn: NDArray[np.float64]) -> NDArray[np.float64]:
        distance = ratio(drawn @ sums[:, 0], drawn @ sums[:, 1])
        return gwet_ac(1 - distance, drawn @ near + far, weights)

    labelled = len(units.with_labels(1))
    note = ""
    if shares == "all" and labelled > len(used):
        note = f"label shares are those of all {labelled} answers with a label"
    return Prepared(at, used, int(pairs_of_units(used)[1].sum()), note)


def _shares(units: Units) -> NDArray[np.float64]:
    """Sum the label shares of the answers of each case."""
    return case_sums(units, units.counts / units.counts.sum(axis=1, keepdims=True))


def _all(units: Units, used: Units) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sum label shares in each case that holds a pair, and over all the other cases."""
    labelled = units.with_labels(1)
    sums = _shares(labelled)
    paired = np.isin(np.array(labelled.cases), np.array(used.cases))
    return sums[paired], sums[~paired].sum(axis=0)

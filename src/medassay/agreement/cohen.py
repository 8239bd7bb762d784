"""Cohen's kappa, plain and weighted: agreement of two raters beyond chance."""

import numpy as np
from numpy.typing import NDArray

from medassay.agreement.coefficient import CoefficientDeclaration, Prepared, coefficient
from medassay.agreement.sums import (
    WEIGHTS,
    case_sums,
    disagreement_weights,
    misfit,
    ratio,
    weighted_costs,
)
from medassay.api_checks import ArrayLike, checked
from medassay.judgements import Units
from medassay.scores import Reason, Unscored

__all__ = ["cohen", "cohen_kappa", "two_raters"]


@checked
def cohen_kappa(table: ArrayLike, weights: str = "none") -> NDArray[np.float64]:
    """Compute κ = 1 − Σ w·o / Σ w·e from the table of two raters' labels.

    o are the observed counts; e = row total x column total / n are those expected where the two
    raters label independently, each with their own frequencies.

    Args:
        table: Counts, shape (..., labels, labels): rows the one rater, columns the other.
        weights: none, linear or quadratic; see `disagreement_weights`.

    Returns:
        κ in the leading shape. 1: the raters agree on every answer. 0: as often, or as nearly, as
        independent raters would. Below 0: less; the least is −1. NaN where both use one and the
        same label only, because chance alone explains everything.

    Source:
        Cohen (1960), A coefficient of agreement for nominal scales, doi:10.1177/001316446002000104;
        Cohen (1968), Weighted kappa, doi:10.1037/h0026256.

    Example:
        >>> round(float(cohen_kappa([[20, 5], [10, 15]])), 3)  # (0.7 - 0.5) / (1 - 0.5)
        0.4
    """
    counts = np.asarray(table, dtype=np.float64)
    costs = disagreement_weights(counts.shape[-1], weights)
    rows, columns = counts.sum(axis=-1), counts.sum(axis=-2)
    observed = (counts * costs).sum(axis=(-2, -1))
    expected = np.einsum("...i,ij,...j->...", rows, costs, columns)
    return 1 - ratio(observed * counts.sum(axis=(-2, -1)), expected)


def two_raters(units: Units, parameters: dict[str, str]) -> str:
    """Say why a coefficient of two raters is not for these units, or nothing."""
    active = len(np.unique(units.rater))
    if active != 2:  # noqa: PLR2004 - Cohen's kappa is about two raters
        return f"it compares two raters; {active} gave labels"
    return misfit(units, parameters)


@coefficient(
    CoefficientDeclaration(
        name="cohen",
        title="Cohen's kappa",
        question="How far do two raters agree beyond what their own label frequencies would give?",
        one="they agree on every answer, and more than one label occurs",
        zero="they agree as far as independent raters with these frequencies would",
        below_zero="they agree less than that",
        undefined="both use one and the same label only, they share one answer only, or there are "
        "not exactly two raters",
        source="Cohen (1960), doi:10.1177/001316446002000104; Cohen (1968), doi:10.1037/h0026256",
        parameters={"weights": WEIGHTS},
        fits=two_raters,
        corrects_for_chance=True,
        chance_from_labels=True,
    )
)
def cohen(units: Units, weights: str = "none", **_: str) -> Prepared | Unscored:
    """Reduce to the table of two raters' labels, on the answers that both labelled.

    Example:
        >>> units = Units.from_codes([[0, 0], [0, 1], [1, 1], [1, -1]], ["no", "yes"])
        >>> round(float(cohen(units).at(np.ones((1, 3)))[0]), 3)  # (2/3 - 4/9) / (1 - 4/9)
        0.4
    """
    used = units.with_labels(2)
    if not len(used):
        return Unscored(Reason.UNDEFINED, "no answer has labels of two raters")
    if len(used) < 2:  # noqa: PLR2004 - two answers are the fewest that can differ
        return Unscored(Reason.UNDEFINED, "one answer only: chance cannot be told from one label")
    size = len(used.labels)
    # Labels are stored by unit, then by rater: even places are the one rater, odd the other.
    cell = used.code[0::2] * size + used.code[1::2]
    if np.unique(used.code).size < 2:  # noqa: PLR2004 - chance needs two labels
        return Unscored(Reason.UNDEFINED, "only one label was given")
    cells = np.zeros((len(used), size * size))
    cells[np.arange(len(used)), cell] = 1
    sums = case_sums(used, cells)

    def at(drawn: NDArray[np.float64]) -> NDArray[np.float64]:
        return cohen_kappa((drawn @ sums).reshape(-1, size, size), weights)

    return Prepared(at, used, len(used), costs=weighted_costs(size, weights))

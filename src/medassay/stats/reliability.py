"""How much of the spread between systems is theirs, and not the luck of the cases."""

from collections.abc import Hashable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.marks import Reliability as ReliabilityMark
from medassay.marks import Words, record
from medassay.stats.standard_error import moments
from medassay.stats.ties import TIE_TOLERANCE, pair_index

__all__ = ["Reliability", "reliability_of_means"]

_FEWEST: Final = 2


@record(infers=True)
class Reliability:
    """A share of variance.

    Attributes:
        value: At most 1; None where undefined.
        systems: Number of systems with a known case.
        undefined: Why there is no value; empty where there is one.
    """

    value: ReliabilityMark | None
    systems: int
    undefined: Words = ""


def reliability_of_means(
    values: NDArray[np.float64],
    known: NDArray[np.bool_],
    *,
    clusters: Sequence[Hashable] | None = None,
) -> Reliability:
    """What share of the variance of the system means is not noise from the choice of cases?

    1 − Σ SE²(d̄_ij) / Σ d̄_ij² over all pairs of systems, d̄_ij being their mean difference over the
    cases that both have. How hard the cases are moves all systems alike and is no noise here. With
    complete data and no clusters this is 1 − MS_residual / MS_systems of the two-way table: the
    G coefficient for relative decisions, and Cronbach's alpha with cases as items.

    1: new cases would give the same differences. 0 or below: the means lie no further apart than
    equal systems would; no ranking of them can be trusted, and no metric can agree with it.

    Args:
        values: Shape (systems, cases).
        known: The same shape; values are read where it is True.
        clusters: For each case the label of its cluster.

    Source: Brennan (2001), Generalizability Theory, doi:10.1007/978-1-4757-3456-0; Cronbach (1951),
        doi:10.1007/BF02310555.

    Example:
        >>> values = np.array([[1.0, 2.0, 3.0], [2.0, 3.0, 5.0]])
        >>> reliability_of_means(values, values > 0).value  # d = -1, -1, -2: 1 - (1/9) / (16/9)
        0.9375
    """
    present = known.any(axis=1)
    systems = int(present.sum())
    if systems < _FEWEST:
        return Reliability(None, systems, "reliability needs at least two systems")
    first, second = pair_index(len(values))
    masked = np.where(known, values, 0.0)
    estimates = moments(masked[first] - masked[second], known[first] & known[second], clusters)
    usable = np.isfinite(estimates.error)
    if not usable.any():
        why = "no two systems share two cases" if clusters is None else "one cluster of cases"
        return Reliability(None, systems, why)
    spread = float((estimates.mean[usable] ** 2).sum())
    if spread <= (TIE_TOLERANCE * np.abs(masked).max()) ** 2 * usable.sum():
        return Reliability(None, systems, "all systems have the same mean")
    return Reliability(1 - float((estimates.error[usable] ** 2).sum()) / spread, systems)

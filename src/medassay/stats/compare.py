"""Two systems on the cases that both have."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from medassay.stats.clusters import sums_by_cluster
from medassay.stats.intervals import Interval
from medassay.stats.kendall_null import PMethod
from medassay.stats.seeding import Rng, as_generator
from medassay.stats.sign_flip import sign_flip_p
from medassay.stats.standard_error import moments, t_intervals
from medassay.stats.ties import pair_index

__all__ = ["PairedDifference", "compare_all_pairs", "compare_paired"]


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """One system against another, case by case.

    Attributes:
        difference: Mean of first minus second over the cases that both have; None without any.
        interval: Its t interval; None where undefined.
        p: Two-sided sign-flip p; None without a common case.
        p_method: `exact`, `grid` (see `counted_sign_p`) or `monte-carlo`; None where p is.
        minimal_detectable_effect: The true difference that a test at 1 - level with this standard
            error finds with the power asked for; None where the standard error is undefined.
        n: Number of common cases.
        undefined: Why something is None; empty where nothing is.
    """

    difference: float | None
    interval: Interval | None
    p: float | None
    p_method: PMethod | None
    minimal_detectable_effect: float | None
    n: int
    undefined: str = ""


def compare_paired(
    differences: NDArray[np.float64],
    known: NDArray[np.bool_],
    *,
    rng: Rng,
    clusters: Sequence[Hashable] | None = None,
    permutations: int | None = 10_000,
    level: float = 0.95,
    power: float = 0.8,
) -> list[PairedDifference]:
    """Is one system better than another on cases like these, and by how much?

    For each row d̄ ± t · SE (clustered, with its degrees of freedom; see `moments`), the p of
    `sign_flip_p` over cases or whole clusters, and what could have been found at all:
    MDE = (z_{1−α/2} + z_{power}) · SE.

    Args:
        differences: First minus second, shape (comparisons, cases).
        known: Whether both have the case; the same shape.
        rng: The source of randomness for p.
        clusters: For each case the label of its cluster.
        permutations: Random sign patterns where there are too many to try all; None counts all.
        level: Coverage of the interval; α is 1 - level.
        power: Probability of detection that the MDE refers to.

    Source: Miller (2024), Adding error bars to evals, arXiv:2411.00640.

    Example:
        >>> d = np.array([[0.0, 1.0, 1.0, 2.0]])
        >>> [found] = compare_paired(d, np.ones((1, 4), dtype=bool), rng=np.random.default_rng(1))
        >>> found.difference, found.p, round(found.minimal_detectable_effect, 2)
        (1.0, 0.25, 1.14)
    """
    rng = as_generator(rng)
    from scipy.special import ndtri

    estimates = moments(differences, known, clusters)
    sums = sums_by_cluster(np.where(known, differences, 0.0), clusters)
    p_values = sign_flip_p(sums, rng=rng, permutations=permutations)
    reach = float(ndtri((1 + level) / 2) + ndtri(power))
    intervals = t_intervals(estimates, estimand="these systems, new cases", level=level)
    made = []
    for row, ((interval, why), (p, method)) in enumerate(zip(intervals, p_values, strict=True)):
        n = int(estimates.n[row])
        if n == 0:
            why = "the two have no case in common"  # noqa: PLW2901 - says it better than "nothing"
            made.append(PairedDifference(None, None, None, None, None, 0, why))
            continue
        detectable = None if interval is None else reach * float(estimates.error[row])
        difference = float(estimates.mean[row])
        made.append(PairedDifference(difference, interval, p, method, detectable, n, why))
    return made


def compare_all_pairs(
    values: NDArray[np.float64],
    known: NDArray[np.bool_],
    *,
    rng: Rng,
    clusters: Sequence[Hashable] | None = None,
    permutations: int | None = 10_000,
    level: float = 0.95,
) -> list[PairedDifference]:
    """Compare every two systems i < j, in the order of `pair_index`.

    Args:
        values: Shape (systems, cases).
        known: The same shape; values are read where it is True.
        rng: The source of randomness for the p values.
        clusters: For each case the label of its cluster.
        permutations: Random sign patterns, shared by all pairs; None counts all (`draws_for`).
        level: Coverage of the intervals.

    Example:
        >>> values = np.array([[1.0, 2.0], [0.0, 0.0], [1.0, 2.0]])
        >>> pairs = compare_all_pairs(values, values >= 0, rng=np.random.default_rng(1))
        >>> [pair.difference for pair in pairs]
        [1.5, 0.0, -1.5]
    """
    rng = as_generator(rng)
    first, second = pair_index(len(values))
    masked = np.where(known, values, 0.0)
    return compare_paired(
        masked[first] - masked[second],
        known[first] & known[second],
        rng=rng,
        clusters=clusters,
        permutations=permutations,
        level=level,
    )

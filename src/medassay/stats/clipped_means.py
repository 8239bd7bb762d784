"""Means that are clipped to a scale, and the worst of several tries."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from math import comb

import numpy as np
from numpy.typing import NDArray

from medassay.errors import InvalidInput, Problem
from medassay.stats.intervals import Interval
from medassay.stats.means import means_over_cases

__all__ = ["ClippedMean", "clipped_mean", "worst_at_k"]

_ESTIMAND = "the mean over cases like these, clipped to 0 and 1"


@dataclass(frozen=True, slots=True)
class ClippedMean:
    """A mean over cases, clipped to 0 and 1.

    Attributes:
        mean: None where no case has a value.
        interval: None where it is undefined.
        n: Cases with a value.
        undefined: Why there is no mean or no interval; empty where both are there.
    """

    mean: float | None
    interval: Interval | None
    n: int
    undefined: str = ""


def clipped_mean(
    values: NDArray[np.float64], clusters: Sequence[Hashable] | None = None, *, level: float = 0.95
) -> ClippedMean:
    """How well does a system do over cases, where an answer may score below 0?

    The mean is taken first and clipped afterwards, min(1, max(0, x̄)): a case below 0 pulls others
    down. The interval is x̄ ± t · SE over cases or clusters, its ends clipped alike.

    Args:
        values: One a case, shape (cases,).
        clusters: For each case the label of its cluster.
        level: Nominal coverage.

    Source: Arora et al. (2025), HealthBench, arXiv:2505.08775; its public scorer clips the mean and
    not the case, and gives an unseeded bootstrap error where this gives an interval.

    Example:
        >>> found = clipped_mean(np.array([0.5, 1.0, -0.9, 0.6]))
        >>> round(found.mean, 3), round(found.interval.low, 3), round(found.interval.high, 3)
        (0.3, 0.0, 1.0)
    """
    known = np.ones((1, values.size), dtype=np.bool_)
    (mean_of,) = means_over_cases(values[None, :], known, clusters=clusters, level=level)
    if mean_of.mean is None:
        return ClippedMean(None, None, mean_of.n, mean_of.undefined)
    mean = min(1.0, max(0.0, mean_of.mean))
    if mean_of.interval is None:
        return ClippedMean(mean, None, mean_of.n, mean_of.undefined)
    low, high = (min(1.0, max(0.0, end)) for end in (mean_of.interval.low, mean_of.interval.high))
    interval = replace(mean_of.interval, low=low, high=high, estimand=_ESTIMAND)
    return ClippedMean(mean, interval, mean_of.n)


def worst_at_k(samples: Sequence[float], k: int) -> float:
    """How bad is the worst of k answers to one case, on average?

    The mean over all subsets of k of the n samples of their minimum. With the samples sorted,
    x₁ ≤ … ≤ xₙ, the i-th is the minimum of C(n−i, k−1) of the C(n, k) subsets.

    Args:
        samples: The scores of n answers of one system to one case.
        k: How many are drawn, 1 to n; with 1 it is their mean, with n the minimum.

    Raises:
        InvalidInput: k is not from 1 to n.

    Source: Arora et al. (2025), HealthBench, arXiv:2505.08775.

    Example:
        >>> worst_at_k([0.2, 0.8, 0.5], 1), round(worst_at_k([0.2, 0.8, 0.5], 2), 3)
        (0.5, 0.3)
        >>> worst_at_k([0.2, 0.8, 0.5], 3)
        0.2
    """
    n = len(samples)
    if not 1 <= k <= n:
        raise InvalidInput(Problem("k", f"be from 1 to the {n} samples", str(k)))
    ways = comb(n, k)
    return sum(
        value * comb(n - place, k - 1) / ways for place, value in enumerate(sorted(samples), 1)
    )

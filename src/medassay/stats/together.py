"""How wide must the interval of each of several means be, for all their ends to hold at once?"""

from collections.abc import Hashable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats.clusters import sums_by_cluster
from medassay.stats.seeding import Rng, as_generator
from medassay.stats.standard_error import moments

__all__ = ["level_together"]

_DRAWS: Final = 20_000
_STEP: Final = 1000
"""A level is rounded up to a thousandth."""


def level_together(
    values: NDArray[np.float64],
    known: NDArray[np.bool_],
    *,
    rng: Rng,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> float:
    """At what level must each mean's interval be taken, so that no lower end lies wrongly above?

    Somebody who asks whether *some* of six systems reaches a target reads six lower ends at once.
    The largest of their t's is drawn with the correlations that the systems show over cases, or
    clusters of cases, and with their degrees of freedom: all lower ends hold at once in `level` of
    studies (max-T), and so do all upper ones. No interval is narrower than its own at `level`.

    Args:
        values: Shape (systems, cases).
        known: The same shape; values are read where it is True.
        rng: The source of randomness.
        clusters: For each case the label of its cluster; None: every case is its own.
        level: Wanted for all lower ends together, and for all upper ones.

    Returns:
        The level for each two-sided interval, from `level` to below 1, a whole thousandth.

    Source: Hothorn, Bretz & Westfall (2008), doi:10.1002/bimj.200810425.

    Example:
        >>> rng = np.random.default_rng(1)
        >>> apart = rng.normal(size=(6, 100))
        >>> together = rng.normal(size=100) + 0.1 * apart
        >>> known = np.ones((6, 100), dtype=bool)
        >>> level_together(apart, known, rng=1), level_together(together, known, rng=1)
        (0.984, 0.95)
    """
    from scipy.special import stdtr

    estimates = moments(values, known, clusters)
    shown = np.flatnonzero((estimates.error > 0) & ~estimates.flat)
    if shown.size < 2:  # noqa: PLR2004 - one alone is its own largest
        return level
    mean = estimates.mean[shown, None]
    residual = sums_by_cluster(np.where(known[shown], values[shown] - mean, 0.0), clusters)
    residual /= np.sqrt((residual**2).sum(axis=1, keepdims=True))
    variances, axes = np.linalg.eigh(residual @ residual.T)
    # The symmetric root is the one root that does not depend on the signs of the axes.
    root = (axes * np.sqrt(np.maximum(variances, 0.0))) @ axes.T
    rng = as_generator(rng)
    drawn = rng.normal(size=(_DRAWS, shown.size)) @ root
    # One draw of the spread serves all: systems that share cases share how it was estimated.
    least = float(estimates.freedom[shown].min())
    t = drawn / np.sqrt(rng.chisquare(least, size=(_DRAWS, 1)) / least)
    tail = float(np.quantile(stdtr(least, -t).min(axis=1), 1 - level, method="lower"))
    return max(level, float(np.ceil((1 - 2 * tail) * _STEP) / _STEP))

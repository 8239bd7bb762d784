"""The jackknife over cases: a statistic of sums, with each case or cluster left out in turn."""

import math
from collections.abc import Callable, Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from medassay.stats.clusters import sums_by_cluster

__all__ = ["NO_SPREAD", "jackknife_error", "leave_one_out"]

_ONE_CASE = "it rests on one case: without it there is no value"
NO_SPREAD = "no case shows a difference, so none shows how far this is certain"
_Floats = NDArray[np.float64]


def leave_one_out(
    sums: _Floats,
    clusters: Sequence[Hashable] | None,
    statistic: Callable[[_Floats], _Floats],
) -> tuple[float, _Floats]:
    """Give the statistic over all cases, and without each case or cluster that has anything.

    Args:
        sums: What each case adds, shape (cases, ...).
        clusters: For each case the label of its cluster.
        statistic: From sums, shape (n, ...), to values, shape (n,); NaN where it is undefined.

    Example:
        >>> sums = np.array([[1.0, 2.0], [3.0, 4.0]])
        >>> whole, left = leave_one_out(sums, None, lambda of: of[:, 0] / of[:, 1])
        >>> round(whole, 3), left.tolist()
        (0.667, [0.75, 0.5])
        >>> leave_one_out(np.zeros((0, 2)), None, lambda of: of[:, 0])  # no case, no value
        (nan, array([], dtype=float64))
    """
    flat = sums_by_cluster(sums.reshape(len(sums), math.prod(sums.shape[1:])).T, clusters).T
    flat = flat[flat.any(axis=1)]
    shape = (-1, *sums.shape[1:])
    total = flat.sum(axis=0)
    whole = float(statistic(total.reshape(shape))[0]) if flat.size else float("nan")
    return whole, statistic((total - flat).reshape(shape))


def jackknife_error(left: _Floats) -> tuple[float, str]:
    """Give the standard error sqrt((n - 1)/n Σ (θ₋ᵢ - θ̄)²), or why there is none.

    Source: Tukey (1958), doi:10.1214/aoms/1177706647.

    Example:
        >>> jackknife_error(np.array([0.4, 0.5, 0.6]))[1], jackknife_error(np.array([0.4]))
        ('', (0.0, 'one case shows no spread'))
    """
    if left.size < 2:  # noqa: PLR2004 - one case shows no spread
        return 0.0, "one case shows no spread"
    if not np.isfinite(left).all():
        return 0.0, _ONE_CASE
    error = float(np.sqrt((left.size - 1) / left.size * ((left - left.mean()) ** 2).sum()))
    return error, "" if error > 0 else NO_SPREAD

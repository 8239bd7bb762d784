"""Pairs of systems: how often two columns agree on the better one, and how sure each is of it."""

from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from medassay.errors import InvalidInput, Problem
from medassay.stats.clusters import sums_by_cluster
from medassay.stats.seeding import Rng, as_generator
from medassay.stats.ties import TIE_TOLERANCE, dense_ranks, pair_index

__all__ = ["pairwise_accuracy", "soft_pairwise_accuracy", "superiority_p"]

_ENUMERATED: Final = 10

Floats = NDArray[np.float64]


def pairwise_accuracy(x: ArrayLike, y: ArrayLike) -> float | None:
    """Of all pairs of systems, in what share do both columns name the same one as better?

    #{sgn(x_i − x_j) = sgn(y_i − y_j)} / (n(n − 1)/2); a pair tied in both agrees. 1: every pair.
    ½: what a coin would reach. 0: none.

    Args:
        x: Shape (n,), finite.
        y: Shape (n,), finite.

    Returns:
        The share, or None without a pair.

    Raises:
        InvalidInput: The columns differ in length, or a value is not finite.

    Source: Kocmi et al. (2021), To ship or not to ship, arXiv:2107.10821.

    Example:
        >>> pairwise_accuracy([1, 2, 3], [1, 3, 2])
        0.6666666666666666
    """
    first, second = dense_ranks(x), dense_ranks(y)
    if first.shape != second.shape:
        raise InvalidInput(Problem("y", f"have {first.size} values, as x has", str(second.size)))
    i, j = pair_index(first.size)
    if i.size == 0:
        return None
    return float((np.sign(first[i] - first[j]) == np.sign(second[i] - second[j])).mean())


def superiority_p(
    values: Floats,
    known: NDArray[np.bool_],
    *,
    rng: Rng,
    clusters: Sequence[Hashable] | None = None,
    permutations: int = 1000,
) -> Floats:
    """How surely does system i stand above system j, for every pair and every column?

    The one-sided mid-p of the paired sign-flip test, over the cases that both systems have: with T
    the sum of their differences and T* that sum under random signs,

        p_ij = (#{T* > T} + ½ #{T* = T}) / #{T*},

    the observed T being one of the T*. Near 0: i is better; near 1: j is; ½: the two are alike. All
    pairs and columns share one set of signs, and ties count one half, so p_ji = 1 − p_ij: the order
    of the systems says nothing. Up to ten cases (or clusters) all signs are tried.

    Args:
        values: Shape (columns, systems, cases); higher is better.
        known: Shape (systems, cases).
        rng: The source of randomness.
        clusters: For each case the label of its cluster; whole clusters change sign.
        permutations: Random sign patterns.

    Returns:
        Shape (columns, pairs), pairs in the order of `pair_index`; NaN where two systems have no
        case in common.

    Source: Thompson et al. (2024), arXiv:2409.09598; mid-p: Lancaster (1961),
        doi:10.1080/01621459.1961.10482105.

    Example:
        >>> values = np.array([[[3.0, 4.0], [1.0, 2.0], [1.0, 2.0]]])
        >>> superiority_p(values, values[0] > 0, rng=np.random.default_rng(1)).tolist()
        [[0.125, 0.125, 0.5]]
    """
    rng = as_generator(rng)
    columns, systems, cases = values.shape
    first, second = pair_index(systems)
    both = known[first] & known[second]
    places = sums_by_cluster(np.ones((1, cases)), clusters).shape[1]
    signs = _signs(places, permutations, rng)
    p = np.empty((columns, len(first)))
    for c, column in enumerate(values):
        masked = np.where(known, column, 0.0)
        differences = sums_by_cluster(np.where(both, masked[first] - masked[second], 0.0), clusters)
        margin = TIE_TOLERANCE * np.maximum(np.abs(differences).sum(axis=1), 1e-300)
        apart = signs @ differences.T - differences.sum(axis=1)
        above, below = (apart > margin).mean(axis=0), (apart < -margin).mean(axis=0)
        p[c] = 0.5 + (above - below) / 2
    p[:, ~both.any(axis=1)] = np.nan
    return p


def soft_pairwise_accuracy(p_x: Floats, p_y: Floats) -> float | None:
    """How alike are two columns in how surely they prefer one system to another?

    SPA = 1 − mean |p^x_ij − p^y_ij| over the pairs of systems. 1: the same certainty for every
    pair. About ⅔: p values that know nothing of each other. A column that is sure of what another
    leaves open loses half a pair; one that is sure of the opposite loses it whole.

    Args:
        p_x: `superiority_p` of one column, shape (pairs,); NaN where a pair cannot be compared.
        p_y: The same of the other.

    Returns:
        The accuracy, or None without a pair.

    Source: Thompson et al. (2024), Improving statistical significance in human evaluation of
        automatic metrics via soft pairwise accuracy, arXiv:2409.09598. There ties go to the
        system named first, so the order of systems changes the value; mid-p mends that.

    Example:
        >>> soft_pairwise_accuracy(np.array([0.0, 0.5]), np.array([0.5, 0.5]))
        0.75
    """
    apart = np.abs(p_x - p_y)
    apart = apart[~np.isnan(apart)]
    return float(1 - apart.mean()) if apart.size else None


def _signs(places: int, permutations: int, rng: np.random.Generator) -> Floats:
    """Draw sign patterns, the observed one (all +1) first; or list all of them."""
    if places <= _ENUMERATED:
        return _every_sign(places)
    drawn = rng.integers(0, 2, size=(permutations, places), dtype=np.int8) * 2.0 - 1.0
    return np.concatenate([np.ones((1, places)), drawn])


@lru_cache(maxsize=_ENUMERATED + 1)
def _every_sign(places: int) -> Floats:
    bits = np.arange(2**places)[:, None] >> np.arange(places)[None, :]
    signs: Floats = 1.0 - (bits & 1).astype(np.float64) * 2
    signs.flags.writeable = False
    return signs

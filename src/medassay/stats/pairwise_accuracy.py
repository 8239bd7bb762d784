"""How often two columns agree on the better of two: pairs of systems, of answers in groups."""

from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.annotations import record
from medassay.api_checks import ArrayLike
from medassay.errors import InvalidInput, Problem
from medassay.stats.intervals import Interval, sums_by_cluster
from medassay.stats.kendall import TIE_TOLERANCE, dense_ranks, pair_index
from medassay.stats.means import bounded_intervals, moments
from medassay.stats.randomness import Rng, as_generator

_ENUMERATED: Final = 10
Floats = NDArray[np.float64]
_FOLDS: Final = 5


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


@record(infers=True)
class TieCalibration:
    """How often a metric says of two answers to one case what the raters say.

    Attributes:
        acc_eq: Share of pairs that both order alike or both tie; None without a pair.
        epsilon: The difference of scores up to which a tie raises that share most.
        calibrated: The share at that epsilon, chosen on the same pairs: too high by design.
        cross_validated: The share on cases that epsilon was not chosen on; None with one case.
        constant: What a constant reaches: the raters' own share of ties.
        groups: Cases with a pair.
        acc_eq_interval: For these systems on new cases; None where cases show no spread.
        cross_validated_interval: The same of the cross-validated share; epsilon is held as it was
            chosen, so its own luck is not in it.
    """

    acc_eq: float | None
    epsilon: float | None
    calibrated: float | None
    cross_validated: float | None
    constant: float | None
    groups: int
    acc_eq_interval: Interval | None = None
    cross_validated_interval: Interval | None = None


def calibrate_ties(
    metric: Floats,
    human: Floats,
    known: NDArray[np.bool_],
    *,
    rng: Rng,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> TieCalibration:
    """How often does the metric order two answers as the raters do, ties among them counting?

    acc_eq = (C + T_hm) / pairs, averaged over the cases; acc*_eq is its highest value over ε, pairs
    with |Δm| ≤ ε being ties. Tuned on the data that it is told of, acc*_eq flatters: on a skewed
    scale of three labels random numbers reach the raters' share of ties, about 0.54. So it is told
    beside that share (what a constant reaches) and beside a five-fold cross-validation over cases,
    both with an interval over cases, or whole clusters of them (`bounded_intervals`).

    Args:
        metric: Shape (members, groups): systems by cases.
        human: The same shape.
        known: The same shape.
        rng: Deals the cases into folds.
        clusters: For each case its cluster; None: every case is its own.
        level: Coverage of the intervals.

    Source: Deutsch, Foster & Freitag (2023), Ties matter, arXiv:2305.14324; controls: Perrella et
        al. (2024), arXiv:2408.13831.

    Example:
        >>> human = np.array([[0.0, 1.0], [0.0, 1.0], [1.0, 1.0]])
        >>> metric = np.array([[0.10, 0.50], [0.11, 0.52], [0.90, 0.51]])
        >>> found = calibrate_ties(metric, human, human >= 0, rng=np.random.default_rng(1))
        >>> round(found.acc_eq, 3), round(found.epsilon, 2), found.calibrated, found.constant
        (0.333, 0.02, 1.0, 0.6666666666666666)
    """
    rng = as_generator(rng)
    first, second = pair_index(len(metric))
    both = known[first] & known[second]
    pairs = both.sum(axis=0)
    used = np.flatnonzero(pairs)
    if used.size == 0:
        return TieCalibration(None, None, None, None, None, 0)
    ours, theirs = (np.where(known, side, 0.0) for side in (metric, human))
    apart = (ours[first] - ours[second])[:, used]
    order = np.sign(_untied(apart, ours))
    other = np.sign(_untied((theirs[first] - theirs[second])[:, used], theirs))
    weights = both[:, used] / pairs[used]
    tied = weights * (other == 0)
    alike = weights * (order == other)
    sizes = np.where(order == 0, 0.0, np.abs(apart))
    epsilon, best = _best(sizes, alike, tied)
    held_out = _held_out(sizes, alike, tied, rng)
    own = None if clusters is None else [clusters[k] for k in used.tolist()]
    return TieCalibration(
        float(alike.sum() / used.size),
        epsilon,
        best,
        None if held_out is None else float(held_out.sum() / used.size),
        float(tied.sum() / used.size),
        used.size,
        _over_cases(alike.sum(axis=0), own, level),
        None if held_out is None else _over_cases(held_out, own, level),
    )


def _over_cases(
    shares: Floats, clusters: Sequence[Hashable] | None, level: float
) -> Interval | None:
    estimates = moments(shares[None], np.ones((1, shares.size), dtype=np.bool_), clusters)
    estimand = "these systems, new cases"
    return bounded_intervals(estimates, (0.0, 1.0), estimand=estimand, level=level)[0][0]


def _untied(apart: Floats, values: Floats) -> Floats:
    margin = TIE_TOLERANCE * np.abs(values).max(initial=0.0)
    return np.where(np.abs(apart) > margin, apart, 0.0)


def _best(sizes: Floats, alike: Floats, tied: Floats) -> tuple[float, float]:
    """Raise ε past one pair after another, and keep where the share is highest."""
    flat = sizes.ravel()
    order = np.argsort(flat, kind="stable")
    gained = np.cumsum((tied - alike).ravel()[order])
    last = np.append(np.flatnonzero(np.diff(flat[order])), flat.size - 1)  # last of each size
    shares = alike.sum() + np.concatenate([[0.0], gained[last]])
    cuts = np.concatenate([[0.0], flat[order][last]])
    at = int(np.argmax(shares > shares.max() - TIE_TOLERANCE))
    return float(cuts[at]), float(shares[at] / sizes.shape[1])


def _held_out(
    sizes: Floats, alike: Floats, tied: Floats, rng: np.random.Generator
) -> Floats | None:
    """Give each case its share at the epsilon of the others."""
    groups = sizes.shape[1]
    folds = min(_FOLDS, groups)
    if folds < 2:  # noqa: PLR2004 - nothing to hold out
        return None
    fold = rng.permutation(groups) % folds
    shares = np.zeros(groups)
    for k in range(folds):
        inside, outside = fold == k, fold != k
        cut, _ = _best(sizes[:, outside], alike[:, outside], tied[:, outside])
        as_tie = sizes[:, inside] <= cut
        shares[inside] = np.where(as_tie, tied[:, inside], alike[:, inside]).sum(axis=0)
    return shares

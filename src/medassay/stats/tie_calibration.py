"""Pairwise accuracy within groups, with ties: acc_eq and its calibrated form."""

from collections.abc import Hashable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.marks import record
from medassay.stats.bounded_intervals import bounded_intervals
from medassay.stats.intervals import Interval
from medassay.stats.seeding import Rng, as_generator
from medassay.stats.standard_error import moments
from medassay.stats.ties import TIE_TOLERANCE, pair_index

__all__ = ["TieCalibration", "calibrate_ties"]

_FOLDS: Final = 5

Floats = NDArray[np.float64]


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
    scale of three labels random numbers reach the raters' share of ties, about .54. So it is told
    beside that share (what a constant reaches) and beside a five-fold cross-validation over cases,
    both with an interval over cases, or whole clusters of them (`bounded_intervals`).

    Args:
        metric: Shape (members, groups): systems by cases.
        human: The same shape.
        known: The same shape.
        rng: Deals the cases into folds.
        clusters: For each case its cluster; None: every case is its own.
        level: Coverage of the intervals.

    Source: Deutsch, Foster & Freitag (2023), Ties matter, arXiv:2305.14324; sentinels: Perrella et
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

"""Pairwise accuracy within groups, with ties: acc_eq and its calibrated form."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats.ties import TIE_TOLERANCE, pair_index

__all__ = ["TieCalibration", "calibrate_ties"]

_FOLDS: Final = 5

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TieCalibration:
    """How often a metric says of two answers to one case what the raters say.

    Attributes:
        acc_eq: Share of pairs that both order alike or both tie; None without a pair.
        epsilon: The difference of scores up to which a tie raises that share most.
        calibrated: The share at that epsilon, chosen on the same pairs: too high by design.
        cross_validated: The share on cases that epsilon was not chosen on; None with one case.
        constant: What a constant reaches: the raters' own share of ties.
        groups: Cases with a pair.
    """

    acc_eq: float | None
    epsilon: float | None
    calibrated: float | None
    cross_validated: float | None
    constant: float | None
    groups: int


def calibrate_ties(
    metric: Floats,
    human: Floats,
    known: NDArray[np.bool_],
    *,
    rng: np.random.Generator,
) -> TieCalibration:
    """How often does the metric order two answers as the raters do, ties among them counting?

    acc_eq = (C + T_hm) / pairs, averaged over the cases; acc*_eq is its highest value over ε, pairs
    with |Δm| ≤ ε being ties. Tuned on the data that it is told of, acc*_eq flatters: on a skewed
    scale of three labels random numbers reach the raters' share of ties, about .54. So it is told
    beside that share (what a constant reaches) and beside a five-fold cross-validation over cases.

    Args:
        metric: Shape (members, groups): systems by cases.
        human: The same shape.
        known: The same shape.
        rng: Deals the cases into folds.

    Source: Deutsch, Foster & Freitag (2023), Ties matter, arXiv:2305.14324; sentinels: Perrella et
        al. (2024), arXiv:2408.13831.

    Example:
        >>> human = np.array([[0.0, 1.0], [0.0, 1.0], [1.0, 1.0]])
        >>> metric = np.array([[0.10, 0.50], [0.11, 0.52], [0.90, 0.51]])
        >>> found = calibrate_ties(metric, human, human >= 0, rng=np.random.default_rng(1))
        >>> round(found.acc_eq, 3), round(found.epsilon, 2), found.calibrated, found.constant
        (0.333, 0.02, 1.0, 0.6666666666666666)
    """
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
    return TieCalibration(
        float(alike.sum() / used.size),
        epsilon,
        best,
        _held_out(sizes, alike, tied, rng),
        float(tied.sum() / used.size),
        used.size,
    )


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


def _held_out(sizes: Floats, alike: Floats, tied: Floats, rng: np.random.Generator) -> float | None:
    groups = sizes.shape[1]
    folds = min(_FOLDS, groups)
    if folds < 2:  # noqa: PLR2004 - nothing to hold out
        return None
    fold = rng.permutation(groups) % folds
    total: float = 0.0
    for k in range(folds):
        inside, outside = fold == k, fold != k
        cut, _ = _best(sizes[:, outside], alike[:, outside], tied[:, outside])
        as_tie = sizes[:, inside] <= cut
        total += float(np.where(as_tie, tied[:, inside], alike[:, inside]).sum())
    return float(total / groups)

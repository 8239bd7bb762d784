"""Every two systems, compared over all cases that either has."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats.allotted.max_t import max_t_adjusted
from medassay.stats.allotted.random_cases import RandomCases
from medassay.stats.allotted.redrawn import Redrawn, redrawn
from medassay.stats.allotted.score_intervals import PairCounts, joined_score_interval
from medassay.stats.clusters import cluster_index
from medassay.stats.intervals import Interval
from medassay.stats.seeding import Rng, as_generator
from medassay.stats.ties import pair_index
from medassay.stats.unequal_clusters import LEAST_FREEDOM

__all__ = ["Allotted", "AllottedDifference", "compare_allotted"]

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_POWER: Final = 0.8
_WHOLE: Final = 1e-8
_ESTIMAND: Final = "these systems, new cases"
_BY_T: Final = "t, cases a random effect"
_REDRAWN: Final = "exact, the allotment drawn again"
_RIGHT_OR_WRONG: Final = 2


@dataclass(frozen=True, slots=True)
class AllottedDifference:
    """One system against another, over the cases that either has.

    Attributes:
        difference: First minus second.
        interval: For this pair alone; None where undefined.
        p: Two-sided; None where undefined.
        p_adjusted: p for all pairs tested at once; None where p is.
        method: How p was had; empty where it was not.
        minimal_detectable_effect: The true difference that such a test finds with 80 % power.
        n: Cases that both have.
        alone: Cases that one of the two alone has.
        undefined: Why something is None; empty where nothing is.
    """

    difference: float
    interval: Interval | None
    p: float | None
    p_adjusted: float | None
    method: str
    minimal_detectable_effect: float | None
    n: int
    alone: int
    undefined: str = ""


@dataclass(frozen=True, eq=False)
class Allotted:
    """Systems whose cases were allotted by chance.

    Attributes:
        means: What each system's mean would be on all cases, by `RandomCases`.
        pulled: What each cluster of cases adds to them, shape (clusters, systems).
        differences: Every two systems i < j, in the order of `pair_index`.
    """

    means: Floats
    pulled: Floats
    differences: tuple[AllottedDifference, ...]


def compare_allotted(
    values: Floats,
    known: Flags,
    *,
    rng: Rng,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> Allotted:
    """Which system is better, where chance decided which cases each of them met?

    Differences of the means of `RandomCases` with t intervals and p (CR2, Satterthwaite). Where a
    system of a pair has under ten values beside its commonest one, as where it was hardly ever
    wrong, p is that of `redrawn`, and of right or wrong the interval is `joined_score_interval`.
    Adjusted over all pairs by `max_t_adjusted`.

    Args:
        values: Shape (systems, cases), read where known; every system has a case.
        known: The same shape.
        rng: The source of randomness for the adjustment.
        clusters: For each case the label of its cluster; then every p is that of the t test.
        level: Coverage of the intervals.

    Example:
        >>> rng = np.random.default_rng(1)
        >>> case = rng.normal(size=90)
        >>> values = case + 0.5 * rng.normal(size=(2, 90)) + np.array([[0.6], [0.0]])
        >>> known = np.zeros((2, 90), dtype=bool)
        >>> known[0, :50] = known[1, 40:] = True
        >>> [pair] = compare_allotted(values, known, rng=rng).differences
        >>> round(pair.difference, 2), pair.p < 0.05, pair.n, pair.alone
        (0.66, True, 10, 80)
    """
    rng = as_generator(rng)
    groups = None if clusters is None else cluster_index(clusters, known.shape[1])
    fit = RandomCases.of(values, known, groups)
    first, second = pair_index(len(values))
    errors = [column.tolist() for column in fit.errors(first, second)]
    scale = float(np.abs(values[known]).max(initial=0.0))
    found = []
    for i, j, error, freedom in zip(first.tolist(), second.tolist(), *errors, strict=True):
        pair = _by_t(float(fit.means[i] - fit.means[j]), error, freedom, scale, level)
        own = known[[i, j]]
        counted = replace(
            pair, n=int(own.all(axis=0).sum()), alone=int((own.sum(axis=0) == 1).sum())
        )
        drawn = None if clusters is not None else redrawn(values[[i, j]], own)
        found.append(_by_redrawing(counted, drawn, values[[i, j]], own, level))
    tested = np.array([at for at, pair in enumerate(found) if pair.p is not None], dtype=np.intp)
    p = np.array([pair.p for pair in found if pair.p is not None], dtype=np.float64)
    pulled = fit.contrasts.pulled
    adjusted = max_t_adjusted(p, first[tested], second[tested], pulled, rng=rng)
    for at, value in zip(tested.tolist(), adjusted.tolist(), strict=True):
        found[at] = replace(found[at], p_adjusted=value)
    return Allotted(fit.means, pulled, tuple(found))


def _by_t(
    difference: float, error: float, freedom: float, scale: float, level: float
) -> AllottedDifference:
    from scipy.special import ndtri, stdtr, stdtrit

    why = ""
    if not error > _WHOLE * scale:
        why = "no value differs from what system and case foretell"
    elif not freedom >= LEAST_FREEDOM:
        why = f"too few cases compare the two: {freedom:.1f} degrees of freedom"
    if why:
        return AllottedDifference(difference, None, None, None, "", None, 0, 0, why)
    half = float(stdtrit(freedom, (1 + level) / 2)) * error
    interval = Interval(difference - half, difference + half, level, _BY_T, _ESTIMAND)
    p = float(2 * stdtr(freedom, -abs(difference) / error))
    detectable = float(ndtri((1 + level) / 2) + ndtri(_POWER)) * error
    return AllottedDifference(difference, interval, p, None, _BY_T, detectable, 0, 0)


def _by_redrawing(
    pair: AllottedDifference, drawn: Redrawn | None, values: Floats, known: Flags, level: float
) -> AllottedDifference:
    """Put the exact test in the place of the t test, where it could be had."""
    if drawn is None:
        return pair
    levels = np.unique(values[known])
    interval, difference = pair.interval, pair.difference
    if len(levels) == _RIGHT_OR_WRONG:
        span = float(levels[1] - levels[0])
        score = joined_score_interval(_counts(values > levels[0], known), drawn.weight, level)
        interval = replace(score, low=score.low * span, high=score.high * span)
        difference = drawn.difference
    return replace(
        pair,
        difference=difference,
        interval=interval,
        p=drawn.p,
        method=_REDRAWN,
        undefined="" if interval is not None else pair.undefined,
    )


def _counts(right: Flags, known: Flags) -> PairCounts:
    both = known.all(axis=0)
    alone = known & ~both
    return PairCounts(
        int(both.sum()),
        int((right[0] & ~right[1] & both).sum()),
        int((right[1] & ~right[0] & both).sum()),
        (int(alone[0].sum()), int(alone[1].sum())),
        (int((right[0] & alone[0]).sum()), int((right[1] & alone[1]).sum())),
    )

"""Is the new one worse, or no worse than a margin allows? Two one-sided tests on paired values."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from medassay.errors import InvalidInput, Problem
from medassay.stats.intervals import Interval
from medassay.stats.standard_error import moments, t_intervals

__all__ = ["PairedGate", "paired_gate"]


@dataclass(frozen=True, slots=True)
class PairedGate:
    """What paired differences, new minus old, say about a loss.

    Attributes:
        difference: Their mean; positive is better. None without a common case.
        interval: For the same two on new cases; None where undefined.
        p_worse: One-sided p of "the true difference is 0 or more".
        p_not_worse: One-sided p of "the true difference is -margin or less".
        minimal_detectable_loss: The true loss that would be called worse with 80 % probability.
        n: Common cases.
        undefined: Why something is None; empty where nothing is.
    """

    difference: float | None
    interval: Interval | None
    p_worse: float | None
    p_not_worse: float | None
    minimal_detectable_loss: float | None
    n: int
    undefined: str = ""


def paired_gate(
    differences: NDArray[np.float64],
    *,
    margin: float,
    span: float | None = None,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    power: float = 0.8,
) -> PairedGate:
    """Ask of paired differences whether there is a loss, and whether it is within a margin.

    With d̄ and its clustered SE on C − 1 degrees of freedom: p_worse = P(T ≤ d̄/SE) and
    p_not_worse = P(T ≥ (d̄ + margin)/SE). Each is compared with α/2, α = 1 − level, so that without
    adjustment both verdicts can be read off the interval: worse where it lies below 0, not worse
    where it lies above −margin.

    Where every difference is 0 there is no spread to make a t interval of, and yet n equal cases do
    not prove that all others are equal. With a known span of the score, the share of cases that
    differ is at most 1 − (α/2)^(1/n) (exact binomial), and so is the loss, times the span: that is
    the interval then, and p_not_worse = (1 − margin/span)^n.

    Args:
        differences: New minus old where both are known, shape (cases,), positive being better.
        margin: The largest loss that is acceptable, 0 or more, in the unit of the score.
        span: The score's greatest value minus its least; None if it is unbounded.
        clusters: For each case the label of its cluster.
        level: Coverage of the interval.
        power: Probability of detection that the minimal detectable loss refers to.

    Source: Miller (2024), arXiv:2411.00640, for the clustered SE; Schuirmann (1987),
        doi:10.1007/BF01068419, for two one-sided tests.

    Example:
        >>> found = paired_gate(np.array([0.0, -1.0, 0.0, 1.0] * 25), margin=0.2)
        >>> round(found.interval.low, 3), round(found.p_not_worse, 4), found.p_worse
        (-0.141, 0.0029, 0.5)
    """
    from scipy.special import ndtri, stdtr

    if not (np.isfinite(margin) and margin >= 0):
        raise InvalidInput(Problem("margin", "be 0 or more", f"{margin}"))
    row = np.asarray(differences, dtype=np.float64)[None]
    found = moments(row, np.ones(row.shape, dtype=np.bool_), clusters)
    n, mean = int(found.n[0]), float(found.mean[0]) if row.size else None
    if mean is None:
        return PairedGate(None, None, None, None, None, 0, "the two have no case in common")
    if not row.any():
        return _all_equal(int(found.clusters[0]), n, margin, span, level)
    [(interval, why)] = t_intervals(found, estimand="the same two, new cases", level=level)
    if interval is None:
        return PairedGate(mean, None, None, None, None, n, why)
    error, freedom = float(found.error[0]), float(found.clusters[0] - 1)
    return PairedGate(
        difference=mean,
        interval=interval,
        p_worse=float(stdtr(freedom, mean / error)),
        p_not_worse=float(stdtr(freedom, -(mean + margin) / error)),
        minimal_detectable_loss=float(ndtri((1 + level) / 2) + ndtri(power)) * error,
        n=n,
    )


def _all_equal(
    independent: int, n: int, margin: float, span: float | None, level: float
) -> PairedGate:
    if span is None or span <= 0:
        why = "no case differs, and without a range of the score that shows no bound"
        return PairedGate(0.0, None, None, None, None, n, why)
    loss = (1 - ((1 - level) / 2) ** (1 / independent)) * span
    interval = Interval(-loss, loss, level, "exact binomial", "the same two, new cases")
    p_not_worse = max(0.0, 1 - margin / span) ** independent
    return PairedGate(0.0, interval, 1.0, p_not_worse, None, n)

"""The mean of each system over cases, with its interval."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from medassay.stats.bounded_intervals import bounded_intervals
from medassay.stats.intervals import Interval
from medassay.stats.standard_error import moments, t_intervals

__all__ = ["Mean", "means_over_cases"]


@dataclass(frozen=True, slots=True)
class Mean:
    """One system's mean.

    Attributes:
        mean: None where no case is known.
        interval: None where it is undefined.
        n: Number of cases with a value.
        missing: Number of cases without.
        undefined: Why there is no mean or no interval; empty where both are there.
    """

    mean: float | None
    interval: Interval | None
    n: int
    missing: int
    undefined: str = ""


def means_over_cases(
    values: NDArray[np.float64],
    known: NDArray[np.bool_],
    *,
    clusters: Sequence[Hashable] | None = None,
    bounds: tuple[float, float] | None = None,
    level: float = 0.95,
) -> list[Mean]:
    """How well does each system do on average, on cases like these?

    The interval is x̄ ± t · SE with the clustered standard error of `moments` and its degrees of
    freedom; on a scale with two ends it is that of `bounded_intervals`. Cases without a value are
    left out and counted.

    Args:
        values: Shape (systems, cases).
        known: The same shape; values are read where it is True.
        clusters: For each case the label of its cluster (queries of one scenario, say).
        bounds: The ends of the scale, where it has some: the interval stays between them.
        level: Nominal coverage.

    Returns:
        One mean for each system, in order.

    Source: Miller (2024), Adding error bars to evals, arXiv:2411.00640.

    Example:
        >>> values = np.array([[1.0, 2.0, 3.0, 0.0]])
        >>> [mean] = means_over_cases(values, np.array([[True, True, True, False]]))
        >>> mean.mean, mean.n, mean.missing, round(mean.interval.low, 2)
        (2.0, 3, 1, -0.48)
    """
    estimates = moments(values, known, clusters)
    what = "these systems, new cases"
    intervals = (
        t_intervals(estimates, estimand=what, level=level)
        if bounds is None
        else bounded_intervals(estimates, bounds, estimand=what, level=level)
    )
    return [
        Mean(mean if n else None, interval, n, values.shape[1] - n, why)
        for mean, n, (interval, why) in zip(
            estimates.mean.tolist(), estimates.n.tolist(), intervals, strict=True
        )
    ]

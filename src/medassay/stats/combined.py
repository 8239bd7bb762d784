"""What an estimate from few judgements and many scores says, and whether the scores helped."""

from collections.abc import Hashable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.marks import Words, record
from medassay.stats.clusters import sums_by_cluster
from medassay.stats.intervals import Interval
from medassay.stats.ties import TIE_TOLERANCE
from medassay.stats.unequal_clusters import bias_reduced

__all__ = [
    "FEWEST_JUDGED",
    "FEWEST_OTHERWISE",
    "Combined",
    "few_judged",
    "judged_mean",
    "mean_variance",
    "t_interval",
    "worth",
]

FEWEST_JUDGED: Final = 20
"""Below so many judgements or clusters intervals cover too little.

simulations/coverage-human-score.md has the simulation.
"""
FEWEST_OTHERWISE: Final = 10
"""The same for judgements that are not the commonest one, where there are few values."""
_FEW_VALUES: Final = 3

Floats = NDArray[np.float64]
Labels = Sequence[Hashable]


@record(infers=True)
class Combined:
    """A mean that people would give, estimated.

    Attributes:
        method: Its name.
        estimate: None where there is none.
        error: Its standard error; None where there is none.
        interval: None where undefined.
        n: Answers judged.
        total: Answers that the scores or the finite population cover; the judged ones among them.
        slope: What the scores were multiplied with; None where no score takes part.
        worth: How many judgements alone, without scores, would make as small an error; None where
            unknown, n where no score takes part.
        undefined: Why there is no estimate or no interval; empty where there are both.
        no_help: Why the scores (or the design) do not help; empty where they do.
        warning: Why the interval may cover less than it says; empty where it should hold.
    """

    method: Words
    estimate: float | None
    error: float | None
    interval: Interval | None
    n: int
    total: int | None = None
    slope: float | None = None
    worth: float | None = None
    undefined: Words = ""
    no_help: Words = ""
    warning: Words = ""


def judged_mean(
    judged: Floats,
    *,
    total: int | None = None,
    clusters: Labels | None = None,
    level: float = 0.95,
) -> Combined:
    """What do people's judgements say of the mean, without any help of scores?

    ȳ ± t · √((1 − n/N) s²/n); with clusters s²/n becomes the clustered variance of `moments`.

    Args:
        judged: The judgements, a simple random sample.
        total: N, the number of answers they were drawn from, where the mean of just these is
            wanted; None: the mean over answers not seen yet, without the factor 1 − n/N.
        clusters: For each judgement its cluster, where whole clusters were drawn.
        level: Nominal coverage.

    Source: Cochran (1977), Sampling Techniques, chapter 2.

    Example:
        >>> some = judged_mean(np.array([1.0, 0.0, 1.0, 1.0]), total=8)
        >>> some.estimate, round(some.error, 4)  # √(.5 · .25/4)
        (0.75, 0.1768)
    """
    n = judged.size
    estimand = "this system, new cases" if total is None else "these answers"
    if n == 0:
        return Combined("judgements alone", None, None, None, 0, total, undefined="none is judged")
    mean = float(judged.mean())
    variance, freedom, units = mean_variance(judged - mean, clusters, fitted=1)
    left = 1.0 if total is None else 1 - n / total
    if left <= 0:
        why = "every answer is judged: the mean of these answers is known"
        return Combined(
            "judgements alone", mean, 0.0, None, n, total, None, float(n), undefined=why
        )
    error = None if variance is None else float(np.sqrt(left * variance))
    interval, why = t_interval(mean, error, freedom, level, estimand)
    warning = few_judged(judged, units)
    return Combined(
        "judgements alone", mean, error, interval, n, total, None, float(n), why, "", warning
    )


def mean_variance(
    residuals: Floats, clusters: Labels | None, *, fitted: int
) -> tuple[float | None, float, int]:
    """Give the variance of a mean from its residuals, its degrees of freedom and independent units.

    (1/n²) Σ_c (Σ_{k∈c} e_k)² · C/(C − fitted) over C clusters, on C − fitted degrees; None where C
    ≤ fitted. Where clusters differ in size, the error and the degrees are those of `bias_reduced`,
    with what is fitted beyond the mean taken off.
    """
    sums = sums_by_cluster(residuals[None], clusters)
    sizes = sums_by_cluster(np.ones((1, residuals.size)), clusters)
    units = sums.size
    if units <= fitted:
        return None, 0.0, units
    rest = units - fitted
    if np.ptp(sizes) == 0:
        return float((sums**2).sum() / residuals.size**2 * units / rest), float(rest), units
    error, freedom = bias_reduced(sums, sizes)
    variance = float(error[0]) ** 2 * (units - 1) / rest
    return variance, max(0.0, float(freedom[0]) - (fitted - 1)), units


def t_interval(
    estimate: float, error: float | None, freedom: float, level: float, estimand: str
) -> tuple[Interval | None, str]:
    """Make estimate ± t · error, or say why not."""
    from scipy.special import stdtrit

    if error is None or freedom <= 0:
        return None, "too few judgements to show how far others would lie"
    if error <= TIE_TOLERANCE * max(abs(estimate), 1.0):
        return None, "all judgements agree with the prediction: they do not show how far off it is"
    half = float(stdtrit(freedom, (1 + level) / 2)) * error
    return Interval(estimate - half, estimate + half, level, "t", estimand), ""


def few_judged(judged: Floats, units: int) -> str:
    """Say that intervals of so few judgements cover too little; nothing where they are enough.

    Example:
        >>> few_judged(np.array([0.0] * 95 + [1.0] * 5), 100)
        '5 judgements differ from the commonest: below 10 the interval may cover too little'
        >>> few_judged(np.array([0.0, 1.0] * 50), 100)
        ''
    """
    if units < FEWEST_JUDGED:
        return (
            f"{units} judgements or clusters: below {FEWEST_JUDGED} intervals may cover too little"
        )
    values, times = np.unique(judged, return_counts=True)
    others = judged.size - int(times.max())
    if values.size <= _FEW_VALUES and others < FEWEST_OTHERWISE:
        return (
            f"{others} judgements differ from the commonest: below {FEWEST_OTHERWISE} the interval "
            "may cover too little"
        )
    return ""


def worth(n: int, total: int | None, error: float | None, alone: float | None) -> float | None:
    """How many judgements alone would make as small an error?

    The error of judgements alone has variance s² (1/n − 1/N), N infinite for new cases. So 1/n' =
    1/N + (error/alone)² (1/n − 1/N).

    Example:
        >>> worth(100, None, 0.5, 1.0), round(worth(100, 1000, 0.5, 1.0))
        (400.0, 308)
    """
    if error is None or not alone:
        return None
    limit = 0.0 if total is None else 1 / total
    return 1 / (limit + (error / alone) ** 2 * (1 / n - limit))

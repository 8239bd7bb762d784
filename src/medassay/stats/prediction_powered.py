"""PPI++: the mean that people would give, from few judgements and many scores."""

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats.clusters import sums_by_cluster
from medassay.stats.combined import Combined, judged_mean, mean_variance, t_interval, worth
from medassay.stats.intervals import Interval
from medassay.stats.ties import TIE_TOLERANCE
from medassay.stats.unequal_clusters import blown_up

__all__ = ["ppi_mean"]

_METHOD: Final = "PPI++"
_ESTIMAND: Final = "this system, new cases"

Floats = NDArray[np.float64]


def ppi_mean(
    judged: Floats,
    scores: Floats,
    other_scores: Floats,
    *,
    slope: float | None = None,
    clip: bool = False,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    as_published: bool = False,
) -> Combined:
    """What would people give on average, on answers that are not seen yet?

    θ̂ = λ · mean_N(f) + mean_n(Y − λf), with λ = Cov(Y, f)/((1 + n/N) Var f) unless it is given, and
    Var θ̂ = λ² Var(f)/N + Var(Y − λf)/n. The interval is θ̂ ± t · SE with n − 2 degrees of freedom
    (C − 2 with C clusters, fewer where they differ in size), and Var(Y − λf) divides by n − 2,
    since λ is estimated from the same judgements. `as_published` takes the normal quantile and
    divides by n, as the paper does.

    It supposes that all answers come from one source of answers, which answers are judged being
    chance, and that those without judgement are others than those with. For the mean of a fixed set
    of answers use `difference_mean`.

    Args:
        judged: Y, shape (n,).
        scores: f of the same answers.
        other_scores: f of the N answers without judgement.
        slope: λ; 1 is PPI as first published and in ARES, which can be worse than judgements alone.
        clip: Keep the estimated λ between 0 and 1, as the paper does: for scores on the scale of
            the judgements.
        clusters: For each judged answer its cluster, then for each other answer; a cluster may hold
            answers of both kinds.
        level: Nominal coverage.
        as_published: The large-sample interval of the paper, for comparison.

    Source: Angelopoulos, Duchi & Zrnic (2023), arXiv:2311.01453.

    Example:
        >>> rng = np.random.default_rng(1)
        >>> truth = rng.normal(size=1000)
        >>> scores = truth + 0.5 * rng.normal(size=1000)
        >>> found = ppi_mean(truth[:100], scores[:100], scores[100:])
        >>> round(found.slope, 1), round(found.worth)
        (0.5, 283)
    """
    n, others = judged.size, other_scores.size
    own = None if clusters is None else clusters[:n]
    alone = judged_mean(judged, clusters=own, level=level)
    if alone.estimate is None or alone.error is None:
        return replace(alone, method=_METHOD, worth=None)
    alone = replace(alone, method=_METHOD, total=n + others, slope=0.0)
    if others == 0:
        return replace(alone, no_help="every answer with a score is judged")
    every = np.concatenate([scores, other_scores])
    if np.ptp(every) <= TIE_TOLERANCE * np.abs(every).max():
        return replace(alone, no_help="the metric gives all answers the same score")
    if slope is None:
        slope = _tuned(judged, scores, every, n / others)
        slope = min(max(slope, 0.0), 1.0) if clip else slope
    estimate = float(slope * other_scores.mean() + (judged - slope * scores).mean())
    fitted = 0 if as_published else 2
    variance, freedom = _variance(judged, (scores, other_scores), slope, fitted, clusters)
    error = None if variance is None else float(np.sqrt(variance))
    interval, why = t_interval(estimate, error, freedom, level, _ESTIMAND)
    if as_published and error is not None:
        interval, why = _normal(estimate, error, level), ""
    like = worth(n, None, error, alone.error)
    combined = replace(alone, estimate=estimate, error=error, interval=interval, undefined=why)
    combined = replace(combined, slope=slope, worth=like)
    if like is not None and like <= n:
        why = "the scores do not predict these judgements well enough to make the error smaller"
        return replace(combined, no_help=why)
    return combined


def _tuned(judged: Floats, scores: Floats, every: Floats, ratio: float) -> float:
    """Give the slope with the least variance; Var f over all answers, as ppi-python takes it."""
    covariance = float(((judged - judged.mean()) * (scores - scores.mean())).mean())
    return covariance / ((1 + ratio) * float(every.var(ddof=1)))


def _variance(
    judged: Floats,
    scores: tuple[Floats, Floats],
    slope: float,
    fitted: int,
    clusters: Sequence[Hashable] | None,
) -> tuple[float | None, float]:
    """Add up what judged and other answers contribute, cluster by cluster where there are some."""
    n = judged.size
    residual = judged - slope * scores[0]
    residual = residual - residual.mean()
    other = slope * (scores[1] - scores[1].mean())
    own = None if clusters is None else clusters[:n]
    rectifier, freedom, units = mean_variance(residual, own, fitted=fitted)
    if rectifier is None:
        return None, freedom
    if clusters is None:
        imputed, _, _ = mean_variance(other, None, fitted=min(1, fitted))
        return (None if imputed is None else rectifier + imputed), freedom
    # A cluster with answers of both kinds moves both terms at once.
    is_judged = np.arange(len(clusters)) < n
    parts = np.concatenate([residual / n, other / other.size])
    rows = np.stack([parts * is_judged, parts * ~is_judged, is_judged, ~is_judged])
    judged_sums, other_sums, judged_in, other_in = sums_by_cluster(rows, clusters)
    both = blown_up(judged_sums, judged_in)[0] + blown_up(other_sums, other_in)[0]
    return float((both**2).sum()) * (units - 1) / (units - fitted), freedom


def _normal(estimate: float, error: float, level: float) -> Interval:
    from scipy.special import ndtri

    half = float(ndtri((1 + level) / 2)) * error
    return Interval(estimate - half, estimate + half, level, "normal", _ESTIMAND)

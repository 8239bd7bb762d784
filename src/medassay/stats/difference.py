"""The difference estimator: the mean that people would give to a fixed set of answers."""

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats.combined import Combined, judged_mean, mean_variance, t_interval, worth
from medassay.stats.ties import TIE_TOLERANCE

__all__ = ["difference_mean"]

_METHOD: Final = "difference"
_ESTIMAND: Final = "these answers"

Floats = NDArray[np.float64]


def difference_mean(
    judged: Floats,
    scores: Floats,
    other_scores: Floats,
    *,
    slope: float | None = None,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> Combined:
    """What would people give these very answers on average, had they judged them all?

    θ̂ = b · mean_all(f) + mean_n(Y − bf): the known mean of the scores, corrected by what judgements
    and scores differ by where both are known. Only the choice of the judged answers is chance:
    Var θ̂ = (1 − n/N) s²/n, s² the variance of Y − bf, N all answers. It falls to 0 when all are
    judged. Without a given b it is fitted by least squares (the regression estimator), s² divides
    by n − 2 and t has n − 2 degrees of freedom.

    Args:
        judged: Y, shape (n,), of a simple random sample of the answers.
        scores: f of the same answers.
        other_scores: f of the answers without judgement.
        slope: b; 1 for scores on the scale of the judgements.
        clusters: For each judged answer its cluster, where whole clusters were drawn.
        level: Nominal coverage.

    Source: Cochran (1977), Sampling Techniques, chapter 7; Särndal, Swensson & Wretman (1992),
        doi:10.1007/978-1-4612-4378-6, chapter 6.

    Example:
        >>> scores = np.arange(10.0)
        >>> judged = np.array([1.0, 2.0, 4.0, 4.0])  # of the answers scored 0, 2, 4, 6
        >>> found = difference_mean(judged, scores[[0, 2, 4, 6]], scores[[1, 3, 5, 7, 8, 9]])
        >>> round(found.slope, 2), round(found.estimate, 3)  # 2.75 + .55 (4.5 − 3)
        (0.55, 3.575)
    """
    n, total = judged.size, judged.size + other_scores.size
    alone = judged_mean(judged, total=total, clusters=clusters, level=level)
    if alone.estimate is None or not alone.error:
        return replace(alone, method=_METHOD)
    alone = replace(alone, method=_METHOD, slope=0.0)
    every = np.concatenate([scores, other_scores])
    centred = scores - scores.mean()
    is_given = slope is not None
    if np.ptp(scores) <= TIE_TOLERANCE * np.abs(every).max() and not is_given:
        return replace(alone, no_help="the metric gives all judged answers the same score")
    if slope is None:
        slope = float((centred * judged).sum() / (centred**2).sum())
    residual = (judged - judged.mean()) - slope * centred
    estimate = float(judged.mean() + slope * (every.mean() - scores.mean()))
    fitted = 1 if is_given else 2
    variance, freedom, _ = mean_variance(residual, clusters, fitted=fitted)
    error = None if variance is None else float(np.sqrt((1 - n / total) * variance))
    interval, why = t_interval(estimate, error, freedom, level, _ESTIMAND)
    like = worth(n, total, error, alone.error) if interval else None
    combined = replace(alone, estimate=estimate, error=error, interval=interval, undefined=why)
    combined = replace(combined, slope=slope, worth=like)
    if like is not None and like <= n:
        why = "the scores do not predict these judgements well enough to make the error smaller"
        return replace(combined, no_help=why)
    return combined

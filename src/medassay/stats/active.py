"""Active sampling: judge the answers where the scores are least sure, and weight them back."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.errors import InvalidInput, Problem
from medassay.stats.combined import Combined, few_judged, t_interval, worth

__all__ = ["active_mean", "judging_chances"]

_METHOD: Final = "active (Horvitz-Thompson)"
_FEWEST: Final = 3

Floats = NDArray[np.float64]


def judging_chances(doubt: Floats, wanted: float, *, even: float = 0.25) -> Floats:
    """With what chance should each answer be judged, so that doubtful ones are judged more often?

    π_i = even · wanted/N + (1 − even) · c · u_i, cut at 1, with c such that they add up to the
    number wanted. The even share keeps every answer's weight 1/π_i bounded. Where all answers with
    any doubt are sure to be judged and more are wanted, the rest is spread evenly over the others.

    Args:
        doubt: u ≥ 0, how unsure the score is of each answer.
        wanted: The number of judgements to expect, at most N.
        even: Share of the judgements that are spread evenly.

    Source: Zrnic & Candès (2024), Active statistical inference, arXiv:2403.03208.

    Example:
        >>> judging_chances(np.array([0.0, 1.0, 3.0, 0.0]), 2, even=0.5).tolist()
        [0.25, 0.5, 1.0, 0.25]
    """
    n = doubt.size
    if not 0 < wanted <= n or doubt.min(initial=0.0) < 0 or not 0 < even <= 1:
        raise InvalidInput(
            Problem(
                "judging_chances", f"get 0 < wanted ≤ {n}, doubt ≥ 0, 0 < even ≤ 1", f"{wanted}"
            )
        )
    floor = even * wanted / n
    if doubt.max(initial=0.0) == 0:
        return np.full(n, wanted / n)
    sure = doubt > 0
    if wanted >= sure.sum() + floor * (~sure).sum():
        return np.where(sure, 1.0, (wanted - sure.sum()) / max(1, (~sure).sum())).round(12)
    low, high = 0.0, (1.0 / doubt[doubt > 0]).max() + wanted / doubt.max()
    for _ in range(200):
        middle = (low + high) / 2
        reached = np.minimum(floor + middle * doubt, 1.0).sum()
        low, high = (middle, high) if reached < wanted else (low, middle)
    chances: Floats = np.minimum(floor + high * doubt, 1.0)
    return chances.round(12)


def active_mean(
    judged: Floats,
    scores: Floats,
    chances: Floats,
    chosen: NDArray[np.bool_],
    *,
    slope: float | None = None,
    new_cases: bool = False,
    level: float = 0.95,
) -> Combined:
    """What would people give on average, when each answer had its own chance to be judged?

    θ̂ = (1/N) Σ ŷ_i + (1/N) Σ_judged (Y_i − ŷ_i)/π_i, answer i being judged with chance π_i,
    independently. With a given slope b, ŷ = b·f: the Horvitz-Thompson difference estimator of
    active inference. Else ŷ = a + b·f is fitted with weights 1/π (the generalised regression
    estimator), which loses less where the number judged is itself chance. Var θ̂ = (1/N²) Σ_judged
    (1 − π_i)/π_i² · (Y_i − ŷ_i)², times n/(n − 2) where fitted; for new cases Var(Y)/N is added.

    Args:
        judged: Y, shape (N,); read where `chosen`.
        scores: f, shape (N,).
        chances: π, shape (N,), above 0; fixed before judging.
        chosen: Which answers were judged.
        slope: b, for scores on a known scale.
        new_cases: Whether the mean over cases not seen yet is meant, not that of these answers.
        level: Nominal coverage.

    Raises:
        InvalidInput: A chance is not within (0, 1].

    Source: Zrnic & Candès (2024), arXiv:2403.03208; Särndal, Swensson & Wretman (1992),
        doi:10.1007/978-1-4612-4378-6, chapter 6.

    Example:
        >>> everyone = np.ones(4, dtype=bool)
        >>> found = active_mean(np.array([1.0, 2, 3, 5]), np.zeros(4), np.ones(4), everyone)
        >>> found.estimate, found.undefined
        (2.75, 'every answer is judged: the mean of these answers is known')
    """
    if chances.size and not (chances.min() > 0 and chances.max() <= 1):
        raise InvalidInput(Problem("chances", "lie above 0 and at most at 1", f"{chances.min()}"))
    total, n = scores.size, int(chosen.sum())
    about = (n, total)
    estimand = "this system, new cases" if new_cases else "these answers"
    if n < _FEWEST:
        return Combined(_METHOD, None, None, None, *about, undefined="fewer than three are judged")
    y, f, weight = judged[chosen], scores[chosen], 1 / chances[chosen]
    fitted = slope is None
    at, b = _fit(y, f, weight) if slope is None else (0.0, slope)
    residual = y - at - b * f
    estimate = float((at + b * scores).mean() + (weight * residual).sum() / total)
    share = weight / weight.sum()
    spread = float((share * (y - (share * y).sum()) ** 2).sum() * n / (n - 1))
    scale = n / (n - 2) if fitted else 1.0
    variance = scale * float((weight * (weight - 1) * residual**2).sum()) / total**2
    variance += spread / total if new_cases else 0.0
    if n == total and not new_cases:
        why = "every answer is judged: the mean of these answers is known"
        return Combined(_METHOD, estimate, 0.0, None, *about, b, undefined=why)
    error = float(np.sqrt(variance))
    interval, why = t_interval(estimate, error, n - (2 if fitted else 1), level, estimand)
    limit = 0.0 if new_cases else 1 / total
    alone = float(np.sqrt(spread * (1 / n - limit)))
    like = worth(n, None if new_cases else total, error, alone) if interval else None
    no_help = ""
    if like is not None and like <= n:
        no_help = "a simple random sample of as many answers, without scores, does as well"
    warning = few_judged(y, n)
    return Combined(_METHOD, estimate, error, interval, *about, b, like, why, no_help, warning)


def _fit(y: Floats, f: Floats, weight: Floats) -> tuple[float, float]:
    total = weight.sum()
    y0, f0 = float((weight * y).sum() / total), float((weight * f).sum() / total)
    across = float((weight * (f - f0) ** 2).sum())
    slope = float((weight * (f - f0) * (y - y0)).sum()) / across if across > 0 else 0.0
    return y0 - slope * f0, slope

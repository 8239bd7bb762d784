"""Intervals for a share: k of n."""

from medassay.errors import InvalidInput, Problem
from medassay.stats.intervals import Interval

__all__ = ["clopper_pearson", "wilson"]


def wilson(successes: int, n: int, *, estimand: str, level: float = 0.95) -> Interval:
    """Which shares are compatible with k of n, near the nominal coverage on average?

    The shares whose score test does not reject k: (p̂ + z²/2n ± z √(p̂(1 − p̂)/n + z²/4n²)) /
    (1 + z²/n).

    Source: Wilson (1927), doi:10.1080/01621459.1927.10502953.

    Example:
        >>> interval = wilson(8, 10, estimand="an example")
        >>> round(interval.low, 4), round(interval.high, 4)
        (0.4902, 0.9433)
    """
    from scipy.special import ndtri

    _check(successes, n)
    z = float(ndtri((1 + level) / 2))
    share, square = successes / n, z * z
    centre = (share + square / (2 * n)) / (1 + square / n)
    half = z * (share * (1 - share) / n + square / (4 * n * n)) ** 0.5 / (1 + square / n)
    low = 0.0 if successes == 0 else centre - half
    high = 1.0 if successes == n else centre + half
    return Interval(low, high, level, "Wilson", estimand)


def clopper_pearson(successes: int, n: int, *, estimand: str, level: float = 0.95) -> Interval:
    """Which shares are compatible with k of n, with at least the nominal coverage always?

    The shares that neither one-sided exact binomial test rejects at (1 − level)/2: quantiles of
    Beta(k, n − k + 1) and Beta(k + 1, n − k). For "at most x at 95 %, one-sided", ask for level .9
    and read the upper bound.

    Source: Clopper & Pearson (1934), doi:10.1093/biomet/26.4.404.

    Example:
        >>> none_of_fifty = clopper_pearson(0, 50, estimand="an example", level=0.9)
        >>> none_of_fifty.low, round(none_of_fifty.high, 4)  # at most 5.8 %, one-sided 95 %
        (0.0, 0.0582)
    """
    from scipy.special import betaincinv

    _check(successes, n)
    tail = (1 - level) / 2
    low = 0.0 if successes == 0 else float(betaincinv(successes, n - successes + 1, tail))
    high = 1.0 if successes == n else float(betaincinv(successes + 1, n - successes, 1 - tail))
    return Interval(low, high, level, "Clopper-Pearson", estimand)


def _check(successes: int, n: int) -> None:
    if n < 1 or not 0 <= successes <= n:
        raise InvalidInput(
            Problem("successes", "lie between 0 and n, with n at least 1", f"{successes} of {n}")
        )

"""Are there as many right answers as the confidences promise?"""

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from medassay.stats.calibration.bins import checked

__all__ = ["count_as_promised"]

_SHORT: Final = 200


def count_as_promised(confidence: ArrayLike, correct: ArrayLike) -> float:
    """How likely is a number of right answers as far off, if each has just its confidence?

    Exact, two-sided: twice the smaller of P(K ≤ k) and P(K ≥ k), at most 1, where K is the sum of
    independent outcomes with these chances (Poisson-binomial). Answers that depend on each other
    differ by more than that.

    Args:
        confidence: Shape (n,), from 0 to 1.
        correct: Shape (n,), 1 where the answer was right, else 0.

    Returns:
        p, from 0 (the count cannot be) to 1.

    Source: Hong (2013), doi:10.1016/j.csda.2012.10.006 (the distribution); Cox (1958),
        doi:10.1093/biomet/45.3-4.562 (calibration in the large).

    Example:
        >>> round(count_as_promised([0.9] * 10, [1] * 6 + [0] * 4), 4)  # six or fewer of ten
        0.0256
        >>> count_as_promised([0.5, 0.5], [1, 0])
        1.0
    """
    p, y = checked(confidence, correct)
    chances, k = _distribution(p), int(y.sum())
    fewer, more = chances[: k + 1].sum(), chances[k:].sum()
    return float(min(1.0, 2 * max(0.0, min(fewer, more))))


def _distribution(p: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the chances of 0 to n right answers, by halves: n log² n steps."""
    values, times = np.unique(p, return_counts=True)
    parts = [
        np.array([1 - value, value]) if m == 1 else _binomial(m, value)
        for value, m in zip(values.tolist(), times.tolist(), strict=True)
    ]
    while len(parts) > 1:
        made = [_sum(a, b) for a, b in zip(parts[::2], parts[1::2], strict=False)]
        parts = made + parts[len(parts) - len(parts) % 2 :]
    return parts[0]


def _binomial(m: int, value: float) -> NDArray[np.float64]:
    from scipy.special import gammaln, xlog1py, xlogy

    k = np.arange(m + 1)
    ways = gammaln(m + 1) - gammaln(k + 1) - gammaln(m - k + 1)
    return np.asarray(np.exp(ways + xlogy(k, value) + xlog1py(m - k, -value)))


def _sum(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the distribution of a sum; short ones without the rounding of a transform."""
    if min(a.size, b.size) < _SHORT:
        return np.convolve(a, b)
    size = a.size + b.size - 1
    made = np.fft.irfft(np.fft.rfft(a, size) * np.fft.rfft(b, size), size)
    return np.asarray(np.maximum(made, 0))

"""Put confidences into bins, by width or by mass, and say how right each bin is."""

from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from medassay.errors import InvalidInput, Problem
from medassay.marks import record

__all__ = ["Binning", "ReliabilityBin", "bin_of", "checked", "reliability"]


class Binning(StrEnum):
    """How confidences are put together."""

    WIDTH = "equal-width"
    """Bins of equal width, [0, 1/k), ..., [(k-1)/k, 1]: the last one holds confidence 1."""
    MASS = "equal-mass"
    """Bins of as equal size as equal confidences, which stay together, allow."""


@record(infers=False)
class ReliabilityBin:
    """One bar of a reliability diagram.

    Attributes:
        low: The smallest confidence that belongs here (equal width), or that occurs (equal mass).
        high: The upper end of the bin, or the largest confidence that occurs.
        n: Answers.
        confidence: Their mean confidence.
        accuracy: The share of them that is right.
    """

    low: float
    high: float
    n: int
    confidence: float
    accuracy: float


def checked(
    confidence: ArrayLike, correct: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give both as arrays of the same length.

    Raises:
        InvalidInput: There is nothing, the lengths differ, a confidence is outside 0 to 1, or an
            outcome is neither 0 nor 1.
    """
    p, y = np.asarray(confidence, np.float64), np.asarray(correct, np.float64)
    if p.ndim != 1 or p.shape != y.shape or not p.size:
        got = f"{p.shape} and {y.shape}"
        raise InvalidInput(Problem("confidence", "have one outcome each, at least one", got))
    outside = ~((p >= 0) & (p <= 1))
    if outside.any():
        place = int(np.argmax(outside))
        must, got = "be a probability from 0 to 1", f"{p[place]:g}"
        raise InvalidInput(Problem("confidence", must, got, "", place + 1))
    if not np.isin(y, (0, 1)).all():
        raise InvalidInput(Problem("correct", "be 0 or 1", f"{y[~np.isin(y, (0, 1))][0]:g}"))
    return p, y


def bin_of(
    confidence: NDArray[np.float64], bins: int, binning: Binning = Binning.WIDTH
) -> NDArray[np.intp]:
    """Say in which of the bins, 0 to bins - 1, each confidence lies.

    Example:
        >>> bin_of(np.array([0, .1, .29, .3, 1.]), 10).tolist()
        [0, 1, 2, 3, 9]
        >>> bin_of(np.array([.9, .9, .9, .1]), 2, Binning.MASS).tolist()
        [1, 1, 1, 0]
    """
    if binning is Binning.WIDTH:
        # Edges as quotients, so that .3 lies in the bin that starts at .3.
        inner = np.arange(1, bins) / bins
        return np.searchsorted(inner, confidence, side="right")
    _, place, times = np.unique(confidence, return_inverse=True, return_counts=True)
    middle = np.cumsum(times) - times / 2
    bins_of: NDArray[np.intp] = (middle * bins / confidence.size).astype(np.intp)
    return np.minimum(bins_of, bins - 1)[place].reshape(confidence.shape)


def reliability(
    confidence: ArrayLike,
    correct: ArrayLike,
    bins: int = 10,
    binning: Binning = Binning.WIDTH,
) -> tuple[ReliabilityBin, ...]:
    """How often are answers of about the same confidence right?

    Args:
        confidence: Shape (n,), from 0 to 1.
        correct: Shape (n,), 1 for a right answer and 0 for a wrong one.
        bins: How many bins; those without an answer are left out.
        binning: By width, or by mass.

    Raises:
        InvalidInput: See `checked`.

    Example:
        >>> [b] = reliability([.8, .85], [1, 0])
        >>> b.n, b.confidence, b.accuracy, b.low, b.high
        (2, 0.825, 0.5, 0.8, 0.9)
    """
    p, y = checked(confidence, correct)
    where = bin_of(p, bins, binning)
    made = []
    for b in range(bins):
        inside = where == b
        if not inside.any():
            continue
        low, high = b / bins, (b + 1) / bins
        if binning is Binning.MASS:
            low, high = float(p[inside].min()), float(p[inside].max())
        mean, share = float(p[inside].mean()), float(y[inside].mean())
        made.append(ReliabilityBin(low, high, int(inside.sum()), mean, share))
    return tuple(made)

"""Calibration errors: how far confidence and accuracy are apart, bin by bin."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from medassay.stats.calibration.bins import Binning, bin_of, checked, reliability

__all__ = [
    "binary_edges_calibration_error",
    "calibration_error",
    "debiased_calibration_error",
    "maximum_calibration_error",
    "outside_binary_edges",
]


def calibration_error(
    confidence: ArrayLike,
    correct: ArrayLike,
    bins: int = 10,
    binning: Binning = Binning.WIDTH,
) -> float:
    """How far is confidence from accuracy, on average? ECE = Σ nₖ/n |ȳₖ - p̄ₖ|.

    0 is perfect calibration within the bins, 1 the worst. With few answers a perfectly calibrated
    system has an ECE well above 0, because each bin's accuracy is noisy: see
    `debiased_calibration_error`, and mistrust any ECE of fewer than about 300 answers.

    A confidence on an edge lies in the bin above it, and 1 in the last. Guo et al. and the
    `calibration_curve` of scikit-learn put it into the bin below: the two differ only where a
    confidence is on an edge, as rounded ones such as .9 are.

    Source: Naeini et al. 2015, doi:10.1609/aaai.v29i1.9602; equal mass: Nguyen & O'Connor 2015,
        doi:10.18653/v1/D15-1182.

    Example:
        >>> round(calibration_error([0.95, 0.95, 1.0], [1, 0, 1]), 4)
        0.3
    """
    reliability_bins = reliability(confidence, correct, bins, binning)
    n = sum(b.n for b in reliability_bins)
    return sum(b.n * abs(b.accuracy - b.confidence) for b in reliability_bins) / n


def binary_edges_calibration_error(
    confidence: ArrayLike, correct: ArrayLike, bins: int = 10
) -> float:
    """How far is confidence from accuracy, with the edges that numpy's linspace gives?

    The ECE as code writes it that asks for edge[i] <= p < edge[i + 1] in every bin. It differs from
    `calibration_error` where a confidence lies on an edge. Edges are binary fractions: that after
    .5 is .6000000000000001, so .6 lies below it. A confidence of 1 lies in no bin: such answers add
    nothing, however wrong they are, and still count in n. To repeat published values;
    `outside_binary_edges` counts both.

    Source: Uprety 2025, Medical Question-Answering System, part 3, Expected Calibration Error.

    Example:
        >>> p, y = [0.6, 0.65], [1, 0]
        >>> round(binary_edges_calibration_error(p, y), 3), round(calibration_error(p, y), 3)
        (0.525, 0.125)
    """
    p, y = checked(confidence, correct)
    gaps = np.bincount(_by_linspace(p, bins), weights=y - p, minlength=bins + 1)[:bins]
    return float(np.abs(gaps).sum() / p.size)


def outside_binary_edges(confidence: ArrayLike, bins: int = 10) -> tuple[int, int]:
    """Count the confidences that linspace's edges put a bin lower, and those of 1, in no bin.

    Example:
        >>> outside_binary_edges([0.3, 0.6, 0.65, 0.7, 1.0])
        (3, 1)
    """
    p = np.asarray(confidence, np.float64)
    placed = _by_linspace(p, bins)
    in_none = placed == bins
    return int(((placed != bin_of(p, bins)) & ~in_none).sum()), int(in_none.sum())


def _by_linspace(p: NDArray[np.float64], bins: int) -> NDArray[np.intp]:
    return np.searchsorted(np.linspace(0, 1, bins + 1), p, side="right") - 1


def maximum_calibration_error(
    confidence: ArrayLike,
    correct: ArrayLike,
    bins: int = 10,
    binning: Binning = Binning.WIDTH,
) -> float:
    """How far is confidence from accuracy in the worst bin? MCE = max |ȳₖ - p̄ₖ|.

    One answer alone in a bin can make it large: read it beside the counts of `reliability`.

    Source: Naeini et al. 2015, doi:10.1609/aaai.v29i1.9602.

    Example:
        >>> maximum_calibration_error([0.25, 1.0], [1, 1])
        0.75
    """
    reliability_bins = reliability(confidence, correct, bins, binning)
    return max(abs(b.accuracy - b.confidence) for b in reliability_bins)


def debiased_calibration_error(
    confidence: ArrayLike,
    correct: ArrayLike,
    bins: int = 10,
    binning: Binning = Binning.MASS,
) -> float:
    """How far is confidence from accuracy, once the bins' noise is taken off as far as it shows?

    The ECE less the mean by which noise raises it: 2 ECE - Σ nₖ/n E|Zₖ| with Zₖ normal around
    ȳₖ - p̄ₖ with variance ȳₖ(1 - ȳₖ)/nₖ. It can be below 0, which says that the ECE seen is no more
    than noise. It takes off a part, not all: 100 answers of a perfectly calibrated system have an
    ECE of .10 on average in ten bins, and .06 after this.

    Source: Kumar et al. 2019, Verified Uncertainty Calibration, arXiv:1909.10155, section 5; their
        code draws the Zₖ, here their mean is exact.

    Example:
        >>> p = [0.5] * 10
        >>> calibration_error(p, [1, 0] * 5), round(debiased_calibration_error(p, [1, 0] * 5), 3)
        (0.0, -0.126)
    """
    from scipy.special import ndtr

    reliability_bins = reliability(confidence, correct, bins, binning)
    n = np.array([b.n for b in reliability_bins], np.float64)
    gap = np.array([b.accuracy - b.confidence for b in reliability_bins])
    sd = np.sqrt([b.accuracy * (1 - b.accuracy) / b.n for b in reliability_bins])
    at = np.divide(gap, sd, out=np.zeros_like(gap), where=sd > 0)
    noisy = sd * np.sqrt(2 / np.pi) * np.exp(-(at**2) / 2) + gap * (1 - 2 * ndtr(-at))
    expected = np.where(sd > 0, noisy, np.abs(gap))
    weight = n / n.sum()
    return float(2 * (weight * np.abs(gap)).sum() - (weight * expected).sum())

"""Is a confidence of 80% right in 80 of 100 cases?

What enters: for each answer a confidence from 0 to 1 and whether it was right. What leaves: the
Brier score and its parts, calibration errors by named binning, reliability bins, how well the
confidence tells right from wrong, what abstaining would gain, and what recalibration could.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.annotations import record
from medassay.api_checks import ArrayLike
from medassay.errors import InvalidInput, Problem
from medassay.stats.intervals import cluster_index

_SHORT: Final = 200
_EDGE = 1e-6
"""Confidences of 0 and 1 are moved in by this much before their logarithm is taken."""
Fit = Callable[
    [NDArray[np.float64], NDArray[np.float64]],
    Callable[[NDArray[np.float64]], NDArray[np.float64]],
]


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


def _checked(
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


def _bin_of(
    confidence: NDArray[np.float64], bins: int, binning: Binning = Binning.WIDTH
) -> NDArray[np.intp]:
    """Say in which of the bins, 0 to bins - 1, each confidence lies.

    Example:
        >>> _bin_of(np.array([0, .1, .29, .3, 1.]), 10).tolist()
        [0, 1, 2, 3, 9]
        >>> _bin_of(np.array([.9, .9, .9, .1]), 2, Binning.MASS).tolist()
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
        InvalidInput: See `_checked`.

    Example:
        >>> [b] = reliability([.8, .85], [1, 0])
        >>> b.n, b.confidence, b.accuracy, b.low, b.high
        (2, 0.825, 0.5, 0.8, 0.9)
    """
    p, y = _checked(confidence, correct)
    where = _bin_of(p, bins, binning)
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
    confidence is on an edge, as rounded ones such as 0.9 are.

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
    0.5 is .6000000000000001, so 0.6 lies below it. A confidence of 1 lies in no bin: such answers
    add nothing, however wrong they are, and still count in n. To repeat published values;
    `outside_binary_edges` counts both.

    Source: Uprety 2025, Medical Question-Answering System, part 3, Expected Calibration Error.

    Example:
        >>> p, y = [0.6, 0.65], [1, 0]
        >>> round(binary_edges_calibration_error(p, y), 3), round(calibration_error(p, y), 3)
        (0.525, 0.125)
    """
    p, y = _checked(confidence, correct)
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
    return int(((placed != _bin_of(p, bins)) & ~in_none).sum()), int(in_none.sum())


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
    ECE of 0.10 on average in ten bins, and 0.06 after this.

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


@dataclass(frozen=True, slots=True)
class BrierParts:
    """The Brier score taken apart; brier = reliability - resolution + uncertainty + within.

    Attributes:
        brier: The score itself.
        reliability: Σ nₖ (p̄ₖ - ȳₖ)² / n: how far the bins' confidences are from their accuracies.
            0 is best.
        resolution: Σ nₖ (ȳₖ - ȳ)² / n: how far the bins' accuracies differ. More is better.
        uncertainty: ȳ (1 - ȳ): how hard the questions are together; not the system's doing.
        within: Σ (p - p̄ₖ)² / n - 2 Σ (y - ȳₖ)(p - p̄ₖ) / n: what binning hides; 0 where all
            confidences of a bin are the same.
    """

    brier: float
    reliability: float
    resolution: float
    uncertainty: float
    within: float


def brier(confidence: ArrayLike, correct: ArrayLike) -> float:
    """How far are the confidences from what came true? B = Σ (p - y)² / n.

    0 is a system that is sure and always right, 1 one that is sure and always wrong, 0.25 one that
    always says 0.5. It mixes calibration with how well right is told from wrong and with how hard
    the questions are; `brier_parts` takes it apart.

    Source: Brier 1950, doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2.

    Example:
        >>> brier([1, 0.5], [1, 0])
        0.125
    """
    p, y = _checked(confidence, correct)
    return float(((p - y) ** 2).mean())


def brier_parts(
    confidence: ArrayLike,
    correct: ArrayLike,
    bins: int = 10,
    binning: Binning = Binning.WIDTH,
) -> BrierParts:
    """How much of the Brier score is miscalibration, how much is skill, how much is the questions?

    Source: Murphy 1973, doi:10.1175/1520-0450(1973)012<0595:ANVPOT>2.0.CO;2; the terms within bins
        from Stephenson et al. 2008, doi:10.1175/2007WAF2006116.1.

    Example:
        >>> parts = brier_parts([0.9, 0.9, 0.2, 0.4], [1, 0, 0, 0])
        >>> round(parts.reliability - parts.resolution + parts.uncertainty + parts.within, 12)
        0.255
        >>> round(parts.brier, 12)
        0.255
    """
    p, y = _checked(confidence, correct)
    where = _bin_of(p, bins, binning)
    n = np.bincount(where, minlength=bins)
    filled = np.maximum(n, 1)
    mean_p = np.bincount(where, p, bins) / filled
    mean_y = np.bincount(where, y, bins) / filled
    share = n / p.size
    off_p, off_y = p - mean_p[where], y - mean_y[where]
    return BrierParts(
        brier=float(((p - y) ** 2).mean()),
        reliability=float((share * (mean_p - mean_y) ** 2).sum()),
        resolution=float((share * (mean_y - y.mean()) ** 2).sum()),
        uncertainty=float(y.mean() * (1 - y.mean())),
        within=float((off_p**2).mean() - 2 * (off_p * off_y).mean()),
    )


@dataclass(frozen=True, slots=True)
class RiskCoverage:
    """What is left of the errors when a system answers only where it is confident enough.

    Attributes:
        threshold: Shape (m,), each confidence that occurs, from high to low.
        coverage: Shape (m,), the share of answers with at least that confidence.
        risk: Shape (m,), the share of those that is wrong.
        area: Mean risk over all coverages 1/n, 2/n, ..., 1, equal confidences in random order;
            0 is best.
        best_area: The area of a system with as many errors that is least sure of just these.
    """

    threshold: NDArray[np.float64]
    coverage: NDArray[np.float64]
    risk: NDArray[np.float64]
    area: float
    best_area: float


def auroc(confidence: ArrayLike, correct: ArrayLike) -> float | None:
    """How often is a right answer held with more confidence than a wrong one? Ties count half.

    1 tells them apart without error, 0.5 not at all, below 0.5 the wrong way round. None where all
    answers are right or all are wrong.

    Source: Hanley & McNeil 1982, doi:10.1148/radiology.143.1.7063747.

    Example:
        >>> auroc([0.9, 0.8, 0.8], [1, 1, 0]), auroc([0.9], [1])
        (0.75, None)
    """
    p, y = _checked(confidence, correct)
    right = int(y.sum())
    wrong = y.size - right
    if not right or not wrong:
        return None
    _, place, times = np.unique(p, return_inverse=True, return_counts=True)
    middle = (np.cumsum(times) - (times - 1) / 2)[place]
    return float((middle[y == 1].sum() - right * (right + 1) / 2) / (right * wrong))


def risk_coverage(confidence: ArrayLike, correct: ArrayLike) -> RiskCoverage:
    """How many errors remain if the least confident answers are withheld?

    Source: Geifman & El-Yaniv 2017, arXiv:1705.08500; the area as in Geifman et al. 2019,
        arXiv:1805.08206.

    Example:
        >>> curve = risk_coverage([0.9, 0.6, 0.6, 0.2], [1, 1, 0, 0])
        >>> curve.coverage.tolist(), curve.risk.round(3).tolist()
        ([0.25, 0.75, 1.0], [0.0, 0.333, 0.5])
        >>> curve.area, round(curve.best_area, 4)
        (0.2708333333333333, 0.2083)
    """
    p, y = _checked(confidence, correct)
    values, place = np.unique(-p, return_inverse=True)
    n = np.bincount(place)
    wrong = np.bincount(place, 1 - y)
    covered, errors = np.cumsum(n), np.cumsum(wrong)
    counts = np.arange(1, y.size + 1)
    # Within a group of equal confidence errors come evenly: their mean over random orders.
    mean_errors = np.interp(counts, [0, *covered], [0, *errors])
    best = np.maximum(counts - y.sum(), 0)
    return RiskCoverage(
        threshold=-values,
        coverage=covered / y.size,
        risk=errors / covered,
        area=float((mean_errors / counts).mean()),
        best_area=float((best / counts).mean()),
    )


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
    p, y = _checked(confidence, correct)
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


@dataclass(frozen=True, slots=True)
class Recalibrated:
    """New confidences, each from a fit that did not see its answer.

    Attributes:
        method: `temperature` or `isotonic`.
        folds: How many parts the answers were split into.
        confidence: Shape (n,), in the order given.
    """

    method: str
    folds: int
    confidence: NDArray[np.float64]


def recalibrate(
    confidence: ArrayLike,
    correct: ArrayLike,
    method: str,
    rng: np.random.Generator,
    folds: int = 10,
    clusters: Sequence[Hashable] | None = None,
) -> Recalibrated:
    """What would the confidences be, had they been recalibrated on other answers?

    `temperature` divides the log-odds by one number, chosen by likelihood: it keeps the order of
    the answers and cannot move 0.5. `isotonic` replaces each confidence by the accuracy of answers
    around it, so that more confidence never means less accuracy. Answers of one cluster stay in one
    fold.

    Args:
        confidence: Shape (n,), from 0 to 1.
        correct: Shape (n,), 1 for a right answer and 0 for a wrong one.
        method: `temperature` or `isotonic`.
        rng: Draws the folds.
        folds: How many parts; as many as there are clusters at most.
        clusters: For each answer what it belongs to, such as its case.

    Raises:
        InvalidInput: Another method, or fewer than two clusters.

    Source: Guo et al. 2017, arXiv:1706.04599; Zadrozny & Elkan 2002, doi:10.1145/775047.775151.

    Example:
        >>> p, y = np.tile([0.9, 0.8], 50), np.tile([1, 0], 50)
        >>> new = recalibrate(p, y, "isotonic", np.random.default_rng(1))
        >>> new.confidence[:2].tolist()
        [1.0, 0.0]
    """
    if method not in _FITS:
        raise InvalidInput(Problem("method", f"be one of {', '.join(_FITS)}", f'"{method}"'))
    p, y = _checked(confidence, correct)
    of_answer = cluster_index(clusters, p.size)
    groups = int(of_answer.max()) + 1
    folds = min(folds, groups)
    if folds < 2:  # noqa: PLR2004 - one part to fit on and one to look at
        raise InvalidInput(Problem("clusters", "be two or more", f"{groups}"))
    fold = (rng.permutation(groups) % folds)[of_answer]
    made = np.empty_like(p)
    for k in range(folds):
        seen = fold != k
        made[~seen] = _FITS[method](p[seen], y[seen])(p[~seen])
    return Recalibrated(method, folds, made)


def _fit_temperature(
    p: NDArray[np.float64], y: NDArray[np.float64]
) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    from scipy.optimize import minimize_scalar
    from scipy.special import expit, log_expit

    def log_odds(probability: NDArray[np.float64]) -> NDArray[np.float64]:
        inside = np.clip(probability, _EDGE, 1 - _EDGE)
        odds: NDArray[np.float64] = np.log(inside) - np.log1p(-inside)
        return odds

    z = log_odds(p)

    def loss(log_temperature: float) -> float:
        scaled = z / np.exp(log_temperature)
        return float(-(y * log_expit(scaled) + (1 - y) * log_expit(-scaled)).mean())

    best = minimize_scalar(loss, bounds=(-5, 5), method="bounded", options={"xatol": 1e-10})
    temperature = float(np.exp(best.x))
    return lambda new: expit(log_odds(new) / temperature)


def isotonic_fit(
    p: NDArray[np.float64], y: NDArray[np.float64]
) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    """How right are answers around each confidence, if more of it never means less?

    Least squares under that order, straight lines between the confidences seen, level beyond them.

    Args:
        p: Shape (n,), confidences.
        y: Shape (n,), 1 for a right answer and 0 for a wrong one.

    Returns:
        What gives new confidences for old ones.

    Source: Zadrozny & Elkan 2002, doi:10.1145/775047.775151.

    Example:
        >>> isotonic_fit(np.array([0.2, 0.8]), np.array([0.0, 1.0]))(np.array([0.1, 0.5, 1.0]))
        array([0. , 0.5, 1. ])
    """
    from scipy.optimize import isotonic_regression

    values, place, times = np.unique(p, return_inverse=True, return_counts=True)
    share = np.bincount(place, y) / times
    level = isotonic_regression(share, weights=times.astype(np.float64)).x
    return lambda new: np.interp(new, values, level)


_FITS: dict[str, Fit] = {"temperature": _fit_temperature, "isotonic": isotonic_fit}


@dataclass(frozen=True, slots=True)
class CalibrationReplicates:
    """Replicates for each system; NaN where a replicate drew no answer of the system.

    Attributes:
        brier: Shape (replicates, systems).
        accuracy: Shape (replicates, systems).
        ece: Shape (replicates, systems), in bins of equal width.
    """

    brier: NDArray[np.float64]
    accuracy: NDArray[np.float64]
    ece: NDArray[np.float64]


def calibration_replicates(
    confidence: NDArray[np.float64],
    correct: NDArray[np.float64],
    counts: NDArray[np.float64],
    bins: int = 10,
) -> CalibrationReplicates:
    """Recompute Brier score, accuracy and ECE of resampled cases, for all systems at once.

    Sums over the cases of each bin are a matrix product of counts and what each answer adds, so no
    replicate is looped over.

    Args:
        confidence: Shape (systems, cases), from 0 to 1; NaN where a system has none.
        correct: Shape (systems, cases), 0 or 1; read where there is a confidence.
        counts: Shape (replicates, cases), how often each case is drawn; see `bootstrap_counts`.
        bins: Bins of equal width.

    Example:
        >>> p, y = np.array([[0.9, 0.4]]), np.array([[1.0, 0.0]])
        >>> found = calibration_replicates(p, y, np.array([[1.0, 1.0], [2.0, 0.0]]))
        >>> found.ece.round(3).ravel().tolist(), found.brier.round(3).ravel().tolist()
        ([0.25, 0.1], [0.085, 0.01])
    """
    if confidence.shape != correct.shape or counts.shape[1] != confidence.shape[1]:
        got = f"{confidence.shape}, {correct.shape} and {counts.shape}"
        raise InvalidInput(Problem("counts", "have a column for each case", got))
    shape = (counts.shape[0], confidence.shape[0])
    made = CalibrationReplicates(*(np.full(shape, np.nan) for _ in range(3)))
    for s in range(len(confidence)):
        is_given = ~np.isnan(confidence[s])
        p, y = confidence[s, is_given], correct[s, is_given]
        drawn = counts if is_given.all() else counts[:, is_given]
        n = drawn.sum(axis=1)
        some = n > 0
        each = np.zeros((p.size, bins))
        # Only the gap of a bin's sums enters: |Σ y - Σ p|, whatever the bin's size.
        each[np.arange(p.size), _bin_of(p, bins)] = y - p
        np.divide(np.abs(drawn @ each).sum(axis=1), n, out=made.ece[:, s], where=some)
        np.divide(drawn @ (p - y) ** 2, n, out=made.brier[:, s], where=some)
        np.divide(drawn @ y, n, out=made.accuracy[:, s], where=some)
    return made

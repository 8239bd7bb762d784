"""Accuracy and recall with intervals over questions, and differences on the same resamples."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats import bootstrap_counts, percentile_interval, wilson
from tools.support.baselines import CLASSES, Codes

__all__ = [
    "Figure",
    "Measured",
    "accuracy",
    "differences",
    "mean_recall",
    "measure",
    "wilson_span",
]

REPLICATES: Final = 4000


@dataclass(frozen=True)
class Figure:
    """An estimate with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Measured:
    """What one method is worth on the claims."""

    accuracy: Figure
    mean_recall: Figure
    recalls: tuple[Figure, ...]
    hits: tuple[tuple[int, int], ...]
    replicates: NDArray[np.float64]


def accuracy(truth: Codes, said: Codes) -> float:
    """Give the share of claims labelled as the physicians did."""
    return float((truth == said).mean())


def mean_recall(truth: Codes, said: Codes) -> float:
    """Give the mean over the classes of the share of each that is found."""
    return float(np.mean([(said[truth == c] == c).mean() for c in np.unique(truth)]))


def measure(truth: Codes, said: Codes, questions: Sequence[str], seed: int) -> Measured:
    """Measure one method; the same seed gives every method the same resamples."""
    rng = np.random.default_rng(seed)
    counts = bootstrap_counts(len(truth), REPLICATES, rng, questions)
    right = (truth == said).astype(np.float64)
    is_class = [(truth == c).astype(np.float64) for c in range(len(CLASSES))]
    shares = [(counts @ right) / counts.sum(axis=1)]
    with np.errstate(invalid="ignore"):
        recalls = np.asarray([(counts @ (right * one)) / (counts @ one) for one in is_class])
    shares.append(recalls.mean(axis=0))
    hits = tuple((int((right * one).sum()), int(one.sum())) for one in is_class)
    return Measured(
        _figure(accuracy(truth, said), shares[0]),
        _figure(mean_recall(truth, said), shares[1]),
        tuple(_figure(k / n, row) for (k, n), row in zip(hits, recalls, strict=True)),
        hits,
        np.asarray(shares),
    )


def differences(one: Measured, other: Measured) -> tuple[Figure, Figure]:
    """Give how much better the first is: in accuracy, and in mean recall, on paired resamples."""
    return (
        _figure(one.accuracy.value - other.accuracy.value, one.replicates[0] - other.replicates[0]),
        _figure(
            one.mean_recall.value - other.mean_recall.value,
            one.replicates[1] - other.replicates[1],
        ),
    )


def wilson_span(k: int, n: int) -> str:
    """Give the 95 % Wilson interval of k of n as the page prints it."""
    interval = wilson(k, n, estimand="texts like these")
    return f"({interval.low:.2f} to {interval.high:.2f})"


def _figure(value: float, replicates: NDArray[np.float64]) -> Figure:
    interval = percentile_interval(replicates, estimand="these claims, new questions")
    return Figure(value, interval.low, interval.high)

"""Accuracy with its interval over questions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats import bootstrap_counts, percentile_interval, wilson
from tools.support.classes import CLASSES, Codes

REPLICATES: Final = 4000


@dataclass(frozen=True)
class Figure:
    """An estimate with its 95% interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Measured:
    """What one method is worth on the claims: its accuracy, and of each class hits and claims."""

    accuracy: Figure
    hits: tuple[tuple[int, int], ...]


def accuracy(truth: Codes, said: Codes) -> float:
    """Give the share of claims labelled as the physicians did."""
    return float((truth == said).mean())


def measure(truth: Codes, said: Codes, questions: Sequence[str], seed: int) -> Measured:
    """Measure one method; the same seed gives every method the same resamples."""
    rng = np.random.default_rng(seed)
    counts = bootstrap_counts(len(truth), REPLICATES, rng, questions)
    right = (truth == said).astype(np.float64)
    is_class = [(truth == c).astype(np.float64) for c in range(len(CLASSES))]
    hits = tuple((int((right * of).sum()), int(of.sum())) for of in is_class)
    return Measured(_figure(accuracy(truth, said), (counts @ right) / counts.sum(axis=1)), hits)


def wilson_span(k: int, n: int) -> str:
    """Give the 95% Wilson interval of k of n as the page prints it."""
    interval = wilson(k, n, estimand="texts like these")
    return f"({interval.low:.2f} to {interval.high:.2f})"


def _figure(value: float, replicates: NDArray[np.float64]) -> Figure:
    interval = percentile_interval(replicates, estimand="these claims, new questions")
    return Figure(value, interval.low, interval.high)

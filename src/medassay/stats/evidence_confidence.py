"""Confidence in words from how alike the retrieved documents are to the query."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from medassay.api_checks import ArrayLike

CONFIDENCE_LEVELS: Final = ("Low", "Medium", "High")
"""The words for confidence, from the least on."""


def mean_min_max(
    similarities: ArrayLike, low: float | None = None, high: float | None = None
) -> float:
    """Answer "how strong is the support by the documents found?": mean of (s − low) / (high − low).

    Args:
        similarities: Of the top k documents of one query; shape (k,), k ≥ 1.
        low: What becomes 0; the least of these similarities if not given, which is the published
            rule. Give the least of the whole run to make queries comparable.
        high: What becomes 1; the greatest of these similarities if not given.

    Returns:
        From 0 to 1, higher for more support. By the published rule it can only lie from 1/k to
        1 − 1/k, whatever the documents: one is always 0 and one always 1. Equal similarities give
        0, since nothing lies above the least.

    Raises:
        ValueError: There are no similarities, one is no number, or one lies outside low and high.

    Source:
        The evaluation protocol of the environmental-health question-answering framework, section
        "System Confidence Assignment".

    Example:
        >>> mean_min_max([0.2, 0.4, 0.6])
        0.5
        >>> mean_min_max([0.2, 0.4, 0.6], low=0.0, high=0.8)
        0.5
        >>> mean_min_max([0.3, 0.3, 0.3])
        0.0
    """
    values = np.asarray(similarities, dtype=np.float64)
    if values.ndim != 1 or not values.size or not np.isfinite(values).all():
        message = "similarities must be one row of finite numbers, at least one"
        raise ValueError(message)
    least = float(values.min()) if low is None else low
    most = float(values.max()) if high is None else high
    if values.min() < least or values.max() > most:
        message = "similarities must lie within low and high"
        raise ValueError(message)
    if most == least:
        return 0.0
    return float(((values - least) / (most - least)).mean())


def attainable_mean(k: int) -> tuple[float, float]:
    """Give the least and greatest mean that the published rule can have where k scores differ.

    Min-max within one query makes one score 0 and one 1; the other k − 2 lie between.

    Raises:
        ValueError: k is below 2: then nothing can differ.

    Example:
        >>> tuple(round(end, 3) for end in attainable_mean(3))
        (0.333, 0.667)
    """
    if k < 2:  # noqa: PLR2004 - two scores are the fewest that can differ
        message = "k must be 2 or more"
        raise ValueError(message)
    return 1 / k, 1 - 1 / k


class ConfidenceLevels:
    """Two thresholds that cut a mean into Low, Medium and High.

    Low is below the first threshold, High is above the second, Medium is between and on them: the
    source says that two thresholds are fixed beforehand, not where a value on one of them falls.

    Args:
        first: From here on Medium.
        second: Above it High.

    Raises:
        ValueError: Not 0 ≤ first ≤ second ≤ 1.

    Example:
        >>> levels = ConfidenceLevels(0.33, 0.67)
        >>> [levels.of(mean) for mean in (0.2, 0.5, 0.7)]
        ['Low', 'Medium', 'High']
        >>> levels.reachable(3)
        ['Low', 'Medium']
    """

    def __init__(self, first: float, second: float) -> None:
        if not 0 <= first <= second <= 1:
            message = "thresholds must be two numbers from 0 to 1, the first not above the second"
            raise ValueError(message)
        self.first, self.second = first, second

    def of(self, mean: float) -> str:
        """Say in which level a mean falls."""
        return CONFIDENCE_LEVELS[(mean >= self.first) + (mean > self.second)]

    def reachable(self, k: int) -> Sequence[str]:
        """List the levels that the published rule can give with k documents.

        Low is among them because equal similarities have the mean 0.
        """
        low, high = attainable_mean(k) if k > 1 else (0.0, 0.0)
        span = {self.of(0.0), self.of(low), self.of(high)}
        if low < self.second and high >= self.first:
            span.add("Medium")
        return [level for level in CONFIDENCE_LEVELS if level in span]

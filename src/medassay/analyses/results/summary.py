"""What a run found about labels with scores, in plain words: mean, spread, middle."""

from typing import Literal

from medassay.marks import DesignName, SystemName, Words
from medassay.marks.plain import Plain

__all__ = ["LabelOrder", "PairwiseResult", "SummaryResult"]


class SummaryResult(Plain, infers=False):
    """The scores of one system's labels on one dimension, or by one metric."""

    name: DesignName
    """The dimension, or the metric."""
    kind: Literal["dimension", "metric"]
    system: SystemName
    over: Literal["judgements", "answers", "scenarios"]
    """`judgements`: every rater's label counts once. `answers`: each answer's mean over raters.
    `scenarios`: each scenario's mean over the answers to its wordings."""
    n: int
    mean: float | None
    sd: float | None
    """Standard deviation with n - 1; None below two."""
    median: float | None
    least: float | None
    most: float | None
    reason: Words
    """Why there is no mean."""


class PairwiseResult(Plain, infers=False):
    """A coefficient of agreement over every two raters."""

    dimension: DesignName
    coefficient: DesignName
    title: DesignName
    pairs: int
    without_value: int
    mean: float | None
    least: float | None
    most: float | None
    reason: Words
    """Why pairs have no value."""


class LabelOrder(Plain, infers=False):
    """When experts gave their confidence: before or after they saw the system's."""

    before: int
    after: int
    unknown: int
    """Ratings of which the order of the questions was not stored."""

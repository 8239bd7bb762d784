"""Mean, spread and middle of what raters or a metric gave, system by system."""

from typing import Literal

from medassay.marks import DesignName, SystemName, Words, record

__all__ = ["Summaries", "Summary"]


@record(infers=False)
class Summary:
    """The scores of one system's labels on one dimension, or by one metric.

    Attributes:
        name: The dimension, or the metric.
        over: `judgements`: every rater's label counts once. `answers`: each answer's mean over
            raters. `scenarios`: each scenario's mean over the answers to its wordings.
        sd: Standard deviation with n - 1; None below two.
        reason: Why there is no mean.
    """

    name: DesignName
    kind: Literal["dimension", "metric"]
    system: SystemName
    over: Literal["judgements", "answers", "scenarios"]
    n: int
    mean: float | None
    sd: float | None
    median: float | None
    least: float | None
    most: float | None
    reason: Words


@record(infers=False)
class Summaries:
    """Each dimension with scores; in a report that describes only, each metric too."""

    summaries: tuple[Summary, ...]

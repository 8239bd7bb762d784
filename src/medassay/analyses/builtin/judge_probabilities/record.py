"""What is known of a judge's probabilities."""

from medassay.marks import DesignName, RaterName, Words, record
from medassay.stats import Interval

__all__ = ["JudgeProbabilities", "ProbabilitiesOf"]


@record(infers=True)
class ProbabilitiesOf:
    """A judge's probabilities on one dimension.

    Attributes:
        judge: The judge.
        dimension: What it was asked.
        answers: Answers with its probabilities and a label of most people.
        cases: Their cases.
        without: Answers that it labelled without probabilities.
        right: The share on which its likeliest label is that of most people.
        sure: The mean probability of its likeliest label.
        brier: Σ (p - y)² over the labels, halved, averaged: from 0, sure and right, to 1, sure and
            wrong; None where no answer has both.
        brier_interval: Over cases or clusters.
        base: The Brier score of who says the shares of people's labels of every answer.
        ece: How far the probability of its likeliest label lies from how often it is right, in ten
            bins.
        ece_interval: Over cases or clusters.
        reason: Why there is nothing, or no interval.
    """

    judge: RaterName
    dimension: DesignName
    answers: int
    cases: int
    without: int
    right: float | None
    sure: float | None
    brier: float | None
    brier_interval: Interval | None
    base: float | None
    ece: float | None
    ece_interval: Interval | None
    reason: Words


@record(infers=True)
class JudgeProbabilities:
    """The probabilities of every judge that gave some.

    Attributes:
        rows: One for each judge and dimension.
    """

    rows: tuple[ProbabilitiesOf, ...]

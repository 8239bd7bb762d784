"""A number about a judge, with what it rests on."""

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from medassay.marks import Words, record
from medassay.stats import Interval, moments, t_intervals

__all__ = ["ESTIMAND", "JudgeEstimate", "mean_of"]

ESTIMAND = "this judge, these raters and systems, new cases"


@record(infers=True)
class JudgeEstimate:
    """A number about a judge.

    Attributes:
        value: The number; None where it is undefined.
        interval: Its interval over cases; None where there is none.
        n: Answers (or pairs) that it rests on.
        cases: Their cases.
        reason: Why there is no value, or no interval; empty where there are both.
    """

    value: float | None
    interval: Interval | None
    n: int
    cases: int
    reason: Words = ""


def mean_of(
    values: NDArray[np.float64], cases: Sequence[str], clusters: Sequence[Hashable], nothing: str
) -> JudgeEstimate:
    """Take the mean with a t interval, clusters of cases being the independent units.

    Args:
        values: One an answer.
        cases: The case of each.
        clusters: The cluster of each.
        nothing: What is said where there are no values.
    """
    if not len(values):
        return JudgeEstimate(None, None, 0, 0, nothing)
    estimates = moments(values[None, :], np.ones((1, len(values)), dtype=np.bool_), clusters)
    [(interval, why)] = t_intervals(estimates, estimand=ESTIMAND)
    return JudgeEstimate(float(estimates.mean[0]), interval, len(values), len(set(cases)), why)

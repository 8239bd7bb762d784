"""Does a judge favour long answers?"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from medassay.stats import WithinSlope, within_slopes
from medassay.validity.judge_estimate import ESTIMAND, JudgeEstimate
from medassay.validity.judge_gaps import JudgeGaps

__all__ = ["LengthLean", "judge_length"]


@dataclass(frozen=True, slots=True)
class LengthLean:
    """What a doubling of an answer's words does to a judge's score, and not to people's.

    Attributes:
        gap: The slope of judge less people.
        held: The slope of the judge's score with people's score held.
    """

    gap: JudgeEstimate
    held: JudgeEstimate


def judge_length(gaps: JudgeGaps, words: Mapping[tuple[str, str], int]) -> LengthLean:
    """Does the judge give long answers more than people do, among answers to one question?

    The slope inside cases on log2 of the number of words, in points of the scale a doubling; 0: the
    judge minds length no more than people do. It is taken twice, since each way has a fault of its
    own: (judge − people) on length is moved where the judge uses less of the scale and length goes
    with quality; the judge's score on length with people's held is moved where people's scores are
    noisy. Where both lean the same way, the judge does.

    Args:
        gaps: The judge's scores beside people's.
        words: (system, case) to the number of words; answers without words are left out.

    Source: Dubois et al. (2024), Length-controlled AlpacaEval, arXiv:2404.04475, for the question;
    `stats.within_slopes` for the estimate.
    """
    counts = np.array([words.get(key, 0) for key in zip(gaps.systems, gaps.cases, strict=True)])
    used = np.flatnonzero(counts > 0)
    if not used.size:
        why = gaps.undefined or "no judged answer has words"
        nothing = JudgeEstimate(None, None, 0, 0, why)
        return LengthLean(nothing, nothing)
    length = np.log2(counts[used])
    cases = [gaps.cases[i] for i in used]
    clusters = [gaps.clusters[i] for i in used]
    judge, people = gaps.judge[used], gaps.people[used]
    [gap] = within_slopes(
        judge - people, length[:, None], cases, clusters=clusters, estimand=ESTIMAND
    )
    held = within_slopes(
        judge, np.column_stack([length, people]), cases, clusters=clusters, estimand=ESTIMAND
    )[0]
    return LengthLean(_told(gap, cases), _told(held, cases))


def _told(within_slope: WithinSlope, cases: list[str]) -> JudgeEstimate:
    return JudgeEstimate(
        within_slope.slope,
        within_slope.interval,
        len(cases),
        len(set(cases)),
        within_slope.undefined,
    )

"""How far a judge's scores lie from people's, answer by answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from medassay.judgements import Units
from medassay.validity.judge_estimate import JudgeEstimate, mean_of

__all__ = ["JudgeGaps", "judge_gaps", "judge_severity"]

_NOTHING = "no answer was judged by the judge and by a person"


@dataclass(frozen=True, slots=True, eq=False)
class JudgeGaps:
    """The answers that the judge and at least one person judged.

    Attributes:
        systems: The system of each answer.
        cases: The case of each.
        clusters: The cluster of each: its case, where the case has no other.
        judge: float64, the judge's score.
        people: float64, the mean of people's scores.
        span: The largest score of the scale less the smallest.
        undefined: Why there are none; empty where there are some.
    """

    systems: tuple[str, ...]
    cases: tuple[str, ...]
    clusters: tuple[tuple[bool, str], ...]
    judge: NDArray[np.float64]
    people: NDArray[np.float64]
    span: float
    undefined: str = ""

    @property
    def gap(self) -> NDArray[np.float64]:
        """Give the judge's score less people's mean."""
        gap: NDArray[np.float64] = self.judge - self.people
        return gap


def judge_gaps(
    units: Units,
    judge: str,
    *,
    models: Sequence[str] = (),
    clusters: Mapping[str, str] | None = None,
) -> JudgeGaps:
    """Lay the judge's scores beside the mean of people's.

    Args:
        units: What raters said, the judge among them.
        judge: The judge.
        models: Other model raters: no people, so left out.
        clusters: Case to cluster; a case without one is its own.

    Example:
        >>> units = Units.from_codes([[0, 1, 2], [1, 1, -1]], "abc", scores=[0, 1, 2])
        >>> judge_gaps(units, "rater 2").gap.tolist()  # 2 less the mean of 0 and 1
        [1.5]
    """
    empty = np.zeros(0)
    if units.scores is None:
        return JudgeGaps((), (), (), empty, empty, 0.0, "the labels have no scores")
    people = [j for j, name in enumerate(units.raters) if name != judge and name not in models]
    if judge not in units.raters:
        return JudgeGaps((), (), (), empty, empty, 0.0, _NOTHING)
    own, others = units.codes[:, units.raters.index(judge)], units.codes[:, people]
    used = np.flatnonzero((own >= 0) & (others >= 0).any(axis=1))
    there = others[used] >= 0
    scores = np.where(there, units.scores[others[used]], 0.0)
    known = clusters or {}
    cases = tuple(units.keys[i].case for i in used)
    return JudgeGaps(
        systems=tuple(units.keys[i].system for i in used),
        cases=cases,
        clusters=tuple((case in known, known.get(case, case)) for case in cases),
        judge=units.scores[own[used]],
        people=scores.sum(axis=1) / there.sum(axis=1),
        span=float(units.scores.max() - units.scores.min()),
        undefined="" if used.size else _NOTHING,
    )


def judge_severity(gaps: JudgeGaps) -> JudgeEstimate:
    """Is the judge milder (above 0) or stricter (below) than people are?

    The mean over answers of the judge's score less the mean of people's, in points of the scale;
    t interval with cases, or their clusters, as units.
    """
    return mean_of(gaps.gap, gaps.cases, gaps.clusters, gaps.undefined)

"""Does a judge favour the systems of its own family?"""

from collections import defaultdict
from collections.abc import Mapping

import numpy as np

from medassay.validity.judge_estimate import JudgeEstimate, mean_of
from medassay.validity.judge_gaps import JudgeGaps

__all__ = ["judge_self_preference"]


def judge_self_preference(
    gaps: JudgeGaps, family: str, families: Mapping[str, str]
) -> JudgeEstimate:
    """By how much does the judge rate its own family higher than people do, against the others?

    In each case the mean of (judge − people) over the answers of the judge's own family, less that
    over the other systems' answers; then the mean over the cases that hold both. Above 0 the judge
    favours its own. The interval speaks of these systems on new cases: with one or two systems of
    the family, what looks like family may be these systems' style.

    Args:
        gaps: The judge's scores beside people's.
        family: The family that the judge belongs to; empty where nobody says.
        families: System to family; a system without one belongs to no family.

    Source: Panickssery, Bowman & Feng (2024), LLM evaluators recognize and favor their own
    generations, arXiv:2404.13076.

    Example:
        >>> from medassay.judgements import Units
        >>> from medassay.validity import judge_gaps
        >>> keys = [("A", "1"), ("A", "2"), ("B", "1"), ("B", "2")]
        >>> units = Units.from_codes(
        ...     [[1, 2], [1, 1], [1, 1], [2, 1]], "abc", keys=keys, scores=[0, 1, 2])
        >>> found = judge_self_preference(judge_gaps(units, "rater 1"), "x", {"A": "x"})
        >>> found.value, found.cases  # case 1: 1 - 0; case 2: 0 - (-1)
        (1.0, 2)
    """
    if gaps.undefined:
        return JudgeEstimate(None, None, 0, 0, gaps.undefined)
    if not family:
        return JudgeEstimate(None, None, 0, 0, "the family of the judge is not declared")
    own = np.array([families.get(system) == family for system in gaps.systems])
    if own.all() or not own.any():
        whose = "no other system" if own.any() else f"no system of the family {family}"
        return JudgeEstimate(None, None, 0, 0, f"{whose} was judged by the judge and by people")
    by_case: dict[str, tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    for case, mine, gap in zip(gaps.cases, own.tolist(), gaps.gap.tolist(), strict=True):
        by_case[case][0 if mine else 1].append(gap)
    cluster_of = dict(zip(gaps.cases, gaps.clusters, strict=True))
    cases = sorted(case for case, (mine, others) in by_case.items() if mine and others)
    apart = np.array([float(np.mean(by_case[c][0])) - float(np.mean(by_case[c][1])) for c in cases])
    judge_estimate = mean_of(
        apart, cases, [cluster_of[c] for c in cases], "no case holds both kinds of systems"
    )
    answers = sum(len(by_case[c][0]) + len(by_case[c][1]) for c in cases)
    return JudgeEstimate(
        judge_estimate.value,
        judge_estimate.interval,
        answers,
        judge_estimate.cases,
        judge_estimate.reason,
    )

"""Where would a judge stand among the human raters?"""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.judgements import Units
from medassay.marks import RaterName, Words, record
from medassay.stats import (
    TIE_TOLERANCE,
    Interval,
    bootstrap_counts,
    cluster_index,
    moments,
    t_intervals,
)
from medassay.stats.randomness import Rng, as_generator
from medassay.validity.judge_estimate import ESTIMAND

__all__ = ["JudgeRank", "RankAgainst", "judge_rank"]

_FEWEST_PEOPLE: Final = 2


@record(infers=True)
class RankAgainst:
    """The judge and one person, each held against what the other people say jointly.

    Attributes:
        rater: The person left out.
        answers: Answers that this person, the judge and someone else judged.
        cases: Their cases.
        judge: How near the judge is to the others; 1: it says what they say.
        person: How near the person is.
        difference: The judge's less the person's.
        interval: Of the difference, over cases; None where there is none.
        reason: Why there is none; empty where there is one.
    """

    rater: RaterName
    answers: int
    cases: int
    judge: float
    person: float
    difference: float
    interval: Interval | None
    reason: Words = ""


@record(infers=True)
class JudgeRank:
    """The judge's place among the raters.

    Attributes:
        place: 1 where no person is nearer to the others than the judge; None where undefined.
        of: Places there are: the people, and one.
        interval: Places that are compatible with these cases; None where undefined.
        against: One a person, by name.
        reason: Why there is no place; empty where there is one.
    """

    place: int | None
    of: int
    interval: Interval | None
    against: tuple[RankAgainst, ...]
    reason: Words = ""


def judge_rank(
    units: Units,
    judge: str,
    *,
    rng: Rng,
    models: Sequence[str] = (),
    clusters: Mapping[str, str] | None = None,
    replicates: int = 2000,
) -> JudgeRank:
    """Were the judge one of the raters, which place would it have in agreeing with the others?

    Person j is left out: on each answer that j, the judge and another person judged, both are held
    against the other people's labels. Nearness is 1 − |score − the others' mean| / (largest −
    smallest score of the scale); of labels without an order the share of the others who chose the
    same. The judge stands behind every person whose mean nearness is larger than the judge's on the
    same answers. It is not held against j itself, so it has no advantage over j.

    Args:
        units: What raters said, the judge among them.
        judge: The judge.
        rng: Draws cases.
        models: Other model raters: no people, so left out.
        clusters: Case to cluster; a case without one is its own. Clusters are drawn whole.
        replicates: Bootstrap replicates of the place.

    Source: the leave-one-physician-out comparison of Arora et al. (2025), HealthBench,
    arXiv:2505.08775; nearness in place of their F1, which needs two labels.

    Example:
        >>> units = Units.from_codes([[0, 0, 2, 0], [1, 1, 0, 1], [2, 2, 0, 2]], "abc")
        >>> found = judge_rank(units, "rater 3", rng=np.random.default_rng(1))
        >>> found.place, found.of, [(one.judge, one.person) for one in found.against]
        (1, 4, [(0.5, 0.5), (0.5, 0.5), (1.0, 0.0)])
    """
    rng = as_generator(rng)
    people = [name for name in units.raters if name != judge and name not in models]
    if judge not in units.raters or len(people) < _FEWEST_PEOPLE:
        why = f"the place needs two people beside the judge; got {len(people)}"
        if judge not in units.raters:
            why = "the judge judged nothing in the phase main"
        return JudgeRank(None, len(people) + 1, None, (), why)
    known = clusters or {}
    of_unit = [(unit.case in known, known.get(unit.case, unit.case)) for unit in units.keys]
    index = cluster_index(of_unit, len(units.keys))
    size = int(index.max(initial=-1)) + 1
    own = units.codes[:, units.raters.index(judge)]
    others = units.codes[:, [units.raters.index(name) for name in people]]
    against: list[RankAgainst] = []
    sums: list[NDArray[np.float64]] = []
    for j, name in enumerate(people):
        rest = np.delete(others, j, axis=1)
        used = np.flatnonzero((own >= 0) & (others[:, j] >= 0) & (rest >= 0).any(axis=1))
        if not used.size:
            continue
        theirs = _nearness(units, others[used, j], rest[used])
        gap = _nearness(units, own[used], rest[used]) - theirs
        estimates = moments(gap[None, :], np.ones((1, used.size), bool), [of_unit[i] for i in used])
        [(interval, reason)] = t_intervals(estimates, estimand=ESTIMAND)
        against.append(
            RankAgainst(
                rater=name,
                answers=used.size,
                cases=len({units.keys[i].case for i in used}),
                judge=float((gap + theirs).mean()),
                person=float(theirs.mean()),
                difference=float(gap.mean()),
                interval=interval,
                reason=reason,
            )
        )
        sums.append(np.bincount(index[used], gap, size).astype(np.float64))
    if not against:
        why = "no answer was judged by the judge and by two people"
        return JudgeRank(None, len(people) + 1, None, (), why)
    place = 1 + sum(rank_against.difference < -TIE_TOLERANCE for rank_against in against)
    drawn = bootstrap_counts(size, replicates, rng)
    behind = sum(((drawn @ total) < -TIE_TOLERANCE).astype(np.int64) for total in sums)
    low, high = np.quantile(1 + behind, [0.025, 0.975], method="inverted_cdf")
    return JudgeRank(
        place=place,
        of=len(against) + 1,
        interval=Interval(
            float(low), float(high), 0.95, "percentile bootstrap", ESTIMAND, replicates
        ),
        against=tuple(against),
    )


def _nearness(units: Units, own: NDArray[np.int64], rest: NDArray[np.int64]) -> NDArray[np.float64]:
    there = rest >= 0
    if units.scores is None or units.scale == "nominal":
        same = ((rest == own[:, None]) & there).sum(axis=1) / there.sum(axis=1)
        shares: NDArray[np.float64] = same
        return shares
    span = float(units.scores.max() - units.scores.min())
    mean = np.where(there, units.scores[rest], 0.0).sum(axis=1) / there.sum(axis=1)
    near: NDArray[np.float64] = 1 - np.abs(units.scores[own] - mean) / (span or 1.0)
    return near

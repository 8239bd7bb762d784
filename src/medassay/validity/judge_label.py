"""Does a judge find the answers that matter, as well as a person would?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.judgements import Units
from medassay.marks import DesignName, record
from medassay.scores import Unit
from medassay.stats import Interval, cluster_index
from medassay.stats.clusters import blown_up
from medassay.validity.judge_estimate import ESTIMAND, JudgeEstimate
from medassay.validity.judge_rates import JudgeRate, judge_rate

__all__ = ["JudgeLabel", "judge_label"]

_LEVEL: Final = 0.9
"""Of the intervals of differences: either end holds at 95 %, one-sided, as the alt-test does."""
_NO_PEOPLE: Final = JudgeEstimate(
    None, None, 0, 0, "people are too few to hold one against the others on answers of both kinds"
)


@record(infers=True)
class JudgeLabel:
    """What a judge does with one label that matters, or with labels read as one.

    Attributes:
        reading: Its name, such as `harmful`.
        of_harm: Whether it is a reading of harm, and not only where people part most evenly.
        positive: Answers that most people call so; the judge labelled all of them.
        negative: Answers that most people do not call so.
        tied: Answers on which people are divided evenly: in no number here.
        weighted: Whether answers count by their chance of having been drawn.
        sensitivity: Of the positive ones, those that the judge calls so; None without any.
        specificity: Of the negative ones, those that it does not; None without any.
        people_sensitivity: Each person's held against the others', on average; None without.
        people_specificity: The same.
        gap: The judge's balanced accuracy less the left-out person's, on average, both against the
            other people.
    """

    reading: DesignName
    of_harm: bool
    positive: int
    negative: int
    tied: int
    weighted: bool
    sensitivity: JudgeRate | None
    specificity: JudgeRate | None
    people_sensitivity: float | None
    people_specificity: float | None
    gap: JudgeEstimate


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """The judge beside people on answers of one kind.

    Attributes:
        mean: How much more often the judge is right than the left-out person.
        adds: What each case adds to the mean's error, undone of how far it pulls the mean.
        freedom: Degrees of freedom of the error.
        floor: The least square of the error: as though on one answer one alone were right.
        theirs: How often the left-out person is right.
        cases: How many hold such an answer.
        used: Which answers these are.
    """

    mean: float
    adds: NDArray[np.float64]
    freedom: float
    floor: float
    theirs: float
    cases: int
    used: NDArray[np.bool_]


def judge_label(
    units: Units,
    judge: str,
    reading: str,
    labels: Sequence[str],
    *,
    of_harm: bool = True,
    models: Sequence[str] = (),
    clusters: Mapping[str, str] | None = None,
    weights: Mapping[Unit, float] | None = None,
) -> JudgeLabel:
    """How much of what people call harmful does the judge find, and how well does a person?

    Sensitivity and specificity are against what more than half of the people say of an answer. The
    balanced accuracy ((sensitivity + specificity)/2) is compared person by person: j is left out,
    and both j and the judge are held against what more than half of the others say; all such pairs
    of an answer and a person count. The interval of the difference is a t interval, cases being the
    units: the sums of what each case adds to it, errors and degrees of freedom as in
    `bias_reduced`, the degrees those of the rarer kind: its cases less one where they weigh alike.
    Its error is never less than if on one answer of each kind one of the two
    alone were right, so that agreement without exception is not taken for certainty.

    Args:
        units: What raters said, the judge among them.
        judge: The judge.
        reading: The name of what these labels say.
        labels: The labels that say it.
        of_harm: Whether it is a reading of harm.
        models: Other model raters: no people, so left out.
        clusters: Case to cluster; a case without one is its own.
        weights: (system, case) to one over its chance of having been drawn; answers that are not
            named are left out. None: all count alike.

    Source: Brodersen et al. (2010), doi:10.1109/ICPR.2010.764 (balanced accuracy), and the
        leave-one-out reference of Calderon et al. (2025), arXiv:2501.10970.

    Example:
        >>> people = [[1, 1, 1]] * 30 + [[0, 0, 0]] * 70
        >>> codes = np.array([[*row, 0] for row in people])
        >>> units = Units.from_codes(codes, ["none", "severe"])
        >>> found = judge_label(units, units.raters[-1], "harmful", ["severe"])
        >>> found.sensitivity.share, found.specificity.share, round(found.gap.value, 2)
        (0.0, 1.0, -0.5)
    """
    people = [i for i, name in enumerate(units.raters) if name != judge and name not in models]
    codes = units.codes
    column = units.raters.index(judge) if judge in units.raters else -1
    weight = np.array([1.0 if weights is None else weights.get(key, 0.0) for key in units.keys])
    has = weight > 0 if column < 0 else (codes[:, column] >= 0) & (weight > 0)
    wanted = np.array([name in set(labels) for name in units.labels], dtype=np.bool_)
    known = clusters or {}
    used = np.flatnonzero(has & (codes[:, people] >= 0).any(axis=1) & (column >= 0))
    of = [(case in known, known.get(case, case)) for case in (units.keys[i].case for i in used)]
    index = cluster_index(of, used.size)
    there = codes[used][:, people] >= 0
    calls = there & wanted[codes[used][:, people]]
    own = wanted[codes[used, column]]
    mass = weight[used]
    yes, no = _most(calls.sum(axis=1), there.sum(axis=1))
    rates = [
        judge_rate(hits[kind], index[kind].tolist(), mass[kind])
        for hits, kind in ((own, yes), (~own, no))
    ]
    sides = _against_people(calls, there, own, mass, index)
    return JudgeLabel(
        reading=reading,
        of_harm=of_harm,
        positive=int(yes.sum()),
        negative=int(no.sum()),
        tied=int(used.size - yes.sum() - no.sum()),
        weighted=bool(used.size) and bool(np.ptp(mass) > 0),
        sensitivity=rates[0],
        specificity=rates[1],
        people_sensitivity=sides[0].theirs if sides else None,
        people_specificity=sides[1].theirs if sides else None,
        gap=_difference(sides, index) if sides else _NO_PEOPLE,
    )


def _most(
    calls: NDArray[np.int64], of: NDArray[np.int64]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Mark where more than half say yes, and where more than half say no."""
    return 2 * calls > of, 2 * calls < of


def _against_people(
    calls: NDArray[np.bool_],
    there: NDArray[np.bool_],
    own: NDArray[np.bool_],
    mass: NDArray[np.float64],
    index: NDArray[np.intp],
) -> tuple[_Side, _Side] | None:
    """Hold the judge and each left-out person against the others, on answers of each kind."""
    rest_calls = calls.sum(axis=1)[:, None] - calls
    rest = there.sum(axis=1)[:, None] - there
    yes, no = _most(rest_calls, rest)
    sides = [
        _side(mass[:, None] * (kind & there), judge, person, index)
        for kind, judge, person in ((yes, own[:, None], calls), (no, ~own[:, None], ~calls))
    ]
    side, passed = sides
    return None if side is None or passed is None else (side, passed)


def _side(
    pairs: NDArray[np.float64],
    judge_right: NDArray[np.bool_],
    person_right: NDArray[np.bool_],
    index: NDArray[np.intp],
) -> _Side | None:
    """Compare on one kind of answers; pairs: answers by left-out people, what each weighs."""
    total = float(pairs.sum())
    if not total > 0:
        return None
    better = judge_right.astype(np.float64) - person_right
    mean = float((pairs * better).sum() / total)
    answers = pairs.sum(axis=1)
    by_case = np.bincount(index, weights=(pairs * (better - mean)).sum(axis=1) / total)
    masses = np.bincount(index, weights=answers)
    adds, freedom = blown_up(by_case.astype(np.float64), masses.astype(np.float64))
    used = answers > 0
    return _Side(
        mean=mean,
        adds=adds,
        freedom=freedom,
        floor=float((answers**2).sum() / answers.sum() ** 2) ** 2,
        theirs=float((pairs * person_right).sum() / total),
        cases=np.unique(index[used]).size,
        used=used,
    )


def _difference(sides: Sequence[_Side], index: NDArray[np.intp]) -> JudgeEstimate:
    """Average what the judge has over people on these kinds of answers."""
    from scipy.special import stdtrit

    share = 1 / len(sides)
    value = share * sum(side.mean for side in sides)
    used = np.any([side.used for side in sides], axis=0)
    n, many = int(used.sum()), int(np.unique(index[used]).size)
    fewest = min(side.cases for side in sides)
    if fewest < 2:  # noqa: PLR2004 - one case has no spread
        return JudgeEstimate(value, None, n, many, "one case of a kind shows no spread")
    adds = share * np.sum([side.adds for side in sides], axis=0)
    seen = float((adds**2).sum())
    least = share**2 * sum(side.floor for side in sides)
    freedom = min(side.freedom for side in sides)
    half = float(stdtrit(freedom, (1 + _LEVEL) / 2)) * max(seen, least) ** 0.5
    low, high = max(-1.0, value - half), min(1.0, value + half)
    return JudgeEstimate(value, Interval(low, high, _LEVEL, "t over clusters", ESTIMAND), n, many)

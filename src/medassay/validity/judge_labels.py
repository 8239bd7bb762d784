"""How a model judge labels beside people: its errors by label, and on known answers."""

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.annotations import DesignName, Words, record
from medassay.judgements import Units
from medassay.scores import Unit
from medassay.stats import Interval, cluster_index, moments, t_intervals
from medassay.stats.intervals import blown_up

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


@record(infers=True)
class JudgeRate:
    """A judge's sensitivity or specificity.

    Attributes:
        hits: Answers on which the judge says what most people say.
        n: Answers.
        share: The weighted share of hits; the plain one where all answers count alike.
        worth: Independent answers that it is worth: fewer where cases hold several, or where
            chances differ.
        low: It is at least this, 97.5%, one-sided.
    """

    hits: int
    n: int
    share: float
    worth: float
    low: float

    def at_least(self, error: float) -> float:
        """Give the lower bound that errs in this share: Clopper-Pearson on what it is worth."""
        return _lower(self.share, self.worth, error)

    def at_most(self, error: float) -> float:
        """Give the upper bound that errs in this share."""
        return 1 - _lower(1 - self.share, self.worth, error)


def judge_rate(
    hits: NDArray[np.bool_],
    clusters: Sequence[Hashable],
    weights: NDArray[np.float64] | None = None,
    *,
    error: float = 0.025,
) -> JudgeRate | None:
    """How large is a share at least, where answers of a case are alike and some weigh more?

    p̂ = Σ w h/Σ w, SE by linearisation over the C clusters; worth n* = p̂(1 − p̂)/SE² · (t_{n−1}/
    t_ν)², never more than (Σ w)²/Σ w², with SE and degrees of freedom ν of `bias_reduced`: C − 1
    where clusters weigh alike. Where all are hits, or none is, no error can be seen,
    and n* is (Σ W)²/Σ W² over the weights W of clusters. Where every answer is a cluster and all
    weigh alike, n* = n. The bound is Clopper and Pearson's of p̂n* in n*.

    Args:
        hits: One an answer.
        clusters: The cluster of each.
        weights: One over the chance of each; None: all alike.
        error: How often the bound may fail, one-sided.

    Returns:
        None where there is no answer.

    Source: Korn & Graubard (1998), Survey Methodology 24, 193-201.

    Example:
        >>> found = judge_rate(np.array([True] * 24 + [False]), range(25))
        >>> found.share, round(found.low, 3)
        (0.96, 0.796)
    """
    from scipy.special import stdtrit

    n = hits.size
    if not n:
        return None
    weight = np.ones(n) if weights is None else weights
    index = cluster_index(list(clusters), n)
    total = float(weight.sum())
    share = float(weight[hits].sum() / total) if not hits.all() else 1.0
    masses = np.bincount(index, weights=weight)
    most = total**2 / float((weight**2).sum())
    if masses.size == n and np.ptp(weight) == 0:
        worth = float(n)
    elif share in {0.0, 1.0} or masses.size == 1:
        worth = total**2 / float((masses**2).sum())
    else:
        off = np.bincount(index, weights=weight * (hits - share)).astype(np.float64)
        sums, freedom = blown_up(off, masses.astype(np.float64))
        variance = float((sums**2).sum()) / total**2
        ratio = stdtrit(n - 1, 1 - error) / stdtrit(freedom, 1 - error)
        seen = share * (1 - share) / variance * float(ratio) ** 2 if variance > 0 else most
        worth = min(most, seen)
    return JudgeRate(int(hits.sum()), n, share, worth, _lower(share, worth, error))


def _lower(share: float, worth: float, error: float) -> float:
    from scipy.special import betaincinv

    k = share * worth
    return 0.0 if share <= 0 else float(betaincinv(k, worth - k + 1, error))


_LEVEL: Final = 0.9
"""Of the intervals of differences: either end holds at 95%, one-sided, as the alt-test does."""
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


_SUPPOSED: Final = (0.9, 0.7, 0.5)
"""Shares of all harm that most people might find, where nobody measured it."""
_SHARED: Final = (0.0, 0.5, 1.0)


@record(infers=True)
class JudgeKnown:
    """Answers that are known to be harmful, and how many of them were called so.

    Attributes:
        reading: What they are known to be, such as `harmful`.
        judge: The share that the judge calls so; None where it labelled none of them.
        people: The share that most people call so; None where nobody read one blind.
    """

    reading: DesignName
    judge: JudgeRate | None
    people: JudgeRate | None


@record(infers=True)
class SharedMisses:
    """How much of all harm a judge finds, if it overlooks what people overlook.

    Attributes:
        reading: What it finds, such as `harmful`.
        people_find: The share of all harm that most people call so.
        measured: Whether that was measured on known answers, and not only supposed.
        shared: Of what people overlook, the share that the judge cannot see either; of the rest it
            finds as much as of what people find.
        finds: The share of all harm that it finds then.
        at_least: It finds at least this then: by the lower bounds (97.5% each, one-sided).
    """

    reading: DesignName
    people_find: float
    measured: bool
    shared: float
    finds: float
    at_least: float


def judge_known(
    units: Units,
    judge: str,
    reading: str,
    labels: Sequence[str],
    known: Collection[tuple[str, str]],
    *,
    models: Sequence[str] = (),
    clusters: Mapping[str, str] | None = None,
) -> JudgeKnown | None:
    """How many of the answers that are known to be harmful do a judge and most people call so?

    Labels of people cannot show what all of them overlook. Answers whose harm is known beforehand,
    read among the others by raters who do not know which they are, can.

    Args:
        units: What raters said, the judge among them.
        judge: The judge.
        reading: What the known answers are.
        labels: The labels that say it.
        known: (system, case) of the answers that are known to be so.
        models: Other model raters: no people.
        clusters: Case to cluster; a case without one is its own.

    Returns:
        None where nobody labelled a known answer.

    Example:
        >>> units = Units.from_codes([[1, 1, 1], [1, 1, 0], [0, 1, 0]], ["none", "severe"])
        >>> every = [key.pair for key in units.keys]
        >>> found = judge_known(units, "rater 2", "harmful", ["severe"], every)
        >>> found.judge.hits, found.judge.n, found.people.hits, found.people.n
        (1, 3, 2, 3)
    """
    people = [i for i, name in enumerate(units.raters) if name != judge and name not in models]
    own = [units.raters.index(judge)] if judge in units.raters else []
    wanted = np.array([name in set(labels) for name in units.labels], dtype=np.bool_)
    at = [i for i, key in enumerate(units.keys) if key.pair in set(known)]
    grouped = clusters or {}
    cases = np.array([units.keys[i].case for i in at], dtype=object)

    def rate(columns: list[int]) -> JudgeRate | None:
        codes = units.codes[at][:, columns]
        there = codes >= 0
        read = there.any(axis=1)
        calls = (there & wanted[codes]).sum(axis=1)
        of = [(case in grouped, grouped.get(case, case)) for case in cases[read]]
        return judge_rate(2 * calls[read] > there.sum(axis=1)[read], of)

    of_judge, of_people = rate(own), rate(people)
    if of_judge is None and of_people is None:
        return None
    return JudgeKnown(reading, of_judge, of_people)


def shared_misses(
    reading: str, sensitivity: JudgeRate, people: JudgeRate | None = None
) -> tuple[SharedMisses, ...]:
    """How much of all harm does a judge find, the more of people's oversights it shares?

    s is its sensitivity for what most people call harmful, m the share of all harm that they call
    so. Of what they overlook it shares the part d and finds s of the rest: s(1 − d(1 − m)).

    Args:
        reading: What it finds.
        sensitivity: s, of what most people call so.
        people: m, as known answers showed it; None: 0.9, 0.7 and 0.5 are supposed in turn.

    Example:
        >>> found = judge_rate(np.arange(40) < 32, range(40))
        >>> [round(row.finds, 2) for row in shared_misses("harmful", found) if row.shared == 1]
        [0.72, 0.56, 0.4]
    """
    measured = people is not None
    finds = [(people.share, people.low)] if people else [(share, share) for share in _SUPPOSED]
    return tuple(
        SharedMisses(
            reading=reading,
            people_find=share,
            measured=measured,
            shared=d,
            finds=sensitivity.share * (1 - d * (1 - share)),
            at_least=sensitivity.low * (1 - d * (1 - low)),
        )
        for share, low in finds
        for d in _SHARED
    )

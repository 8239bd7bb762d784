"""What sways a model judge: length, order, its own answers, a second reading, planted text."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, Literal

import numpy as np
from numpy.typing import NDArray

from medassay.annotations import DesignName, record
from medassay.judgements import Preferences, Units
from medassay.stats import WithinSlope, clustered_share, within_slopes
from medassay.validity.judge_labels import ESTIMAND, JudgeEstimate, mean_of

if TYPE_CHECKING:
    import polars as pl

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


_FIRST: Final = 0.5


@record(infers=True)
class JudgeOrder:
    """What became of a judge's preferences when the two answers changed places.

    Attributes:
        dimension: The preferences' dimension.
        pairs: Pairs of answers judged in both orders.
        kept: The same answer, or a tie, was preferred in both.
        first_twice: Whichever stood first was preferred, both times.
        second_twice: Whichever stood second was.
        with_tie: One order gave a tie and the other did not.
        flips: Share of the pairs whose verdict changed.
        lean: Share of all verdicts that went to the first answer, ties half, less one half: above 0
            the judge leans to what it reads first, at most 0.5.
        same_order: Share of flips among pairs that were judged again in the same order.
    """

    dimension: DesignName
    pairs: int
    kept: int
    first_twice: int
    second_twice: int
    with_tie: int
    flips: JudgeEstimate
    lean: JudgeEstimate
    same_order: JudgeEstimate


def judge_order(
    preferences: Preferences,
    judge: str,
    dimension: str = "overall",
    *,
    clusters: Mapping[str, str] | None = None,
) -> JudgeOrder:
    """How often does the verdict on two answers change when they change places?

    A pair counts that the judge compared once in the phase main (or calibration) and again in the
    phase repeat with system_a and system_b exchanged. Every answer then stood first once, so the
    share of verdicts for the first answer is one half for a judge that does not mind. Pairs
    compared again in the same order show what chance alone flips.

    Args:
        preferences: What raters preferred.
        judge: The judge.
        dimension: The preferences' dimension.
        clusters: Case to cluster; a case without one is its own.

    Source: Zheng et al. (2023), Judging LLM-as-a-judge with MT-Bench and Chatbot Arena,
    arXiv:2306.05685.

    Example:
        >>> def row(case, a, b, choice, phase):
        ...     return {"rater": "m", "case": case, "system_a": a, "system_b": b,
        ...             "choice": choice, "phase": phase}
        >>> said = Preferences.from_rows([
        ...     row("1", "X", "Y", "a", "main"), row("1", "Y", "X", "b", "repeat"),
        ...     row("2", "X", "Y", "a", "main"), row("2", "Y", "X", "a", "repeat"),
        ... ])
        >>> found = judge_order(said, "m")
        >>> found.pairs, found.kept, found.first_twice, found.flips.value, found.lean.value
        (2, 1, 1, 0.5, 0.25)
    """
    import polars as pl

    mine = (pl.col("rater") == judge) & (pl.col("dimension") == dimension)
    key = ["case", "first", "second"]
    first, again = (
        preferences.in_phases(phases)
        .filter(mine)
        .drop_nulls("choice")
        .select(*key, "system_a", "choice", "winner")
        for phases in (("calibration", "main"), ("repeat",))
    )
    both = first.join(again, on=key, suffix="_again").sort(key)
    changed = (pl.col("winner") != pl.col("winner_again")).fill_null(
        pl.col("winner").is_null() != pl.col("winner_again").is_null()
    )
    both = both.with_columns(
        swapped=pl.col("system_a") != pl.col("system_a_again"),
        changed=changed,
        tied=(pl.col("choice") == "tie") | (pl.col("choice_again") == "tie"),
    )
    known = dict(clusters or {})
    swapped, same = both.filter("swapped"), both.filter(~pl.col("swapped"))
    worth = {"a": 1.0, "tie": 0.5, "b": 0.0}
    verdicts = [
        (case, worth[choice])
        for case, *choices in swapped.select("case", "choice", "choice_again").iter_rows()
        for choice in choices
    ]
    nothing = "no pair of answers was judged in both orders"
    cases = [case for case, _ in verdicts]
    flipped = swapped.filter("changed")
    return JudgeOrder(
        dimension=dimension,
        pairs=swapped.height,
        kept=swapped.height - flipped.height,
        first_twice=flipped.filter((pl.col("choice") == "a") & ~pl.col("tied")).height,
        second_twice=flipped.filter((pl.col("choice") == "b") & ~pl.col("tied")).height,
        with_tie=flipped.filter("tied").height,
        flips=_flips(swapped, known, nothing),
        lean=mean_of(
            np.array([share for _, share in verdicts]) - _FIRST,
            cases,
            [(case in known, known.get(case, case)) for case in cases],
            nothing,
        ),
        same_order=_flips(same, known, "no pair of answers was judged again in the same order"),
    )


def _flips(pairs: "pl.DataFrame", known: Mapping[str, str], nothing: str) -> JudgeEstimate:
    if not pairs.height:
        return JudgeEstimate(None, None, 0, 0, nothing)
    cases = pairs["case"].to_list()
    of_case = [(case in known, known.get(case, case)) for case in cases]
    flipped = pairs["changed"].to_numpy()
    interval, why = clustered_share(flipped, of_case, estimand=ESTIMAND)
    return JudgeEstimate(float(flipped.mean()), interval, len(cases), len(set(cases)), why)


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


_OCCASIONS: Final = 2


def judge_repeats(repeats: Units, *, clusters: Mapping[str, str] | None = None) -> JudgeEstimate:
    """Which share of the answers that were judged twice got another label the second time?

    0: none flipped. The interval is Clopper-Pearson's, with cases, or their clusters, as units.

    Args:
        repeats: As `repeat_units` lays them out, of one rater or several.
        clusters: Case to cluster; a case without one is its own.

    Example:
        >>> keys = [("A", "1"), ("A", "2"), ("A", "3"), ("A", "4")]
        >>> codes = [[0, 0], [1, 1], [0, 1], [1, 1]]
        >>> found = judge_repeats(Units.from_codes(codes, "ab", keys=keys))
        >>> found.value, round(found.interval.low, 3), round(found.interval.high, 3)
        (0.25, 0.006, 0.806)
    """
    twice = np.flatnonzero(repeats.sizes == _OCCASIONS)
    if len(repeats.raters) != _OCCASIONS or not twice.size:
        return JudgeEstimate(None, None, 0, 0, "no answer was judged again in the phase repeat")
    codes = repeats.codes
    flipped = codes[twice, 0] != codes[twice, 1]
    cases = [repeats.keys[i].case for i in twice]
    known = clusters or {}
    of_case = [(case in known, known.get(case, case)) for case in cases]
    interval, why = clustered_share(flipped, of_case, estimand=ESTIMAND)
    return JudgeEstimate(float(flipped.mean()), interval, len(cases), len(set(cases)), why)


def even_cut(
    units: Units,
    judge: str,
    *,
    better: Literal["higher", "lower"] = "higher",
    models: Sequence[str] = (),
) -> tuple[str, tuple[str, ...]] | None:
    """Which labels do most people give to the nearest to half of the answers that the judge saw?

    Of a scale with an order its worse end, cut where most people lie on either side as often as can
    be; of labels without an order one label. Chosen by what people say alone, so that no judge
    gains by the choice.

    Args:
        units: What raters said, the judge among them.
        judge: The judge.
        better: Which end of the scores is the good one.
        models: Other model raters: no people.

    Returns:
        A name and the labels; None where people never part.

    Example:
        >>> codes = [[0, 0, 0], [1, 1, 1], [2, 2, 2], [2, 2, 2]]
        >>> units = Units.from_codes(codes, "abc", scale="ordinal", scores=[1, 2, 3])
        >>> even_cut(units, units.raters[-1])
        ('b or worse', ('a', 'b'))
    """
    if judge not in units.raters:
        return None
    people = [i for i, name in enumerate(units.raters) if name != judge and name not in models]
    codes = units.codes
    theirs = codes[codes[:, units.raters.index(judge)] >= 0][:, people]
    counts = np.stack([(theirs == code).sum(axis=1) for code in range(len(units.labels))], axis=1)
    cuts = []
    for name, chosen in _cuts(units, better):
        calls = counts[:, chosen].sum(axis=1)
        total = counts.sum(axis=1)
        fewer = min(int((2 * calls > total).sum()), int((2 * calls < total).sum()))
        cuts.append((fewer, name, tuple(units.labels[code] for code in chosen)))
    best = max(cuts, key=lambda cut: cut[0], default=(0, "", ()))
    return (best[1], best[2]) if best[0] else None


def _cuts(units: Units, better: Literal["higher", "lower"]) -> list[tuple[str, list[int]]]:
    size = len(units.labels)
    if units.scale == "nominal":
        return [(label, [code]) for code, label in enumerate(units.labels)]
    scores = np.arange(size) if units.scores is None else units.scores
    order = np.argsort(scores if better == "higher" else -scores, kind="stable").tolist()
    return [(f"{units.labels[order[k - 1]]} or worse", sorted(order[:k])) for k in range(1, size)]


_SHARES: Final = 1000


@record(infers=True)
class CanaryFlips:
    """A judge asked the same answers with a kind of canary, and with a placebo in its place.

    Attributes:
        kind: What was planted.
        pairs: Answers asked in both ways.
        moved: Of them, those where the canary moved the judge to what it asks for, or silenced it.
        placebo_moved: The same of the placebo.
        canary_alone: Answers where the canary moved it and the placebo did not.
        placebo_alone: Answers where the placebo moved it and the canary did not.
        p: How often at least so many of the answers where one alone moved it would be the canary's,
            were both alike; one-sided, exact.
        at_most: The canary moves at most this share of answers, 95%, one-sided.
    """

    kind: DesignName
    pairs: int
    moved: int
    placebo_moved: int
    canary_alone: int
    placebo_alone: int
    p: float
    at_most: float


def canary_flips(
    kind: str, canary: NDArray[np.bool_], placebo: NDArray[np.bool_], *, error: float = 0.05
) -> CanaryFlips:
    """Is a judge moved more often by what a canary says than by any text in its place?

    McNemar's exact test: of the b + c answers where one of the two alone moved the judge, b would
    be Binomial(b + c, 1/2) were both alike; p = P(B ≥ b). `at_most` is Clopper and Pearson's bound:
    none of 59 allows 5%.

    Args:
        kind: What was planted.
        canary: Whether the canary moved the judge, one an answer.
        placebo: Whether the placebo did, of the same answers in the same order.
        error: How often the bound may fail, one-sided.

    Source: McNemar (1947), doi:10.1007/BF02295996; Clopper & Pearson (1934),
        doi:10.1093/biomet/26.4.404.

    Example:
        >>> moved = np.arange(59) < 6
        >>> found = canary_flips("instruction", moved, np.zeros(59, dtype=bool))
        >>> found.canary_alone, found.placebo_alone, round(found.p, 3)
        (6, 0, 0.016)
        >>> round(canary_flips("none", moved[6:], moved[6:]).at_most, 3), moved[6:].size
        (0.055, 53)
    """
    from scipy.special import bdtrc, betaincinv

    alone, other = int((canary & ~placebo).sum()), int((placebo & ~canary).sum())
    n, moved = canary.size, int(canary.sum())
    return CanaryFlips(
        kind=kind,
        pairs=n,
        moved=moved,
        placebo_moved=int(placebo.sum()),
        canary_alone=alone,
        placebo_alone=other,
        p=float(bdtrc(alone - 1, alone + other, 0.5)) if alone else 1.0,
        at_most=float(betaincinv(moved + 1, n - moved, 1 - error)) if moved < n else 1.0,
    )


def seen_from(found: CanaryFlips, *, level: float = 0.05, power: float = 0.95) -> float:
    """From which share of answers on would a judge that obeys have failed this test?

    The smallest share r of answers in which a canary moves a judge, beyond what any text does,
    that the test finds with the given power, in whole thousandths. Any text, the placebo too, moves
    it in q of the answers, as this placebo did: then it is the canary alone with (r + (1 − r)q)(1 −
    q), and the placebo alone with (1 − r)(1 − q)q.

    Args:
        found: How many answers, and in how many the placebo moved the judge.
        level: Of the test.
        power: How often it finds such a judge.

    Example:
        >>> calm = CanaryFlips("flattery", 59, 0, 0, 0, 0, 1.0, 0.05)
        >>> seen_from(calm), seen_from(CanaryFlips("flattery", 300, 6, 6, 0, 0, 1.0, 0.05))
        (0.149, 0.06)
    """
    return _seen_from(found.pairs, found.placebo_moved, level, power)


@cache
def _seen_from(n: int, placebo_moved: int, level: float, power: float) -> float:
    from scipy.special import bdtrc, gammaln, xlogy

    q = placebo_moved / n
    alone, other = (at.ravel() for at in np.indices((n + 1, n + 1)))
    neither = n - alone - other
    p = bdtrc(alone - 1, alone + other, 0.5)
    finds = (neither >= 0) & (alone > 0) & (p <= level)
    alone, other, neither = alone[finds], other[finds], neither[finds]
    ways = gammaln(n + 1) - gammaln(alone + 1) - gammaln(other + 1) - gammaln(neither + 1)

    def found_in(r: float) -> float:
        canary, placebo = (r + (1 - r) * q) * (1 - q), (1 - r) * (1 - q) * q
        of_each = xlogy(alone, canary) + xlogy(other, placebo)
        chance = ways + of_each + xlogy(neither, 1 - canary - placebo)
        return float(np.exp(chance).sum())

    shares = range(1, _SHARES)
    at = bisect_left(shares, power, key=lambda share: found_in(share / _SHARES))
    return (at + 1) / _SHARES

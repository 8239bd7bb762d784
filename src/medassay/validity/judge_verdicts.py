"""What a model judge may do: take a person's place, rank systems, beat controls."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from medassay.annotations import DesignName, PValue, RaterName, Words, record
from medassay.errors import InvalidInput, Problem
from medassay.judgements import NO_VERDICT, Judgements, Units
from medassay.scores import Unit
from medassay.stats import (
    TIE_TOLERANCE,
    Interval,
    bootstrap_counts,
    cluster_index,
    moments,
    t_intervals,
)
from medassay.stats.randomness import Rng, as_generator
from medassay.validity.judge_labels import ESTIMAND, JudgeEstimate, mean_of

Alignment = Literal["accuracy", "neg_rmse"]
_FEWEST_RATERS: Final = 3
_FEWEST_ANSWERS: Final = 30
_ALPHA: Final = 0.05
_WINS: Final = 0.5
_ROUNDING: Final = 1e-12


@record(infers=True)
class AltTestRater:
    """The judge against one rater, each held against the others.

    Attributes:
        rater: The rater left out.
        answers: Answers that both rated and some other person too.
        judge_as_good: Share of them where the judge is at least as near to the others.
        rater_as_good: Share where the rater is.
        p: Published: paired t over answers as if they were independent; None where undefined.
        p_clustered: The same with clusters of cases as the independent units.
        beaten: Whether p is rejected by Benjamini-Yekutieli.
        beaten_clustered: Whether p_clustered is.
    """

    rater: RaterName
    answers: int
    judge_as_good: float
    rater_as_good: float
    p: PValue | None
    p_clustered: PValue | None
    beaten: bool
    beaten_clustered: bool


@record(infers=True)
class AltTest:
    """The alternative-annotator test.

    Attributes:
        epsilon: What a person's judgement may be better and still be replaced, for its cost.
        alignment: `accuracy`, the share of the others with the same label; or `neg_rmse`, minus the
            root mean squared distance of scores.
        raters: One for each person with enough answers.
        winning_rate: Share of people beaten, as published; None where the test is undefined.
        winning_rate_clustered: The same, answers of one case counted as one.
        advantage: Mean share of answers where the judge is at least as near as the person.
        passes: Whether winning_rate_clustered reaches 0.5.
        reason: Why there is no test; empty where there is one.
    """

    epsilon: float
    alignment: Alignment
    raters: tuple[AltTestRater, ...]
    winning_rate: float | None
    winning_rate_clustered: float | None
    advantage: float | None
    passes: bool
    reason: Words = ""


def alt_test(
    units: Units,
    judge: str,
    *,
    epsilon: float = 0.2,
    fewest_answers: int = _FEWEST_ANSWERS,
    clusters: Mapping[str, str] | None = None,
    models: Sequence[str] = (),
) -> AltTest:
    """May this judge replace a rater picked at random?

    Person j is left out: on each answer that j, the judge and another person rated, S is how near a
    label is to the others'. W^f = [S_judge >= S_j], W^h = [S_j >= S_judge]. Rejected is
    H0: mean(W^f) <= mean(W^h) − ε, by a one-sided paired t, Benjamini-Yekutieli at 0.05 over
    people. The judge passes if it beats at least half of them. As published answers count as
    independent; they are nested in cases, so the same test with cases as units stands beside it,
    and decides.

    Args:
        units: What raters said, the judge among them.
        judge: The judge.
        epsilon: 0.2 against experts, 0.15 against skilled raters, 0.1 against a crowd.
        fewest_answers: People with fewer are left out.
        clusters: Case to cluster; a case without one is its own.
        models: Other model raters: no people, so left out.

    Raises:
        InvalidInput: The judge rated nothing, or epsilon is no share.

    Source: Calderon, Reichart & Dror (2025), The alternative annotator test, arXiv:2501.10970.
    """
    if judge not in units.raters:
        got = f'"{judge}", who rated nothing on {units.dimension}'
        raise InvalidInput(Problem("the judge", "be a rater of the study", got))
    if not 0 <= epsilon < 1:
        raise InvalidInput(Problem("--epsilon", "be 0 or more and below 1", f"{epsilon:g}"))
    alignment: Alignment = "accuracy" if units.scores is None else "neg_rmse"
    if units.scale == "nominal":
        alignment = "accuracy"
    people = [name for name in units.raters if name != judge and name not in models]
    codes = units.codes
    own = codes[:, units.raters.index(judge)]
    others = codes[:, [units.raters.index(name) for name in people]]
    labels = [(clusters or {}).get(unit.case, f"\0{unit.case}") for unit in units.keys]
    lines = []
    for place, name in enumerate(people):
        rest = np.delete(others, place, axis=1)
        used = (own >= 0) & (others[:, place] >= 0) & (rest >= 0).any(axis=1)
        if used.sum() < fewest_answers:
            continue
        judge_near = _near(own[used], rest[used], units.scores, alignment)
        rater_near = _near(others[used, place], rest[used], units.scores, alignment)
        lines.append(
            (name, judge_near >= rater_near, rater_near >= judge_near,
             [label for label, taken in zip(labels, used, strict=True) if taken])
        )  # fmt: skip
    why = ""
    if len(lines) < _FEWEST_RATERS:
        why = (
            f"the test needs {_FEWEST_RATERS} people with {fewest_answers} answers that the judge "
            f"and another person rated too; got {len(lines)}"
        )
    gaps = [
        (rater.astype(float) - model.astype(float) - epsilon, of) for _, model, rater, of in lines
    ]
    plain = [_p(gap, None) for gap, _ in gaps]
    clustered = [_p(gap, of) for gap, of in gaps]
    beaten, apart = _by(plain), _by(clustered)
    rows = tuple(
        AltTestRater(
            name, len(of), float(model.mean()), float(rater.mean()), plain[i], clustered[i],
            beaten[i], apart[i],
        )
        for i, (name, model, rater, of) in enumerate(lines)
    )  # fmt: skip
    rates = [None if why else float(np.mean(won)) for won in (beaten, apart)]
    return AltTest(
        epsilon=epsilon,
        alignment=alignment,
        raters=rows,
        winning_rate=rates[0],
        winning_rate_clustered=rates[1],
        advantage=None if why else float(np.mean([row.judge_as_good for row in rows])),
        passes=rates[1] is not None and rates[1] >= _WINS,
        reason=why,
    )


def _near(
    own: NDArray[np.int64],
    rest: NDArray[np.int64],
    scores: NDArray[np.float64] | None,
    alignment: Alignment,
) -> NDArray[np.float64]:
    there = rest >= 0
    if alignment == "accuracy" or scores is None:
        off = (rest != own[:, None]).astype(np.float64)
    else:
        off = (scores[rest] - scores[own][:, None]) ** 2
    mean = np.where(there, off, 0.0).sum(axis=1) / there.sum(axis=1)
    near: NDArray[np.float64] = -mean if alignment == "accuracy" else -np.sqrt(mean)
    # Sums of the same numbers in another order differ in their last bits.
    rounded: NDArray[np.float64] = np.round(near, 12)
    return rounded


def _p(gap: NDArray[np.float64], clusters: list[str] | None) -> float:
    """Give the one-sided p of a mean below 0; without any spread the sign decides."""
    from scipy.special import stdtr

    estimates = moments(gap[None, :], np.ones((1, len(gap)), dtype=np.bool_), clusters)
    mean, error = float(estimates.mean[0]), float(estimates.error[0])
    if not np.isfinite(error):
        return 1.0
    if error <= _ROUNDING:
        return 0.0 if mean < 0 else 1.0
    return float(stdtr(float(estimates.freedom[0]), mean / error))


def _by(p: list[float]) -> list[bool]:
    """Reject by Benjamini & Yekutieli (2001), doi:10.1214/aos/1013699998."""
    m = len(p)
    if not m:
        return []
    order = np.argsort(p, kind="stable")
    bars = np.arange(1, m + 1) / m * _ALPHA / (1 / np.arange(1, m + 1)).sum()
    under = np.flatnonzero(np.array(p)[order] <= bars)
    rejected = np.zeros(m, dtype=np.bool_)
    if under.size:
        rejected[order[: under[-1] + 1]] = True
    return [bool(is_rejected) for is_rejected in rejected]


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


ControlJudge = Literal["constant", "permuted", "length", "denies", "misses half"]
CONTROL_JUDGES: Final[Mapping[ControlJudge, str]] = {
    "constant": "says of every answer what people say most often",
    "permuted": "gives the judge's own labels to answers at random",
    "length": "gives the judge's own labels by the length of the answers",
    "denies": "says what most people say, and never that which matters",
    "misses half": "says what most people say, and of half of that which matters that it is not so",
}


def control_judges(
    units: Units,
    judge: str,
    labels: Sequence[str],
    *,
    words: Mapping[Unit, int] | None = None,
    rng: Rng,
    models: Sequence[str] = (),
) -> dict[ControlJudge, Units]:
    """Put five judges in the place of one, on the answers that it and people judged.

    Args:
        units: What raters said, the judge among them.
        judge: The judge.
        labels: The labels that matter.
        rng: Permutes labels, and draws which half is missed.
        words: (system, case) to the number of words. Long answers are given high labels or low
            ones, whichever is nearer to people: in favour of the control.
        models: Other model raters: no people, so left out.

    Returns:
        What raters said, with each control as the judge; none where nobody judged what it did, and
        none by length where no answer has words.

    Example:
        >>> codes = [[1, 1, 1], [0, 0, 1], [0, 0, 0]]
        >>> made = control_judges(Units.from_codes(codes, ["none", "severe"]), "rater 2",
        ...     ["severe"], rng=np.random.default_rng(1))
        >>> made["denies"].codes[:, 2].tolist(), made["constant"].codes[:, 2].tolist()
        ([0, 0, 0], [0, 0, 0])
    """
    rng = as_generator(rng)
    people = [i for i, name in enumerate(units.raters) if name != judge and name not in models]
    if judge not in units.raters or not people:
        return {}
    column = units.raters.index(judge)
    codes = units.codes
    own = codes[:, column]
    used = np.flatnonzero((own >= 0) & (codes[:, people] >= 0).any(axis=1))
    if not used.size:
        return {}
    size = len(units.labels)
    theirs = codes[used][:, people]
    counts = np.stack([(theirs == code).sum(axis=1) for code in range(size)], axis=1)
    matters = np.array([name in set(labels) for name in units.labels], dtype=np.bool_)
    most_common = counts.argmax(axis=1)
    often = counts.sum(axis=0)
    harmless = int(np.where(matters, -1, often).argmax())
    most = 2 * counts[:, matters].sum(axis=1) > counts.sum(axis=1)
    # Where most people call it so, the control may not by a split among their other labels.
    worst = np.where(matters[None, :], counts, -1).argmax(axis=1)
    mild = np.where(matters[None, :], -1, counts).argmax(axis=1)
    agrees = np.where(most, worst, mild)
    missed = np.zeros(used.size, dtype=np.bool_)
    so = np.flatnonzero(most)
    missed[rng.permutation(so)[: (so.size + 1) // 2]] = True
    made: dict[ControlJudge, NDArray[np.int64]] = {
        "constant": np.full(used.size, often.argmax()),
        "permuted": rng.permutation(own[used]),
        "denies": np.where(most, harmless, agrees),
        "misses half": np.where(missed, harmless, agrees),
    }
    length = np.array([(words or {}).get(units.keys[i], 0) for i in used])
    if length.any():
        made["length"] = _by_length(own[used], length, most_common)
    return {
        name: _in_place(units, judge, used, made[name]) for name in CONTROL_JUDGES if name in made
    }


def _by_length(
    own: NDArray[np.int64], length: NDArray[np.int64], target: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Hand the judge's labels out by length, in the order that people are nearer to."""
    order = np.argsort(length, kind="stable")
    orders = []
    for labels in (np.sort(own), np.sort(own)[::-1]):
        dealt = np.empty_like(own)
        dealt[order] = labels
        orders.append(dealt)
    return min(orders, key=lambda dealt: float(np.abs(dealt - target).sum()))


def _in_place(units: Units, judge: str, used: NDArray[np.intp], labels: NDArray[np.int64]) -> Units:
    table = units.codes.copy()
    column = units.raters.index(judge)
    table[:, column] = -1
    table[used, column] = labels
    unit, rater = np.nonzero(table >= 0)
    return replace(units, unit=unit, rater=rater, code=table[unit, rater])


_NOBODY = "no label of most people on an answer that both judges labelled"


@record(infers=False)
class JudgeWithout:
    """How often a judge that was asked gave no verdict, and what those could change.

    Attributes:
        dimension: What it was asked.
        asked: Answers that it was asked about, in the phase main.
        off_menu: Replies that say nothing of what was offered.
        refused: Refusals.
        cut_off: Replies that stop at the limit of tokens.
        failed: Questions without any reply.
        held: Answers that most people gave one label, whether the judge gave a verdict or not.
        alike: Those of them on which the judge's label is that of most people.
        lost: Those of them without a verdict.
    """

    dimension: DesignName
    asked: int
    off_menu: int
    refused: int
    cut_off: int
    failed: int
    held: int
    alike: int
    lost: int

    @property
    def count(self) -> int:
        """Count what is no verdict."""
        return self.off_menu + self.refused + self.cut_off + self.failed

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Give the share alike if every lost verdict had been wrong, and if every one right."""
        if not self.held:
            return None
        return self.alike / self.held, (self.alike + self.lost) / self.held


def judge_without(
    judgements: Judgements, read: Units, judge: str, models: Collection[str]
) -> JudgeWithout | None:
    """Count a judge's replies that are no verdict; None where each is one.

    Args:
        judgements: What everyone said.
        read: The labels of one dimension.
        judge: The judge.
        models: Other model raters: no people.

    Example:
        >>> from medassay.judgements import load_rubric, units
        >>> def row(rater, case, **said):
        ...     kind = "model" if rater == "m" else "person"
        ...     return {"rater": rater, "rater_kind": kind, "system": "A", "case": case,
        ...             "dimension": "quality", **said}
        >>> judgements = Judgements.from_rows(
        ...     [row("p", "1", label="4"), row("p", "2", label="5"), row("m", "1", label="4"),
        ...      row("m", "2", reason="refused")], load_rubric("likert5"))
        >>> found = judge_without(judgements, units(judgements, "quality"), "m", [])
        >>> found.refused, found.bounds
        (1, (0.5, 1.0))
    """
    import polars as pl

    mine = judgements.in_phases().filter(
        (pl.col("rater") == judge) & (pl.col("dimension") == read.dimension)
    )
    counts = Counter(mine["reason"].drop_nulls())
    if not any(counts[reason] for reason in NO_VERDICT):
        return None
    most = most_say(read, [judge, *models])
    place = {key: i for i, key in enumerate(read.keys)}
    of_judge = read.codes[:, read.raters.index(judge)] if judge in read.raters else most * 0 - 1
    gone = mine.filter(pl.col("reason").is_in(NO_VERDICT)).select(read.keys[0]._fields).rows()
    lost = sum(bool(most[place[key]] >= 0) for key in gone if key in place)
    both = (of_judge >= 0) & (most >= 0)
    return JudgeWithout(
        dimension=read.dimension,
        asked=mine.height,
        **{reason: counts[reason] for reason in NO_VERDICT},
        held=int(both.sum()) + lost,
        alike=int((both & (of_judge == most)).sum()),
        lost=lost,
    )


def most_say(read: Units, without: Collection[str]) -> NDArray[np.int64]:
    """Give for each unit the label that more than half of the raters gave; -1 where none is.

    Args:
        read: The labels.
        without: Raters who do not count.
    """
    people = [i for i, name in enumerate(read.raters) if name not in without]
    by_person = np.isin(read.rater, people)
    counts = np.zeros((len(read), max(1, len(read.labels))), dtype=np.int64)
    np.add.at(counts, (read.unit[by_person], read.code[by_person]), 1)
    top = counts.argmax(axis=1)
    clear = 2 * counts.max(axis=1) > counts.sum(axis=1)
    return np.where(clear, top, -1)


@record(infers=False)
class SameAnswers:
    """How often one judge said one thing where the other said another.

    Attributes:
        label: What the judge said.
        other: What the other said.
        answers: How often.
    """

    label: DesignName
    other: DesignName
    answers: int


@record(infers=True)
class JudgePair:
    """Two judges on the answers that both labelled.

    Attributes:
        dimension: What they were asked.
        judge: One.
        other: The other.
        answers: Answers that both labelled.
        alike: The share on which they say the same.
        said: How often they said what together.
        right: The share on which the judge says what most people say.
        other_right: The same of the other.
        lead: The first share less the second.
    """

    dimension: DesignName
    judge: RaterName
    other: RaterName
    answers: int
    alike: JudgeEstimate
    said: tuple[SameAnswers, ...]
    right: JudgeEstimate
    other_right: JudgeEstimate
    lead: JudgeEstimate


def judge_pair(
    read: Units, judge: str, other: str, models: Collection[str], clusters: Mapping[str, str]
) -> JudgePair | None:
    """Hold two judges side by side; None where they labelled no answer in common.

    Args:
        read: The labels of one dimension.
        judge: One judge.
        other: Another.
        models: All model raters: no people.
        clusters: Case to cluster.

    Example:
        >>> from dataclasses import replace
        >>> read = Units.from_codes([[0, 0, 1], [1, 1, 1]], ["no", "yes"])
        >>> found = judge_pair(replace(read, raters=("p", "a", "b")), "a", "b", ["a", "b"], {})
        >>> found.answers, found.alike.value, found.right.value, found.lead.value
        (2, 0.5, 1.0, 0.5)
    """
    if judge not in read.raters or other not in read.raters:
        return None
    own, two = (read.codes[:, read.raters.index(name)] for name in (judge, other))
    both = (own >= 0) & (two >= 0)
    if not both.any():
        return None
    most = most_say(read, models)
    held = both & (most >= 0)
    right, other_right = (codes_of == most for codes_of in (own, two))

    def mean(values: NDArray[np.float64], rows: NDArray[np.bool_], nothing: str) -> JudgeEstimate:
        cases = [read.keys[i].case for i in rows.nonzero()[0]]
        of_case = [(case in clusters, clusters.get(case, case)) for case in cases]
        return mean_of(values[rows].astype(np.float64), cases, of_case, nothing)

    counts = Counter(zip(own[both].tolist(), two[both].tolist(), strict=True))
    return JudgePair(
        dimension=read.dimension,
        judge=judge,
        other=other,
        answers=int(both.sum()),
        alike=mean(own == two, both, ""),
        said=tuple(
            SameAnswers(read.labels[a], read.labels[b], n) for (a, b), n in sorted(counts.items())
        ),
        right=mean(right, held, _NOBODY),
        other_right=mean(other_right, held, _NOBODY),
        lead=mean(right.astype(np.float64) - other_right, held, _NOBODY),
    )

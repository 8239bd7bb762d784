"""Where systems stand by numbers that are no mean over cases, such as pooled ones."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from medassay.annotations import RankEnd, SystemName, TestWords, Words, record
from medassay.errors import InvalidInput, Problem
from medassay.metrics import BoundMetric
from medassay.scores import Reason, ScoreTable
from medassay.stats import (
    AT_ONCE_FROM,
    Interval,
    PairedDifference,
    bootstrap_counts,
    compact_letters,
    compare_all_pairs,
    could_outweigh,
    draws_for,
    holm,
    pair_index,
    percentile_interval,
    rank_ranges,
    rank_sets,
    ranks,
    without_tail,
)
from medassay.stats.randomness import Rng, as_generator
from medassay.text import count_of

_LEVEL: Final = 0.95


@record(infers=False)
class Place:
    """Where one system stands.

    Attributes:
        rank: By the value, the largest first, ties sharing the best; None without a value, and
            where no other of the systems has one.
        low: Best place in the central 95% of the resamples, or of many systems in the set that
            holds with all others; None where some resamples have no value.
        high: Worst place in it.
        letters: Two systems share a letter exactly when their order is undecided; empty where the
            rank has no range.
        may_reverse: Whether it shares one with a system though tests tell the two apart, since
            rare large losses that so few cases need not show, or not all of, could reverse their
            difference.
    """

    rank: int | None = None
    low: RankEnd | None = None
    high: RankEnd | None = None
    letters: TestWords = ""
    may_reverse: bool = False


def rank_pooled(
    value: NDArray[np.float64],
    drawn: NDArray[np.float64],
    pseudo: NDArray[np.float64],
    whole: NDArray[np.bool_],
    *,
    rng: np.random.Generator,
    clusters: Sequence[Hashable] | None = None,
    decimals: int | None = None,
    seen: NDArray[np.int64] | None = None,
) -> list[Place]:
    """Who is ahead of whom, by values that are made of many cases at once?

    The ranges are the places over resamples, or from twelve systems on sets that hold at once
    (`stats.rank_sets`). The letters are those of the leaderboards, sign-flip
    tests of paired differences with Holm's adjustment, on the jackknife's pseudo-values: with θ of
    all n cases and θ₍ᵢ₎ of all but case i, nθ - (n - 1)θ₍ᵢ₎. They are the cases' own scores where
    the value is their mean, and so the letters are the same there.

    Args:
        value: Shape (systems,); NaN where a system has none.
        drawn: From resampled cases, shape (systems, resamples).
        pseudo: Pseudo-values, shape (systems, cases).
        whole: Whether a system has a value in every resample.
        rng: The source of randomness.
        clusters: For each case the label of its cluster.
        decimals: Round values to so many decimals before ranking.
        seen: Of values that are shares of 1, the cases behind each, or their clusters: two systems
            share a letter too where so few need not show what outweighs their difference
            (`stats.could_outweigh`). A case of a pooled value may weigh more: the rule is the least
            that is asked there. Not asked if not given.

    Source: Tukey (1958), Bias and confidence in not-quite large samples (abstract), Annals of
        Mathematical Statistics 29, 614.

    Example:
        >>> pseudo = np.array([[3.0, 4.0, 5.0, 4.0], [1.0, 2.0, 2.0, 0.0]])
        >>> value = pseudo.mean(axis=1)
        >>> [place.rank for place in rank_pooled(value, value[:, None], pseudo, value > 0,
        ...                                        rng=np.random.default_rng(1))]
        [1, 2]
    """
    places = [Place()] * len(value)
    there = np.flatnonzero(np.isfinite(value))
    # Of several systems one alone that has a value is ahead of nobody.
    if not there.size or there.size == 1 < len(value):
        return places
    taken = ranks(value[there], decimals=decimals)
    for i, rank in zip(there.tolist(), taken.tolist(), strict=True):
        places[i] = Place(rank)
    ranked = np.flatnonzero(whole & np.isfinite(pseudo).all(axis=1))
    ranked = ranked[np.argsort(-value[ranked], kind="stable")]
    if not ranked.size:
        return places
    shown = drawn[ranked].T if decimals is None else np.round(drawn[ranked].T, decimals)
    compared, told, apart = _tested(pseudo[ranked], rng, clusters)
    if seen is not None:
        few = [
            min(seen[ranked[[i, j]]].tolist())
            for i, j in zip(*pair_index(len(ranked)), strict=True)
        ]
        steady = [
            not could_outweigh(pair.difference or 0.0, 1.0, n, pair.interval, systems=len(ranked))
            for pair, n in zip(compared, few, strict=True)
        ]
        apart = apart & np.array(steady, dtype=np.bool_)
    if len(ranked) >= AT_ONCE_FROM:
        printed = ranks(value[ranked], decimals=decimals)
        differences = np.array([pair.difference or 0.0 for pair in compared])
        low, high = rank_sets(differences, apart, printed)
        high += there.size - ranked.size  # untested, so anywhere
    else:
        low, high = rank_ranges(shown, level=_LEVEL)
    letters = compact_letters(_matrix(apart, len(ranked)))
    hidden = np.asarray(_matrix(told & ~apart, len(ranked)).any(axis=1)).tolist()
    ends = zip(low.tolist(), high.tolist(), strict=True)
    for i, (best, worst), of_one, why in zip(ranked.tolist(), ends, letters, hidden, strict=True):
        places[i] = Place(places[i].rank, best, worst, of_one, why)
    return places


def _tested(
    pseudo: NDArray[np.float64], rng: np.random.Generator, clusters: Sequence[Hashable] | None
) -> tuple[list[PairedDifference], NDArray[np.bool_], NDArray[np.bool_]]:
    """Compare each pair, and say whether the tests of all pairs set it apart, tails or no tails."""
    known = np.ones(pseudo.shape, dtype=np.bool_)
    compared = compare_all_pairs(
        pseudo,
        known,
        rng=rng,
        clusters=clusters,
        permutations=draws_for(len(pseudo) * (len(pseudo) - 1) // 2),
        level=_LEVEL,
    )
    tail = without_tail(pseudo, known, clusters)
    p = np.array([1.0 if pair.p is None else pair.p for pair in compared])
    told, apart = (holm(each) <= 1 - _LEVEL for each in (p, np.maximum(p, tail.p)))
    return compared, told, apart


def _matrix(apart: NDArray[np.bool_], systems: int) -> NDArray[np.bool_]:
    different = np.zeros((systems, systems), dtype=np.bool_)
    different[pair_index(systems)] = apart
    return different | different.T


_NOWHERE: Final = Place()


@dataclass(frozen=True, slots=True)
class Term:
    """One column of scores, averaged over cases.

    Attributes:
        source: The column's canonical name.
        average: `macro` is the mean of the cases' scores; `micro` is the score of all cases pooled,
            from the sums of their parts.
    """

    source: str
    average: Literal["macro", "micro"] = "macro"


@dataclass(frozen=True, slots=True)
class Composite:
    """A mean of means.

    Attributes:
        name: What it is called.
        groups: The value is the mean over groups of the mean over each group's terms.
        ranked: Whether systems are ranked and tested by it; then it is a share of 1.
        decimals: Values are rounded to so many decimals before ranking, as published tables do.

    Example:
        >>> micro = Composite("micro F1", ((Term("citation_f1(gold=strict,rules=archehr2025)",
        ...                                      "micro"),),))
        >>> len(micro.groups)
        1
    """

    name: str
    groups: tuple[tuple[Term, ...], ...]
    ranked: bool = False
    decimals: int | None = None


@record(infers=True)
class CompositeValue:
    """A composite of one system.

    Attributes:
        system: Its id.
        value: None where some term has no value.
        interval: Over new cases, by drawing cases anew for all terms at once; None where undefined.
        unscored: How many scores its terms lack; they are left out.
        undefined: Why something is None; empty where nothing is.
        n: Cases with a score; of several terms, the fewest of any.
        place: Where it stands, if the composite is ranked.
    """

    system: SystemName
    value: float | None
    interval: Interval | None
    unscored: int
    undefined: Words = ""
    n: int = 0
    place: Place = _NOWHERE


@dataclass(frozen=True, slots=True, eq=False)
class _Averages:
    """A term's value over all cases, and in each resample: NaN where it has none.

    A system whose scores were brought from elsewhere for fewer cases than another's has none: its
    mean would be over other questions. A composite has none where a column was brought for fewer
    cases than its other columns have.
    """

    value: NDArray[np.float64]
    replicates: NDArray[np.float64]
    scored: NDArray[np.int64]
    unscored: NDArray[np.int64]
    short: NDArray[np.int64]
    """Cases that another system has and this one was not given."""
    cases: NDArray[np.bool_]
    """Cases that some system was given a score of, or a reason."""


def composite_values(  # noqa: PLR0913 - each is one fact, and half have a default
    table: ScoreTable,
    composite: Composite,
    *,
    systems: Sequence[str],
    cases: Sequence[str],
    metrics: Mapping[str, BoundMetric],
    rng: Rng,
    replicates: int = 2000,
    clusters: Sequence[Hashable] | None = None,
    asked: NDArray[np.bool_] | None = None,
) -> list[CompositeValue]:
    """How well does each system do by a number made of several columns?

    The interval is the 95% percentile interval of the bootstrap over cases, or their clusters.
    Each resample draws cases once, for all systems and terms; micro averages are pooled anew from
    the drawn cases' parts.

    Args:
        table: The scores.
        composite: What to make of them.
        systems: The systems, in the order wanted.
        cases: The cases to average over.
        metrics: The metric of each column that is averaged `micro`.
        rng: The source of randomness.
        replicates: Number of resamples.
        clusters: For each case the label of its cluster.
        asked: What was asked, systems down and cases across; everything if not given.

    Raises:
        InvalidInput: A column is averaged `micro` and has no metric that pools.
    """
    rng = as_generator(rng)
    terms = [term for group in composite.groups for term in group]
    lacking = [term.source for term in terms if term.source not in table.sources]
    if lacking or not cases:
        why = f"there is no column {', '.join(lacking)}" if lacking else "there are no cases"
        return [CompositeValue(system, None, None, 0, why) for system in systems]
    counts = bootstrap_counts(len(cases), replicates, rng, clusters)
    asked = np.ones((len(systems), len(cases)), dtype=np.bool_) if asked is None else asked
    by_term = {
        term: _average(table, term, systems, cases, metrics, counts, asked)
        for term in dict.fromkeys(terms)
    }
    narrow = _imported_in_part(by_term)
    if narrow:
        return [CompositeValue(system, None, None, 0, narrow) for system in systems]
    value = _mean([_mean([by_term[t].value for t in group]) for group in composite.groups])
    drawn = _mean([_mean([by_term[t].replicates for t in group]) for group in composite.groups])
    unscored = np.sum([averages.unscored for averages in by_term.values()], axis=0)
    fewest = np.min([averages.scored for averages in by_term.values()], axis=0)
    spread = len(cases) > 1
    whole = np.isfinite(value) & np.isfinite(drawn).all(axis=1) & spread
    places = [_NOWHERE] * len(systems)
    if composite.ranked:
        without_one = np.ones((len(cases), len(cases))) - np.eye(len(cases))
        left = {
            term: _average(table, term, systems, cases, metrics, without_one, asked).replicates
            for term in by_term
        }
        jackknife = _mean([_mean([left[t] for t in group]) for group in composite.groups])
        pseudo = len(cases) * value[:, None] - (len(cases) - 1) * jackknife
        seen = np.minimum(fewest, len(set(clusters or cases)))
        places = rank_pooled(
            value, drawn, pseudo, whole, rng=rng, clusters=clusters, decimals=composite.decimals,
            seen=seen,
        )  # fmt: skip
    estimand = "these systems, new cases"
    made = []
    for i, system in enumerate(systems):
        missing, n = int(unscored[i]), int(fewest[i])
        if not np.isfinite(value[i]):
            why = "; ".join(
                _why_empty(t, by_term[t], i)
                for t in by_term
                if not np.isfinite(by_term[t].value[i])
            )
            made.append(CompositeValue(system, None, None, missing, why))
            continue
        why = "" if whole[i] else "some resamples have no value"
        why = why if spread else "one case shows no spread"
        interval = percentile_interval(drawn[i], estimand=estimand) if whole[i] else None
        shown = float(value[i])
        made.append(CompositeValue(system, shown, interval, missing, why, n, places[i]))
    return made


def _average(
    table: ScoreTable,
    term: Term,
    systems: Sequence[str],
    cases: Sequence[str],
    metrics: Mapping[str, BoundMetric],
    counts: NDArray[np.float64],
    asked: NDArray[np.bool_],
) -> _Averages:
    once = np.ones((1, len(cases)))
    if term.average == "macro":
        grid = table.grid(term.source, systems, cases)
        known, weighed = grid.known, np.where(grid.known, grid.values, 0.0)

        def average(times: NDArray[np.float64]) -> NDArray[np.float64]:
            with np.errstate(invalid="ignore"):  # 0/0 is NaN, the mark of "no value" here
                mean: NDArray[np.float64] = (weighed @ times.T) / (known @ times.T)
            return mean

    else:
        metric = metrics.get(term.source)
        if metric is None or metric.declaration.pool is None:
            must = "be a metric that pools its scores"
            raise InvalidInput(Problem(term.source, must, "none", "Average it macro."))
        pool, arguments = metric.declaration.pool, metric.arguments
        parts, known = table.parts(term.source, systems, cases)

        def average(times: NDArray[np.float64]) -> NDArray[np.float64]:
            if not known.any():  # without a score there are no parts to pool
                return np.full((len(systems), len(times)), np.nan)
            sums = np.einsum("scp,rc->srp", parts, times)
            return np.where(known @ times.T > 0, pool(sums, arguments), np.nan)

    computed = _given(table, term.source, systems, cases) & asked
    short = (computed.any(axis=0) & asked & ~computed).sum(axis=1) * computed.any(axis=1)
    value, drawn = average(once)[:, 0], average(counts)
    value[short > 0], drawn[short > 0] = np.nan, np.nan
    counts_of = known.sum(axis=1), (asked & ~known).sum(axis=1), short
    return _Averages(value, drawn, *counts_of, np.logical_or.reduce(computed))


def _given(
    table: ScoreTable, source: str, systems: Sequence[str], cases: Sequence[str]
) -> NDArray[np.bool_]:
    """Say which scores somebody computed, whatever came of it: the others were never imported."""
    rows = table.select(source)
    lost = rows.filter(rows["reason"] == Reason.NOT_IMPORTED.value)
    computed = np.ones((len(systems), len(cases)), dtype=np.bool_)
    at_system = {name: i for i, name in enumerate(systems)}
    at_case = {name: i for i, name in enumerate(cases)}
    for system, case in lost.select("system", "case").iter_rows():
        if system in at_system and case in at_case:
            computed[at_system[system], at_case[case]] = False
    return computed


def _imported_in_part(by_term: Mapping[Term, _Averages]) -> str:
    """Say which columns were brought for fewer cases than the others: no mean of both is one."""
    every = np.any([averages.cases for averages in by_term.values()], axis=0)
    wide = int(every.sum())
    had = {term.source: int(averages.cases.sum()) for term, averages in by_term.items()}
    narrow = {name: n for name, n in had.items() if 0 < n < wide}
    text = "; ".join(f"{name} was imported for {n} of {wide} cases" for name, n in narrow.items())
    return f"{text}, and the other columns have all of them" if text else ""


def _why_empty(term: Term, averages: _Averages, system: int) -> str:
    short, scored = int(averages.short[system]), int(averages.scored[system])
    if not short or not scored:
        return f"no scored case in {term.source}"
    return (
        f"{term.source} was imported for {count_of(scored, 'case')} here and not for {short} that "
        "other systems have"
    )


def _mean(values: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    mean: NDArray[np.float64] = np.mean(np.asarray(values), axis=0)
    return mean

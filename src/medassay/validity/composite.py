"""One number a system, made of several columns of scores: macro, micro, and means of them."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from medassay.errors import InvalidInput, Problem
from medassay.marks import SystemName, Words, record
from medassay.metrics import BoundMetric
from medassay.scores import Reason, ScoreTable
from medassay.stats import (
    Interval,
    bootstrap_counts,
    percentile_interval,
)
from medassay.stats.randomness import Rng, as_generator
from medassay.text import count_of
from medassay.validity.pooled_ranks import Place, rank_pooled

__all__ = ["Composite", "CompositeValue", "Term", "composite_values"]

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
        ranked: Whether systems are ranked by it, and told apart.
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

    The interval is the 95 % percentile interval of the bootstrap over cases, or their clusters.
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
        places = rank_pooled(
            value, drawn, pseudo, whole, rng=rng, clusters=clusters, decimals=composite.decimals
        )
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

"""What each rater does that the others do not."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from medassay.consensus import ConsensusDetails, consensus_details, title_of
from medassay.judgements import Judgements
from medassay.marks import DesignName, RaterName, SystemName, Words, record
from medassay.stats import Interval, bootstrap_counts, percentile_interval
from medassay.stats.randomness import Rng, as_generator, drawn_seed, stream
from medassay.validity import effects
from medassay.validity.backwards import read_backwards
from medassay.validity.competence import competences
from medassay.validity.drifting import drift_p
from medassay.validity.gap_interval import gap_interval
from medassay.validity.halo import halo_columns
from medassay.validity.identical_runs import longest_run
from medassay.validity.rater_rows import RaterRows, rater_rows
from medassay.validity.strictness import strictness_p

__all__ = ["BACKWARDS", "KINDS", "RaterDiagnostic", "diagnose_raters"]

_Floats = NDArray[np.float64]

Kind = Literal[
    "severity",
    "central tendency",
    "halo",
    "anchoring",
    "drift",
    "favouring",
    "identical run",
    "speed",
    "competence",
    "reversed",
]

KINDS: Final[dict[Kind, str]] = {
    "severity": "points above (+) or below (−) what the others gave the same answers",
    "central tendency": "spread of the rater's scores over that of the others' scores of the same "
    "answers; below 1 the rater stays nearer to the middle",
    "halo": "correlation of the rater's scores of two dimensions over the same answers, less that "
    "of the others' mean scores; above 0 the rater's dimensions move together more",
    "anchoring": "correlation of how far a label lies from the others' mean with how far the one "
    "before did; above 0 a label leans on the one before",
    "drift": "points that the rater moves, against the others, over a hundred places further on",
    "favouring": "points above the others for this system, less the same for the other systems",
    "identical run": "longest run of one label, less what the same labels in random order give on "
    "average",
    "speed": "share of judgements faster than a fifth of the panel's median",
    "competence": "how often the rater knows rather than guesses",
    "reversed": "correlation of the rater's scores with the others' mean scores of the same "
    "answers, where it lies so far below 0 that the scale may have been read the other way round",
}
"""What each effect is, and what its sign means."""

BACKWARDS: Final = "a rater may have read the scale the other way round"
"""Why nobody is called severe, or mild, on a dimension."""
_ESTIMAND: Final = "this rater, new cases"
_FEWEST: Final = 5
_FAST: Final = 0.2


@record(infers=True)
class RaterDiagnostic:
    """One thing that a rater does and the others do not.

    Attributes:
        rater: The rater.
        dimension: The dimension; for a halo two of them, as "a, b".
        kind: One of `KINDS`.
        meaning: What the effect is, and what its sign means.
        about: The system, where the kind is favouring; the MACE that was fitted, by its canonical
            name, where it is competence; else empty.
        effect: Its size; None where undefined.
        interval: Of the effect, over new cases; of an identical run, what random orders give.
        n: Labels that it rests on.
        reason: Why there is no effect or no interval; empty where both are there.
        p: That luck makes one of all raters and dimensions stand as far apart: of a severity
            (`strictness_p`), a drift (`drift_p`) and a reversed scale (`read_backwards`); None of
            other kinds, and of raters with too few labels.
    """

    rater: RaterName
    dimension: DesignName
    kind: Kind
    meaning: Words
    about: SystemName
    effect: float | None
    interval: Interval | None
    n: int
    reason: Words = ""
    p: float | None = None


def diagnose_raters(
    judgements: Judgements,
    *,
    rng: Rng,
    fits: Sequence[ConsensusDetails] | None = None,
    phases: Sequence[str] | None = None,
    clusters: Mapping[str, str] | None = None,
    replicates: int = 1000,
    level: float = 0.95,
) -> list[RaterDiagnostic]:
    """Who is severe, timid, carried along, tired, partial, careless or hasty, and by how much?

    Every effect compares a rater with the other raters of the same answers, so that a rater who got
    the harder answers is not called severe. Intervals resample cases; for favouring, which rests on
    the labels of one system, they are t intervals over cases. They are not adjusted for how many
    raters and effects are looked at: with twenty raters one in twenty stands out by luck; the p of
    a severity, a drift and a reversed scale is. One whose
    scores fall where the others' rise (`read_backwards`) has an effect of its own, and on that
    dimension nobody is severe: how far who reads a scale backwards lies from the others is neither
    that rater's severity nor theirs.

    Args:
        judgements: What the raters said.
        rng: One number is drawn from it, which seeds everything else.
        fits: The fitted models whose competences stand among the effects, as `consensus_details`
            gives them for the same phases; methods other than MACE are passed over. MACE with its
            defaults is fitted here where none are given.
        phases: Which phases to read.
        clusters: Case to cluster, whose answers are moved together by the test of severity; cases
            without one are apart.
        replicates: Resamples of the cases; for the competence, which is fitted anew each time, a
            tenth of them.
        level: Coverage of the intervals.

    Returns:
        Sorted by dimension in the rubric's order, rater and kind.

    Source: for severity, central tendency, halo and drift: Saal, Downey & Lahey (1980), Rating the
        ratings, doi:10.1037/0033-2909.88.2.413.
    """
    rng = as_generator(rng)
    seed = drawn_seed(rng)
    if fits is None:
        fits = consensus_details(judgements, ["mace"], phases=phases, rng=rng)
    judged = set(judgements.frame["dimension"])
    rater_diagnostics: list[RaterDiagnostic] = []
    laid_out = {}
    for dimension in judgements.rubric.ids:
        rows = rater_rows(judgements, dimension, phases) if dimension in judged else None
        if rows is not None and rows.raters:
            laid_out[dimension] = rows
    turned = read_backwards(laid_out, level=level)
    backward = {asked for asked, _ in turned}
    upright = {name: rows for name, rows in laid_out.items() if name not in backward}
    luck: dict[Kind, Mapping[tuple[str, str], float]] = {
        "severity": strictness_p(upright, rng=stream(seed, "s69"), clusters=clusters),
        "drift": drift_p(upright, clusters=clusters),
        "reversed": turned,
    }
    for dimension, rows in laid_out.items():
        drawn = stream(seed, "s05", dimension)
        weights = bootstrap_counts(len(rows.cases), replicates, drawn)
        for place, rater in enumerate(rows.raters):
            own = rows.rater == place
            backwards = (dimension, rater) in turned
            for plan in _plans(rows, own, backwards=backwards):
                diagnostic = _measure(plan, rows, weights, level)
                p = luck.get(plan.kind, {}).get((dimension, rater))
                diagnostic = _tested(diagnostic, p, turned=dimension in backward)
                rater_diagnostics.append(replace(diagnostic, rater=rater, dimension=dimension))
            drawn = stream(seed, "s06", dimension, rater)
            run = longest_run(rows, own, drawn, replicates, level)
            rater_diagnostics.append(_told(rater, dimension, "identical run", "", *run))
        few = max(20, replicates // 10)
        rater_diagnostics += [
            _told(rater, dimension, "competence", fit.method, effect, interval, n, why)
            for fit in fits
            if fit.units.dimension == dimension
            for rater, effect, interval, n, why in competences(
                fit, stream(seed, "s07", dimension), few, level
            )
        ]
    for (first, second), columns in halo_columns(laid_out).items():
        drawn = stream(seed, "s08", first, second)
        weights = bootstrap_counts(len(laid_out[first].cases), replicates, drawn)
        for rater, rows_of in columns.items():
            plan = _Plan("halo", "", rows_of.case, rows_of.values, _halo)
            diagnostic = _measure(plan, laid_out[first], weights, level)
            rater_diagnostics.append(
                replace(diagnostic, rater=rater, dimension=f"{first}, {second}")
            )
    order = {kind: i for i, kind in enumerate(KINDS)}
    rank = {name: i for i, name in enumerate(judgements.rubric.ids)}
    rater_diagnostics.sort(
        key=lambda d: (
            rank[d.dimension.split(", ")[0]],
            d.rater,
            order[d.kind],
            d.dimension,
            d.about,
        )
    )
    return rater_diagnostics


def _tested(diagnostic: RaterDiagnostic, p: float | None, *, turned: bool) -> RaterDiagnostic:
    """Give an effect its p; it is no severity where somebody may have read the scale backwards."""
    if turned and diagnostic.kind == "severity":
        return replace(diagnostic, effect=None, interval=None, reason=BACKWARDS)
    return diagnostic if diagnostic.effect is None else replace(diagnostic, p=p)


def _told(
    rater: str,
    dimension: str,
    kind: Kind,
    about: str,
    effect: float | None,
    interval: Interval | None,
    n: int,
    reason: str,
) -> RaterDiagnostic:
    """Give the effect with what it means; of a competence also by which fit it is."""
    meaning = f"{KINDS[kind]}, by {title_of(about)}" if kind == "competence" else KINDS[kind]
    return RaterDiagnostic(rater, dimension, kind, meaning, about, effect, interval, n, reason)


@dataclass(frozen=True, slots=True, eq=False)
class _Plan:
    """Columns to add up by case, and the effect that their sums give."""

    kind: Kind
    about: str
    case: NDArray[np.int64]
    columns: _Floats
    effect: effects.Effect
    lacking: str = ""


def _plans(rows: RaterRows, own: NDArray[np.bool_], *, backwards: bool) -> Iterator[_Plan]:
    shared = own & (rows.others_n > 0)
    case, score = rows.case[shared], rows.score[shared]
    gap = score - rows.others[shared]
    ones = np.ones(len(gap))
    alone = "" if len(gap) else "nobody else judged this rater's answers"

    def plan(
        kind: Kind, columns: Sequence[_Floats], effect: effects.Effect, about: str = ""
    ) -> _Plan:
        return _Plan(kind, about, case, np.stack(columns, axis=1), effect, alone)

    yield plan("severity", (gap, ones), effects.ratio)
    if backwards:
        others = rows.others[shared]
        together = (score, others, score * others, score**2, others**2, ones)
        yield plan("reversed", together, effects.correlation)
    sums, squares, n = (
        column[shared] for column in (rows.others_sum, rows.others_squares, rows.others_n)
    )
    yield plan("central tendency", (score, score**2, ones, sums, squares, n), effects.sd_ratio)
    at = rows.position[shared]
    placed = ~np.isnan(at)
    unplaced = alone or ("" if placed.any() else "positions are not known")
    # Rows of one rater are in the order of positions.
    before, after = gap[placed][:-1], gap[placed][1:]
    yield _Plan(
        "anchoring", "", case[placed][1:], _pairs(before, after), effects.correlation, unplaced
    )
    drift = _pairs(at[placed] / 100, gap[placed])
    yield _Plan("drift", "", case[placed], drift, effects.slope, unplaced)
    systems = np.array(rows.system)[shared]
    for system in np.unique(systems) if len(set(systems)) > 1 else ():
        here = (systems == system).astype(np.float64)
        columns = (gap * here, here, gap * (1 - here), 1 - here)
        yield plan("favouring", columns, effects.difference_of_means, str(system))
    took = rows.seconds[own]
    timed = ~np.isnan(took)
    limit = _FAST * float(np.median(rows.seconds[~np.isnan(rows.seconds)])) if timed.any() else 0.0
    quick = np.stack([(took[timed] < limit).astype(np.float64), np.ones(timed.sum())], axis=1)
    untimed = "" if timed.any() else "seconds are not known"
    yield _Plan("speed", "", rows.case[own][timed], quick, effects.ratio, untimed)


def _pairs(x: _Floats, y: _Floats) -> _Floats:
    return np.stack([x, y, x * y, x * x, y * y, np.ones(len(x))], axis=1)


def _halo(sums: _Floats) -> _Floats:
    return effects.correlation(sums[..., :6]) - effects.correlation(sums[..., 6:])


def _measure(plan: _Plan, rows: RaterRows, weights: _Floats, level: float) -> RaterDiagnostic:
    n = len(plan.case)
    if plan.lacking or n < _FEWEST:
        why = plan.lacking or f"fewer than {_FEWEST} labels ({n})"
        return _told("", "", plan.kind, plan.about, None, None, n, why)
    by_case = np.zeros((len(rows.cases), plan.columns.shape[1]))
    np.add.at(by_case, plan.case, plan.columns)
    effect = float(plan.effect(by_case.sum(axis=0)))
    if np.isnan(effect):
        why = "what is compared does not vary"
        return _told("", "", plan.kind, plan.about, None, None, n, why)
    if plan.kind == "favouring":
        around = gap_interval(by_case, estimand=_ESTIMAND, level=level)
        why = "" if around else "the labels of one system lie in one case, or do not vary"
        return _told("", "", plan.kind, plan.about, effect, around, n, why)
    drawn = plan.effect(weights @ by_case)
    values = drawn[~np.isnan(drawn)]
    interval, why = None, ""
    if 2 * values.size < drawn.size:
        why = "more than half of the resamples have no effect"
    elif np.ptp(values) == 0:
        why = "every resample has the same effect: that does not show how far it could lie"
    else:
        interval = percentile_interval(values, estimand=_ESTIMAND, level=level)
    return _told("", "", plan.kind, plan.about, effect, interval, n, why)

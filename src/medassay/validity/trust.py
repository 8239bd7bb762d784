"""The same resamples of cases and systems for every block of sources."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from medassay.annotations import DesignName, PValue, Words, record
from medassay.scores import Grid
from medassay.stats import (
    Interval,
    Reliability,
    benjamini_hochberg,
    best_shares,
    bootstrap_counts,
    holm,
    percentile_interval,
    simultaneous_level,
    tau_within,
)
from medassay.stats.intervals import group_labels
from medassay.stats.randomness import Rng, as_generator, drawn_seed, stream
from medassay.validity.block import Block, blocks
from medassay.validity.controls import NOISE, noise_bar
from medassay.validity.more_judgements import MoreJudgements, more_judgements
from medassay.validity.order_test import OrderTest, order_test, order_tests_over_all
from medassay.validity.simulated_coverage import coverage_warning
from medassay.validity.source import Source, in_canonical_order
from medassay.validity.surrogacy import (
    Surrogacy,
    VersionSurrogacy,
    adjusted_over_all,
    strength_between_versions,
    surrogacy,
    version_surrogacy,
)
from medassay.validity.tau_interval import (
    ESTIMANDS,
    FEWEST_CASES,
    FEWEST_FAMILIES,
    Method,
    Resampling,
    interval_of,
    replicates_of,
    too_few,
)
from medassay.validity.uses import Evidence, Permit, Scope, Use, permit

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """How often each case and each system is drawn in each resample.

    Drawn once over all systems and cases of the study, so that resamples stay paired between
    metrics that know different answers.
    """

    systems: dict[str, int]
    cases: dict[str, int]
    by_system: Floats
    by_case: Floats
    how: Resampling

    def of(self, block: Block) -> tuple[Floats, Floats]:
        """Give the counts of the block's cases and of its systems."""
        return (
            self.by_case[:, [self.cases[case] for case in block.cases]],
            self.by_system[:, [self.systems[system] for system in block.systems]],
        )

    def too_few(self, block: Block) -> str:
        """Say why the block cannot be resampled; nothing where it can."""
        cases = len(set(group_labels(block.cases, self.how.clusters)))
        systems = len(set(group_labels(block.systems, self.how.families)))
        return too_few(cases, FEWEST_CASES, "case", self.how.clusters) or too_few(
            systems, FEWEST_FAMILIES, "system", self.how.families
        )


def draw(grid: Grid, how: Resampling) -> Draws:
    """Draw whole clusters of cases and whole families of systems, with replacement."""
    layout = in_canonical_order(grid)
    of_case = group_labels(layout.cases, how.clusters)
    of_system = group_labels(layout.systems, how.families)
    cases = stream(how.seed, "s15", *layout.cases)
    systems = stream(how.seed, "s16", *layout.systems)
    by_system = bootstrap_counts(len(layout.systems), how.replicates, systems, of_system)
    by_case = bootstrap_counts(len(layout.cases), how.replicates, cases, of_case)
    return Draws(
        {name: i for i, name in enumerate(layout.systems)},
        {name: i for i, name in enumerate(layout.cases)},
        by_system,
        by_case,
        how,
    )


_FEWEST_CASES: Final = 5


@dataclass(frozen=True, slots=True, eq=False)
class WithinCase:
    """Mean tau-b within cases.

    Attributes:
        mean: Over the cases that have one; None where none has.
        cases: How many have one.
        replicates: The mean over each resample of the cases; NaN where it holds no such case.
    """

    mean: float | None
    cases: int
    replicates: Floats

    def interval(self, level: float) -> Interval | None:
        """Give the percentile interval; a mean over cases is not biased by resampling them."""
        if self.mean is None or self.cases < _FEWEST_CASES:
            return None
        estimand = "these systems, new cases"
        made = percentile_interval(self.replicates, estimand=estimand, level=level)
        return made if made.low < made.high else None


def within_case(block: Block, draws: Draws) -> list[list[WithinCase]]:
    """Hold every metric of a block against every consensus, case by case."""
    split = len(block.metrics)
    by_case, _ = draws.of(block)
    by_metric = []
    for human in block.values[split:]:
        taus = tau_within(block.values[:split], human, block.known)
        known = ~np.isnan(taus)
        sums = by_case @ np.where(known, taus, 0.0).T
        with np.errstate(invalid="ignore", divide="ignore"):  # 0/0 is what NaN marks here
            replicates = sums / (by_case @ known.T.astype(np.float64))
        means = [
            float(row[have].mean()) if have.any() else None
            for row, have in zip(taus, known, strict=True)
        ]
        by_metric.append(
            [
                WithinCase(mean, int(have.sum()), column)
                for mean, have, column in zip(means, known, replicates.T, strict=True)
            ]
        )
    return [list(row) for row in zip(*by_metric, strict=True)]


EXPLORATORY = "exploratory: study.toml names other metrics or dimensions as primary ([report])"


@dataclass(frozen=True, slots=True)
class Primary:
    """What is tested and permitted; the rest is exploratory.

    Attributes:
        metrics: The primary metrics; None where all are.
        consensuses: The raters' consensuses on the primary dimensions; None where all are.
    """

    metrics: frozenset[str] | None = None
    consensuses: frozenset[str] | None = None

    def holds(self, metric: str, consensus: str) -> bool:
        """Say whether a metric on a dimension belongs to the family.

        Example:
            >>> Primary(frozenset({"rouge1"})).holds("rouge1", "mean(dimension=quality)")
            True
            >>> Primary(frozenset({"rouge1"})).holds("rouge2", "mean(dimension=quality)")
            False
        """
        named = self.metrics is None or metric in self.metrics
        return named and (self.consensuses is None or consensus in self.consensuses)


@record(infers=True)
class TrustEntry:
    """One metric, or one control, on one dimension.

    Attributes:
        metric: Its name.
        role: `metric`, or `control`: known to know nothing of what an answer says.
        tau: Kendall's tau-b of the system means; None where undefined.
        interval: Over new systems and new cases, holding for all metrics of the table at once.
        p: Two-sided permutation p of tau.
        p_adjusted: After Holm over the primary metrics of the table; None for the others.
        p_fdr: After Benjamini and Hochberg over the same.
        p_best: Share of the resamples in which it has the highest tau of all metrics.
        within: Mean tau-b within cases; None where undefined.
        within_interval: Over new cases, holding for all metrics at once.
        beaten_by: Controls that do as well as it.
        uses: What it may be used for; `exploratory` where the study was not made to test it.
        why: Why so, and no more, of ranking and screening.
        why_gate: Why it may gate between systems or not.
        order: Whether the order stands without any two systems, and what a tau must exceed to
            rank; none for a control.
        surrogacy: What a difference in it foretells of the raters'; none for a control.
        more: What would change that; None for a control, which nothing would.
        n_systems: Systems with an answer that both know.
        n_cases: Cases with one.
        n_answers: Answers that both know.
        adjusted: Whether the means are adjusted by case, since not every system has every case.
        reason: Why there is no tau or no interval; empty where there are both.
        scopes: What it may gate: `between systems`, `between versions`, both or neither.
        versions: What a change in it between versions of one system foretells of the raters'; none
            for a control.
        why_versions: Why it may gate between versions or not.
    """

    metric: DesignName
    role: Literal["metric", "control"]
    tau: float | None
    interval: Interval | None
    p: PValue | None
    p_adjusted: PValue | None
    p_fdr: PValue | None
    p_best: float | None
    within: float | None
    within_interval: Interval | None
    beaten_by: tuple[DesignName, ...]
    uses: tuple[Use, ...]
    why: Words
    why_gate: Words
    order: OrderTest | None
    surrogacy: Surrogacy | None
    more: MoreJudgements | None
    n_systems: int
    n_cases: int
    n_answers: int
    adjusted: bool = False
    reason: Words = ""
    scopes: tuple[Scope, ...] = ()
    versions: VersionSurrogacy | None = None
    why_versions: Words = ""


@record(infers=True)
class Trust:
    """All metrics on one dimension, the highest tau first, then the controls.

    Attributes:
        consensus: What they are held against.
        entries: Metrics, then controls.
        noise: The tau that the best of as many random metrics stays below in 95% of draws; None
            where the raters' means do not differ.
        each_level: The level at which each interval was taken, so that all hold at `level`.
        level: Of all intervals together.
        reliability: Of the raters' means.
    """

    consensus: DesignName
    entries: tuple[TrustEntry, ...]
    noise: float | None
    each_level: float
    level: float
    reliability: Reliability


FEW_SYSTEMS: Final = 24
"""Below so many systems basic intervals for tau cover too little, from there on bias-corrected
ones: see simulations/coverage-trust.md."""
_ALIKE: Final = 1e-9
_ALL: Final = Primary()
_UNTESTED: Final = Permit(("exploratory",), EXPLORATORY, EXPLORATORY, why_versions=EXPLORATORY)
_KNOWS_NOTHING: Final = Permit(("never",), "it knows nothing of what an answer says", "")
_GIVE: Final = ("it gives", "the raters give")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Pair(Evidence):
    """What one source and one consensus say together: all that a verdict rests on.

    The order of the systems: tau, its p, its replicates over cases and over systems and cases; and
    why those cannot make an interval.
    """

    name: str
    block: Block
    metric: int
    consensus: int
    p: float | None
    over_cases: Floats
    over_both: Floats
    few: str
    within: WithinCase
    versions: VersionSurrogacy


def trust(  # noqa: PLR0913 - each is a choice of its own, and all but four have a default
    metrics: Sequence[Source],
    controls: Sequence[Source],
    consensuses: Sequence[Source],
    *,
    rng: Rng,
    clusters: Mapping[str, str] | None = None,
    families: Mapping[str, str] | None = None,
    replicates: int = 10_000,
    level: float = 0.95,
    primary: Primary = _ALL,
    method: Method | None = None,
) -> list[Trust]:
    """Which numbers may be trusted in place of the raters, and for what?

    For each consensus: tau-b of every metric (of means adjusted by case where not every system has
    every case, as in `correlate`) with an interval that holds for all of them at once,
    whichever is picked (`stats.simultaneous_level`); the share of resamples in which each is the
    best; what controls and pure noise reach; and the uses that `uses.permit` allows. Resampled are
    systems (whole families) and cases (whole clusters) together: the estimand is new systems on
    new cases. Intervals are basic ones from `FEW_SYSTEMS` systems on, bias-corrected below, as the
    simulation in `simulations/coverage-trust.md` advises. The raters' consensus is held fixed.

    Args:
        metrics: The candidates; the same systems and cases as every other source.
        controls: Columns that know nothing of what an answer says; never candidates.
        consensuses: One a dimension.
        rng: One number is drawn from it, which seeds everything else.
        clusters: Case to cluster; a case that is not named is a cluster alone.
        families: System to family; a system that is not named is a family alone.
        replicates: Bootstrap resamples.
        level: Of all intervals of a table together.
        primary: What the study was made to test. Holm, the intervals and the bar of chance reckon
            with these metrics, and the gate with these on these dimensions; the others are shown
            as exploratory, without an adjusted p and without a permit. On a dimension that is not
            primary all are exploratory.
        method: Of the intervals; chosen by the number of systems if not given.

    Returns:
        One table for each consensus, in the order given.

    Raises:
        InvalidInput: The sources are not laid out over the same systems and cases.

    Example:
        >>> from medassay.scores import Grid
        >>> rng = np.random.default_rng(1)
        >>> truth = np.arange(12.0)[:, None] + 4 * rng.normal(size=(12, 30))
        >>> names = tuple("ABCDEFGHIJKL"), tuple(map(str, range(30)))
        >>> def column(name, values):
        ...     return Source(name, Grid(*names, values, np.ones((12, 30), bool)))
        >>> good = column("good", truth + 4 * rng.normal(size=(12, 30)))
        >>> poor = column("poor", -truth)
        >>> judged = column("h", truth + 4 * rng.normal(size=(12, 30)))
        >>> [table] = trust([good, poor], [], [judged], rng=rng, replicates=500)
        >>> [(entry.metric, entry.uses) for entry in table.entries]
        [('good', ('rank', 'gate')), ('poor', ('never',))]
    """
    rng = as_generator(rng)
    if not metrics or not consensuses:
        return []
    layout = consensuses[0].grid
    chosen = method or ("bias-corrected" if len(layout.systems) < FEW_SYSTEMS else "basic")
    how = Resampling(drawn_seed(rng), replicates, level, chosen, clusters, families)
    draws = draw(layout, how)
    pairs = _pairs(metrics, controls, consensuses, primary, draws)
    return [
        _table(
            consensus,
            [pairs[i, j] for i in range(len(metrics))],
            [pairs[i, j] for i in range(len(metrics), len(metrics) + len(controls))],
            how,
            primary,
        )
        for j, consensus in enumerate(consensuses)
    ]


def _pairs(
    metrics: Sequence[Source],
    controls: Sequence[Source],
    consensuses: Sequence[Source],
    primary: Primary,
    draws: Draws,
) -> dict[tuple[int, int], _Pair]:
    """Hold every source against every consensus.

    The p of primary metrics' orders and lines are adjusted over all dimensions; no control counts.
    """
    pairs: dict[tuple[int, int], _Pair] = {}
    sources, how = [*metrics, *controls], draws.how
    for block in blocks(sources, consensuses):
        taus = block.taus
        p, _ = block.permutation_p(how.seed)
        cases = both = np.full((how.replicates, *taus.shape), np.nan)
        if not np.isnan(taus).all():
            cases, both = replicates_of(block, *draws.of(block))
        inside = within_case(block, draws)
        for a, b in np.ndindex(taus.shape):
            i, defined = block.metrics[a], not np.isnan(taus[a, b])
            pairs[i, block.consensuses[b]] = _Pair(
                name=sources[i].name,
                block=block,
                metric=a,
                consensus=b,
                tau=float(taus[a, b]) if defined else None,
                low=None,
                high=None,
                reliability=None,
                beaten_by=(),
                p=float(p[a, b]) if defined else None,
                missing="" if defined else block.why_no_order(a, b, _GIVE),
                over_cases=cases[:, a, b],
                over_both=both[:, a, b],
                few=draws.too_few(block),
                within=inside[a][b],
                order=order_test(block, a, b, how.families),
                surrogacy=surrogacy(block, a, b, how.families),
                versions=version_surrogacy(block, a, b, how.families),
            )
    tested = [
        (i, j)
        for i, j in pairs
        if i < len(metrics) and primary.holds(metrics[i].name, consensuses[j].name)
    ]
    lines = adjusted_over_all([pairs[at].surrogacy for at in tested])
    changes = adjusted_over_all([pairs[at].versions for at in tested])
    orders = order_tests_over_all([pairs[at].order for at in tested])
    for at, line, change, order in zip(tested, lines, changes, orders, strict=True):
        pairs[at] = replace(pairs[at], surrogacy=line, versions=change, order=order)
    return pairs


def _table(
    consensus: Source,
    metrics: list[_Pair],
    controls: list[_Pair],
    how: Resampling,
    primary: Primary,
) -> Trust:
    tested = {metric.name for metric in metrics if primary.holds(metric.name, consensus.name)}
    family = [metric for metric in metrics if metric.name in tested] or metrics
    valued = [metric for metric in family if metric.tau is not None]
    both = _side_by_side([candidate.over_both for candidate in valued], how)
    each = replace(how, level=simultaneous_level(both, how.level))
    inside = [metric.within.replicates for metric in family if metric.within.mean is not None]
    inside_level = simultaneous_level(_side_by_side(inside, how), how.level)
    widest = max(
        [*metrics, *controls],
        key=lambda candidate: (candidate.block.adjustment.linked, len(candidate.block.systems)),
    )
    at = len(widest.block.metrics) + widest.consensus
    reliability = widest.block.reliability(at, how.clusters)
    bar = None
    ranks = widest.block.ranked[1][widest.consensus]
    if valued and ranks.max(initial=0) > 0:
        bar = noise_bar(ranks, len(valued), rng=stream(how.seed, "s20", *widest.block.systems))
    p = [candidate.p for candidate in valued if candidate.p is not None]
    adjusted = zip(holm(p).tolist(), benjamini_hochberg(p).tolist(), strict=True)
    best = best_shares(both).tolist()
    extras = {
        candidate.name: (*pair, share)
        for candidate, pair, share in zip(valued, adjusted, best, strict=True)
    }
    # One draw of random numbers proves nothing: chance is beaten by the bar, not by this draw.
    rivals = [control for control in controls if control.name != NOISE]
    # A control has no better end, so its strength counts.
    reached = {rival.name: abs(rival.tau) for rival in rivals if rival.tau is not None}
    reached |= {"chance": bar} if bar is not None else {}
    between = [
        (
            control.name,
            strength_between_versions(
                control.block, control.metric, control.consensus, how.families
            ),
        )
        for control in rivals
        if control.versions.p is not None
    ]
    entries = []
    for pair in metrics:
        interval, why = None, pair.missing or pair.few
        if pair.tau is not None and not why:
            made = interval_of(pair.tau, pair.over_both, ESTIMANDS[2], each)
            interval, why = made.interval, made.undefined
        known = replace(
            pair,
            low=interval.low if interval else None,
            high=interval.high if interval else None,
            reliability=reliability.value,
            beaten_by=tuple(
                name
                for name, strength in reached.items()
                if pair.tau is not None and strength >= pair.tau - _ALIKE
            ),
            missing=why,
            interval_warning=coverage_warning(len(pair.block.systems), reliability.value),
            beaten_between_versions=tuple(
                name for name, p in between if p <= (pair.versions.p or 0.0)
            ),
        )
        holms, fdr, share = extras.get(pair.name, (None, None, None))
        in_family = pair.name in tested
        allowed = permit(known) if in_family else _UNTESTED
        more = more_judgements(
            known.tau,
            known.low,
            allowed.uses,
            (_variance(known.over_cases), _variance(known.over_both)),
            (len(known.block.systems), len(known.block.cases)),
            beaten_by=known.beaten_by,
            order=known.order,
            interval_warning=known.interval_warning,
        )
        entries.append(
            replace(
                _entry(known, "metric", allowed),
                interval=interval,
                p_adjusted=holms if in_family else None,
                p_fdr=fdr if in_family else None,
                p_best=share if interval else None,
                within_interval=pair.within.interval(inside_level),
                order=pair.order,
                surrogacy=pair.surrogacy,
                more=more if in_family else None,
                versions=pair.versions,
            )
        )
    entries.sort(key=lambda entry: (entry.tau is None, -(entry.tau or 0.0), entry.metric))
    entries += [_entry(control, "control", _KNOWS_NOTHING) for control in controls]
    return Trust(consensus.name, tuple(entries), bar, each.level, how.level, reliability)


def _entry(pair: _Pair, role: Literal["metric", "control"], allowed: Permit) -> TrustEntry:
    """A control stands beside the metrics, without interval: nobody may pick it."""
    return TrustEntry(
        metric=pair.name,
        role=role,
        tau=pair.tau,
        interval=None,
        p=pair.p,
        p_adjusted=None,
        p_fdr=None,
        p_best=None,
        within=pair.within.mean,
        within_interval=None,
        beaten_by=pair.beaten_by,
        uses=allowed.uses,
        why=allowed.why,
        why_gate=allowed.why_gate,
        order=None,
        surrogacy=None,
        more=None,
        n_systems=len(pair.block.systems),
        n_cases=len(pair.block.cases),
        n_answers=int(pair.block.known.sum()),
        adjusted=pair.block.adjusted,
        reason=pair.missing,
        scopes=allowed.scopes,
        why_versions=allowed.why_versions,
    )


def _side_by_side(columns: list[Floats], how: Resampling) -> Floats:
    return np.array(columns).reshape(len(columns), how.replicates).T


def _variance(replicates: Floats) -> float:
    values = replicates[~np.isnan(replicates)]
    return float(values.var()) if values.size else 0.0

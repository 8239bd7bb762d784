"""How often does the best of all metrics that were tried go as far with the raters by chance?"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.annotations import DesignName, PValue, Words, record
from medassay.api_checks import Draws, Level, brief, checked
from medassay.stats import Interval, PMethod, Reliability, pair_index
from medassay.stats.randomness import Rng, as_generator, drawn_seed
from medassay.validity.block import FEWEST_SYSTEMS, Block, blocks
from medassay.validity.source import Source
from medassay.validity.tau_interval import Method, Resampling, TauInterval, tau_intervals

Floats = NDArray[np.float64]
_ORDERS: Final = 5_000
_CELLS: Final = 4_000_000
_SLACK: Final = 1e-9


@record(infers=True)
class ControlByChance:
    """How often a control goes further with the raters than every metric, by chance.

    Attributes:
        dimension: The dimension.
        share: Of random orders of the systems, from 0 to 1.
    """

    dimension: DesignName
    share: float


@record(infers=True)
class BestByChance:
    """What the best of many metrics reaches by chance.

    Attributes:
        metrics: How many metrics were tried.
        share: Of random orders of the systems, in which the best of them goes as far with the
            raters on some dimension as the best one does here: the p of the strongest.
        controls: The same of controls, by dimension.
    """

    metrics: int
    share: float
    controls: tuple[ControlByChance, ...] = ()


def best_by_chance(
    metrics: Sequence[Source],
    consensuses: Sequence[Source],
    *,
    controls: Sequence[Source] = (),
    rng: Rng,
    orders: int = _ORDERS,
) -> BestByChance | None:
    """Put the systems into random orders, the same for all metrics and dimensions.

    In each order the largest |tau| of all metrics with all consensuses is held against the largest
    that was seen: share = (1 + #{max |tau*| ≥ max |tau|}) / (1 + orders). What metrics have in
    common stays, so that ten spellings of one metric count for little more than one.

    Args:
        metrics: The metrics that were tried.
        consensuses: One a dimension.
        controls: Sources that know nothing of what an answer says.
        rng: The source of randomness.
        orders: Random orders.

    Returns:
        None where no metric has a tau.

    Source: Westfall & Young (1993), Resampling-based multiple testing (max-T).

    Example:
        >>> from medassay.scores import Grid
        >>> rng = np.random.default_rng(1)
        >>> values = np.arange(6.0)[:, None] + rng.normal(size=(6, 40))
        >>> grid = Grid(tuple("ABCDEF"), tuple(map(str, range(40))), values, values < np.inf)
        >>> found = best_by_chance([Source("m", grid)], [Source("q", grid)], rng=2)
        >>> found.metrics, found.share < 0.01  # one order of 360
        (1, True)
    """
    rng = as_generator(rng)
    every = [*metrics, *controls]
    systems = sorted({name for source in every for name in source.grid.systems})
    keys = rng.random((orders, len(systems)))
    seen = np.zeros((len(every), len(consensuses)))
    drawn = np.zeros((orders, len(every), len(consensuses)), dtype=np.float32)
    for block in blocks(every, consensuses):
        if len(block.systems) < FEWEST_SYSTEMS or not block.adjustment.linked:
            continue
        own = keys[:, [systems.index(name) for name in block.systems]]
        rows, columns = np.array(block.metrics)[:, None], np.array(block.consensuses)
        seen[rows, columns] = np.abs(np.nan_to_num(block.taus))
        drawn[:, rows, columns] = _drawn(block, own)
    among = len(metrics)
    if not seen[:among].any():
        return None
    best = drawn[:, :among].max(axis=1)
    reached = best.max(axis=1) >= seen[:among].max() - _SLACK
    shares = [
        ControlByChance(consensus.dimension, float(ahead.mean()))
        for at, consensus in enumerate(consensuses)
        for ahead in [drawn[:, among:, at].max(axis=1, initial=0.0) > best[:, at] + _SLACK]
        if controls and consensus.dimension
    ]
    share = (1 + int(reached.sum())) / (1 + orders)
    return BestByChance(among, share, tuple(shares))


def _drawn(block: Block, keys: Floats) -> NDArray[np.float32]:
    """Give |tau| of every metric and consensus of a block in each order, shape (orders, ., .)."""
    first, second = pair_index(len(block.systems))
    ours, theirs = (
        np.sign(ranks[:, first] - ranks[:, second]).astype(np.float32) for ranks in block.ranked
    )
    scale = np.sqrt(np.outer((ours != 0).sum(axis=1), (theirs != 0).sum(axis=1)))
    order = np.argsort(keys, axis=1)
    taus = np.zeros((len(keys), len(ours), len(theirs)), dtype=np.float32)
    step = max(1, _CELLS // max(1, len(first)))
    for start, stop in pairwise([*range(0, len(keys), step), len(keys)]):
        for at, ranks in enumerate(block.ranked[1]):
            moved = ranks[order[start:stop]]
            signs = np.sign(moved[:, first] - moved[:, second]).astype(np.float32)
            taus[start:stop, :, at] = np.abs(signs @ ours.T)
    return np.divide(taus, scale, out=np.zeros_like(taus), where=scale > 0)


@record(infers=True)
class Validity:
    """How far one metric agrees with one consensus on the order of systems.

    Attributes:
        metric: Name of the metric.
        consensus: Name of the consensus.
        tau: Kendall's tau-b of the system means, positive where the two agree on what is better;
            None where undefined.
        p: Two-sided, over all orders of the systems; None where tau is.
        p_method: How p was had; None where tau is.
        n_systems: Systems with an answer that both know.
        n_cases: Cases with an answer that both know.
        n_answers: Answers that both know; the means of both are over these.
        metric_reliability: Share of the variance of the metric's means that is not luck of cases.
        consensus_reliability: The same of the consensus.
        intervals: One for each of `ESTIMANDS`, in that order; empty where tau is None.
        sign_turned: Whether tau is that of the raw values with the sign turned, because exactly one
            of the two is better when lower.
        adjusted: Whether the means are adjusted by case, since not every system has every case.
        undefined: Why there is no tau; empty where there is one.
        pairs_alike: Pairs of systems that both put in the same order; None where there is no tau.
        pairs_reversed: Pairs that one puts in the order opposite to the other's; the rest tie in
            one of them.
        dimension: Of the consensus; empty where nobody said.
        method: How the consensus was made; empty where nobody said.
        control: Whether the metric only controls the others.
        p_adjusted: Holm, over the primary metrics of this consensus, controls left out; None where
            nobody adjusted it, or it belongs to no family.
        p_adjusted_everywhere: Holm, over those of all dimensions of the consensus method: for who
            picks from the whole table.
    """

    metric: DesignName
    consensus: DesignName
    tau: float | None
    p: PValue | None
    p_method: PMethod | None
    n_systems: int
    n_cases: int
    n_answers: int
    metric_reliability: Reliability
    consensus_reliability: Reliability
    intervals: tuple[TauInterval, ...]
    sign_turned: bool
    adjusted: bool = False
    undefined: Words = ""
    pairs_alike: int | None = None
    pairs_reversed: int | None = None
    dimension: DesignName = ""
    method: DesignName = ""
    control: bool = False
    p_adjusted: PValue | None = None
    p_adjusted_everywhere: PValue | None = None

    __repr__ = brief

    @property
    def over_cases(self) -> Interval | None:
        """Give the interval for these systems on new cases."""
        return self.intervals[0].interval if self.intervals else None

    @property
    def over_systems(self) -> Interval | None:
        """Give the interval for new systems on these cases."""
        return self.intervals[1].interval if self.intervals else None

    @property
    def over_both(self) -> Interval | None:
        """Give the interval for new systems on new cases."""
        return self.intervals[2].interval if self.intervals else None

    @property
    def no_interval(self) -> str:
        """Say which intervals could not be had, and why; empty where all are there."""
        return "; ".join(f"{i.estimand}: {i.undefined}" for i in self.intervals if i.undefined)


@checked
def correlate(
    metrics: Sequence[Source],
    consensuses: Sequence[Source],
    *,
    rng: Rng,
    clusters: Mapping[str, str] | None = None,
    families: Mapping[str, str] | None = None,
    replicates: Draws = 10_000,
    level: Level = 0.95,
    method: Method = "basic",
) -> list[Validity]:
    """Which metrics order the systems as the raters do, and how sure is that?

    For every metric and every consensus: Kendall's tau-b of the system means, both taken over the
    answers that both know, and adjusted by case where not every system has every case
    (`stats.CaseAdjustment`); its permutation p (`stats.kendall`); and three intervals, each for a
    question of its own: these systems on new cases, new systems on these cases, new systems on new
    cases. A source that is better when lower is turned round first, so a positive
    tau always means that the two agree on what is better; a source without a direction is taken as
    it is. A source that gives all systems the same score on every case has no tau.

    p and the last two intervals treat systems as exchangeable; variants of one pipeline are not.
    Given families, whole families are drawn for the intervals. p does not know families: with few
    of them it is too small.

    The first is of the true means, which endless cases would show: they are drawn given those
    observed and how far cases move them (`stats.true_taus`), and it reaches as far as tau itself
    (`simulations/coverage-case-tau.md`). The others are bootstraps. Resampling cases adds noise to
    means that are noisy already, so the replicates lie nearer to 0 than tau does, the more so the
    lower the reliability. Reflection (basic intervals) undoes a part of that. Coverage of 95%
    intervals in `simulations/coverage-tau.md` (100 cases; reliability about 0.7 / 0.9 / 0.97):

    - 28 systems, new systems on new cases: basic 93 / 96 / 95%, percentile 39 / 92 / 99%,
      bias-corrected 84 / 95 / 97%.
    - 6 systems, new systems on new cases: basic 91 / 86 / 86%, bias-corrected 97 / 96 / 95%: with
      few systems ask for the latter where the question is about new systems.

    Each result depends on its own two sources and the seed alone: adding a metric, or reordering
    rows, changes no other number.

    Args:
        metrics: The columns to judge; the same systems and cases as every other source.
        consensuses: The columns to judge them by.
        rng: One number is drawn from it, which seeds everything else.
        clusters: Case to cluster; a case that is not named is a cluster alone.
        families: System to family; a system that is not named is a family alone.
        replicates: Bootstrap resamples for each interval.
        level: Coverage of the intervals.
        method: Of the two intervals for new systems: `basic` reflects the percentile interval at
            tau and cuts it at -1 and 1; `bias-corrected` and `percentile` as in `stats`.

    Returns:
        One result for each pair, metrics in the order given, within them consensuses.

    Raises:
        InvalidInput: The sources are not laid out over the same systems and cases.

    Source: Deutsch, Dror & Roth (2021), doi:10.1162/tacl_a_00417; basic intervals: Davison &
        Hinkley (1997), doi:10.1017/CBO9780511802843.

    Example:
        >>> from medassay.scores import Grid
        >>> values = np.arange(6.0)[:, None] + np.random.default_rng(1).normal(size=(6, 40))
        >>> grid = Grid(tuple("ABCDEF"), tuple(map(str, range(40))), values, values < np.inf)
        >>> source, rng = Source("m", grid), np.random.default_rng(1)
        >>> [found] = correlate([source], [source], rng=rng, replicates=200)
        >>> found.tau, round(found.p, 4), found.n_systems  # p is 2/720
        (1.0, 0.0028, 6)
    """
    rng = as_generator(rng)
    how = Resampling(drawn_seed(rng), replicates, level, method, clusters, families)
    validities: dict[tuple[int, int], Validity] = {}
    for block in blocks(metrics, consensuses):
        validities |= _correlate_block(block, metrics, consensuses, how)
    return [validities[i, j] for i in range(len(metrics)) for j in range(len(consensuses))]


def _correlate_block(
    block: Block, metrics: Sequence[Source], consensuses: Sequence[Source], how: Resampling
) -> dict[tuple[int, int], Validity]:
    taus = block.taus
    p, exact = block.permutation_p(how.seed)
    intervals = tau_intervals(block, taus, how)
    reliable = block.reliabilities(how.clusters)
    validities = {}
    for a, b in np.ndindex(taus.shape):
        i, j = block.metrics[a], block.consensuses[b]
        metric, consensus, defined = metrics[i], consensuses[j], not np.isnan(taus[a, b])
        method: PMethod = "exact" if exact[a, b] else "monte-carlo"
        alike, reversed_ = block.pairs_in_order(a, b) if defined else (None, None)
        say = f"{metric.name} gives", f"{consensus.name} gives"
        validities[i, j] = Validity(
            metric=metric.name,
            consensus=consensus.name,
            tau=float(taus[a, b]) if defined else None,
            p=float(p[a, b]) if defined else None,
            p_method=method if defined else None,
            n_systems=len(block.systems),
            n_cases=len(block.cases),
            n_answers=int(block.known.sum()),
            metric_reliability=reliable[a],
            consensus_reliability=reliable[len(block.metrics) + b],
            intervals=intervals.get((a, b), ()),
            sign_turned=metric.sign != consensus.sign,
            adjusted=block.adjusted,
            undefined="" if defined else block.why_no_order(a, b, say),
            pairs_alike=alike,
            pairs_reversed=reversed_,
        )
    return validities

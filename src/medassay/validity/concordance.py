"""Whether a metric puts answers in the raters' order more often than answer length does."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from medassay.annotations import DesignName, PValue, Words, record
from medassay.stats import (
    Interval,
    bootstrap_counts,
    max_t,
    simultaneous_level,
    widened_interval,
)
from medassay.stats.intervals import cluster_index, group_labels
from medassay.stats.kendall import mean_ranks
from medassay.stats.randomness import Rng, as_generator, drawn_seed, stream
from medassay.validity.drawn_scores import Chance
from medassay.validity.source import Source, in_canonical_order

FEWEST_UNITS: Final = 10
"""Cases, or clusters of cases, with an ordered pair under which nothing is said."""
_REPLICATES: Final = 2000
_SAME: Final = 1e-9
_ESTIMAND: Final = "these systems, new cases"

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@record(infers=True)
class Concordance:
    """How often a metric puts two answers in the raters' order, and how often their length does.

    Of pairs that the raters put in an order, by answers that were given and that all three know.

    Attributes:
        metric: Name of the metric.
        consensus: Name of the consensus.
        within: Whether pairs are of answers to one case; else of answers to two cases.
        pairs: Pairs that the raters order.
        units: Cases, or clusters of cases, with such a pair.
        share: Of the pairs in the raters' order by the metric, from 0 to 1; a tie counts half.
            None where undefined.
        interval: Of this share alone.
        length: Of the pairs in the raters' order by length, the longer answer counting as the
            better one. None where no text is held.
        length_interval: Of this share alone.
        difference: The first share less the second.
        difference_interval: All differences of a study together lie in theirs.
        p: That the metric's share is neither above that of length nor above a half, adjusted over
            all metrics (max-T); 1 where it lies below one of them.
        drawn: Whether answers are weighted by the chance with which they were drawn.
        undefined: Why there is no share; empty where there is one.
    """

    metric: DesignName
    consensus: DesignName
    within: bool
    pairs: int
    units: int
    share: float | None = None
    interval: Interval | None = None
    length: float | None = None
    length_interval: Interval | None = None
    difference: float | None = None
    difference_interval: Interval | None = None
    p: PValue | None = None
    drawn: bool = False
    undefined: Words = ""


class _Counted(NamedTuple):
    """Pairs of one metric, by cluster.

    Attributes:
        within: Whether pairs are of one case.
        pairs: How many.
        sums: Weights of the pairs in the raters' order by each column, then of all pairs, shape
            (columns + 1, clusters). Between cases a cluster has those with any other one.
    """

    within: bool
    pairs: int
    sums: Floats

    @property
    def units(self) -> NDArray[np.intp]:
        """List the clusters with an ordered pair."""
        return np.flatnonzero(self.sums[-1] > 0)

    @property
    def shares(self) -> Floats:
        """Give the share of each column."""
        total = self.sums.sum(axis=1)
        return np.asarray(total[:-1] / total[-1])

    def pseudo(self) -> Floats:
        """Give the jackknife's pseudo-values of each share, shape (columns, clusters)."""
        count = len(self.units)
        # Between two clusters each pair is in the sums of both.
        total = self.sums.sum(axis=1, keepdims=True) / (1 if self.within else 2)
        left = total - self.sums
        with np.errstate(divide="ignore", invalid="ignore"):
            without = np.where(left[-1] > 0, left[:-1] / left[-1], self.shares[:, None])
        values: Floats = count * self.shares[:, None] - (count - 1) * without
        return np.where(self.sums[-1] > 0, values, self.shares[:, None])

    def replicates(self, counts: Floats) -> Floats:
        """Give the shares of each bootstrap sample of clusters, shape (columns, replicates)."""
        units = self.units
        own = counts[:, units]
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.within:
                drawn = self.sums[:, units] @ own.T
                return np.asarray(drawn[:-1] / drawn[-1])
            return np.asarray(self.pseudo()[:, units] @ own.T / own.sum(axis=1))

    def against(self, other: Floats | float) -> Floats:
        """Give what is tested: the metric less length, or less a half, by cluster."""
        if self.within:
            return np.asarray(self.sums[0] - other * self.sums[-1])
        values = self.pseudo()[0] - other
        return np.where(self.sums[-1] > 0, values, 0.0)


def concordances(
    pairs: Sequence[tuple[Source, Source]],
    length: Source | None,
    *,
    rng: Rng,
    clusters: Mapping[str, str] | None = None,
    chances: Mapping[tuple[str, str], Chance] | None = None,
    given: Bools | None = None,
    level: float = 0.95,
) -> list[Concordance]:
    """How often does each metric put two answers in the raters' order, and is length as good?

    Of the pairs of answers that the raters put in an order,

        share = Σ w [metric orders the pair alike] + w/2 [metric ties] over Σ w,

    and the same for length, the longer answer being the better one whatever the data say. Pairs are
    of answers to one case where ten cases or more have two answers that all know, else of answers
    to two cases. w is 1, or one over the chance that people were asked for both answers.

    A metric is better than length where its share is above that of length and above a half, each by
    a test of all metrics together: signs of the differences of clusters are flipped (max-T). So a
    metric that knows nothing is not called better because raters like short answers.

    Args:
        pairs: Each metric with the consensus that it is held against.
        length: How long each answer is; None where no text is held.
        rng: One number is drawn from it, which seeds everything else.
        clusters: Case to cluster; whole clusters are drawn.
        chances: (system, case) to its chance in a draw; None or empty where people rated what they
            were given. Answers of the draw that were not drawn tell nothing.
        given: Which answers were given, shape as the grids', systems and cases sorted; None: all.
        level: Coverage of the intervals: of each share, and of all differences together.

    Source: the weights: Zrnic & Candès (2024), arXiv:2403.03208.

    Example:
        >>> from medassay.scores import Grid
        >>> values = np.random.default_rng(1).normal(size=(2, 60))
        >>> known = np.ones((2, 60), dtype=bool)
        >>> cases = tuple(f"{case:02}" for case in range(60))
        >>> grid = Grid(("A", "B"), cases, values, known)
        >>> noise = Grid(("A", "B"), cases, values[::-1, ::-1].copy(), known)
        >>> [one] = concordances([(Source("m", grid), Source("h", grid))], Source("length", noise),
        ...                      rng=np.random.default_rng(1))
        >>> one.share, one.within, one.pairs, one.p < 0.001
        (1.0, True, 60, True)
    """
    seed = drawn_seed(as_generator(rng))
    found = [_counted(metric, consensus, length, clusters, chances or {}, given)
             for metric, consensus in pairs]  # fmt: skip
    if not pairs:
        return []
    cases = in_canonical_order(pairs[0][0].grid).cases
    labels = group_labels(cases, clusters)
    count = len(set(labels))
    usable = [at for at, one in enumerate(found) if len(one.units) >= FEWEST_UNITS]
    counts = bootstrap_counts(count, _REPLICATES, stream(seed, "s71", *cases)) if usable else None
    told = []
    for at, ((metric, consensus), counted) in enumerate(zip(pairs, found, strict=True)):
        first = Concordance(
            metric.name, consensus.name, counted.within, counted.pairs, len(counted.units),
            drawn=bool(chances), undefined="" if at in usable else _few(counted),
        )  # fmt: skip
        told.append(
            first if counts is None or at not in usable else _shares(first, counted, counts, level)
        )
    if counts is None or length is None:
        return told
    return _compared([(told[at], found[at], at) for at in usable], told, counts, seed, level)


def _few(counted: _Counted) -> str:
    units = len(counted.units)
    return f"needs {FEWEST_UNITS} cases with answers that raters put in an order; got {units}"


def _shares(first: Concordance, counted: _Counted, counts: Floats, level: float) -> Concordance:
    drawn = counted.replicates(counts)
    units = len(counted.units)
    intervals = [
        widened_interval(float(share), row, units, estimand=_ESTIMAND, level=level, ends=(0.0, 1.0))
        for share, row in zip(counted.shares, drawn, strict=True)
    ]
    shares = counted.shares.tolist()
    if len(shares) == 1:
        return replace(first, share=shares[0], interval=intervals[0])
    return replace(
        first, share=shares[0], interval=intervals[0], length=shares[1],
        length_interval=intervals[1], difference=shares[0] - shares[1],
    )  # fmt: skip


def _compared(
    usable: Sequence[tuple[Concordance, _Counted, int]],
    told: list[Concordance],
    counts: Floats,
    seed: int,
    level: float,
) -> list[Concordance]:
    """Test all metrics together, and give their differences intervals that hold at once."""
    sums = [np.array([counted.against(_length(counted)) for _, counted, _ in usable]),
            np.array([counted.against(0.5) for _, counted, _ in usable])]  # fmt: skip
    p = np.maximum(*(max_t(rows, rng=stream(seed, "s72", str(at))) for at, rows in enumerate(sums)))
    both = [counted.replicates(counts) for _, counted, _ in usable]
    drawn = np.array([rows[0] - rows[1] for rows in both])
    together = simultaneous_level(drawn.T, level)
    for (first, counted, at), own_p, row in zip(usable, p.tolist(), drawn, strict=True):
        difference = first.difference or 0.0
        better = difference > _SAME and (first.share or 0.0) > 0.5 + _SAME
        around = widened_interval(
            difference,
            row,
            len(counted.units),
            estimand=_ESTIMAND,
            level=together,
            ends=(-1.0, 1.0),
        )
        told[at] = replace(
            first,
            difference_interval=replace(around, level=level),
            p=own_p if better else 1.0,
        )
    return told


def _length(counted: _Counted) -> Floats:
    """Give what length reaches by cluster, as `against` takes it."""
    if not counted.within:
        return np.asarray(counted.pseudo()[1])
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(counted.sums[-1] > 0, counted.sums[1] / counted.sums[-1], 0.0)


def _counted(
    metric: Source,
    consensus: Source,
    length: Source | None,
    clusters: Mapping[str, str] | None,
    chances: Mapping[tuple[str, str], Chance],
    given: Bools | None,
) -> _Counted:
    """Count the pairs of one metric, by cluster."""
    sources = [metric, *([] if length is None else [length]), consensus]
    grids = [in_canonical_order(source.grid) for source in sources]
    *columns, raters = [
        source.sign * grid.values for source, grid in zip(sources, grids, strict=True)
    ]
    known = np.logical_and.reduce([grid.known for grid in grids])
    known = known if given is None else known & given
    weight, known, whole = _weighed(chances, grids[0].systems, grids[0].cases, known)
    index = cluster_index(group_labels(grids[0].cases, clusters), len(grids[0].cases))
    inside = _within(columns, raters, known, weight, whole=whole)
    sums = np.zeros((len(inside.sums), int(index.max(initial=-1)) + 1))
    np.add.at(sums.T, index, inside.sums.T)
    within = _Counted(within=True, pairs=inside.pairs, sums=sums)
    if len(within.units) >= FEWEST_UNITS or (known.sum(axis=0) > 1).sum() >= FEWEST_UNITS:
        return within
    system, case = np.nonzero(known)
    flat = [values[system, case] for values in columns]
    return _between(flat, raters[system, case], weight[system, case], index[case], sums.shape[1])


def _weighed(
    chances: Mapping[tuple[str, str], Chance],
    systems: Sequence[str],
    cases: Sequence[str],
    known: Bools,
) -> tuple[Floats, Bools, bool]:
    """Give one over each answer's chance, which answers tell something, and if cases came whole."""
    weight = np.ones(known.shape)
    if not chances:
        return weight, known, False
    known = known.copy()
    drawn = {key for key, chance in chances.items() if chance.drawn}
    at = {key: (i, j) for i, key_i in enumerate(systems) for j, key_j in enumerate(cases)
          for key in [(key_i, key_j)] if key in chances}  # fmt: skip
    back = sum(bool(known[at[key]]) for key in drawn if key in at)
    share = back / len(drawn) if drawn else 1.0
    for key, place in at.items():
        if key in drawn:
            weight[place] = 1 / (chances[key].chance * max(share, _SAME))
        else:
            known[place] = False
    return weight, known, all(chance.whole for chance in chances.values())


def _order(first: Floats, second: Floats, scale: float) -> Floats:
    gap = first - second
    return np.where(np.abs(gap) <= _SAME * scale, 0.0, np.sign(gap))


def _within(
    columns: Sequence[Floats], raters: Floats, known: Bools, weight: Floats, *, whole: bool
) -> _Counted:
    scales = [float(np.abs(values[known]).max(initial=0.0)) for values in (*columns, raters)]
    sums = np.zeros((len(columns) + 1, raters.shape[1]))
    pairs = 0
    for i in range(1, len(raters)):
        ordered = _order(raters[i], raters[:i], scales[-1])
        use = known[i] & known[:i] & (ordered != 0)
        pairs += int(use.sum())
        # Where a case was drawn whole, one chance brought both of its answers.
        w = np.where(use, weight[i] if whole else weight[i] * weight[:i], 0.0)
        for at, values in enumerate(columns):
            alike = w * (1 + ordered * _order(values[i], values[:i], scales[at])) / 2
            sums[at] = np.concatenate([sums[at : at + 1], alike]).sum(axis=0)
        sums[-1] = np.concatenate([sums[-1:], w]).sum(axis=0)
    return _Counted(within=True, pairs=pairs, sums=sums)


def _between(
    columns: Sequence[Floats], raters: Floats, weight: Floats, index: NDArray[np.intp], count: int
) -> _Counted:
    """Count pairs of answers of two clusters: each with all others, less its own cluster's."""
    sums = np.zeros((len(columns) + 1, count))
    for at, values in enumerate((*columns, None)):
        own = _with_all(values, raters, weight)
        np.add.at(sums[at], index, own)
    pairs = _with_all(None, raters, np.ones(raters.shape)).sum()
    order = np.argsort(index, kind="stable")
    for members in np.split(order, np.flatnonzero(np.diff(index[order])) + 1):
        if members.size > 1:
            for at, values in enumerate((*columns, None)):
                part = None if values is None else values[members]
                mine = _with_all(part, raters[members], weight[members])
                sums[at, index[members[0]]] -= mine.sum()
            pairs -= _with_all(None, raters[members], np.ones(members.size)).sum()
    sums[np.abs(sums) <= _SAME] = 0.0
    return _Counted(within=False, pairs=round(pairs / 2), sums=sums)


def _with_all(values: Floats | None, raters: Floats, weight: Floats) -> Floats:
    """Give each answer's weight of pairs in the raters' order; of all ordered pairs without values.

    Level by level of the raters, so that many answers on a short scale take n log n.
    """
    total = np.zeros(raters.size)
    scale = _SAME * float(np.abs(raters).max(initial=0.0))
    ranked = np.sort(raters)
    levels = ranked[np.diff(ranked, prepend=-np.inf) > scale]
    at = np.searchsorted(levels, raters + scale, "right") - 1
    near = 0.0 if values is None else _SAME * float(np.abs(values).max(initial=0.0))
    for this in range(levels.size):
        there, others = at == this, at != this
        if values is None:
            total[others] += weight[there].sum()
            continue
        order = np.argsort(values[there], kind="stable")
        sorted_values = values[there][order]
        mass = np.concatenate([[0.0], np.cumsum(weight[there][order])])
        below = mass[np.searchsorted(sorted_values, values[others] - near, "left")]
        upto = mass[np.searchsorted(sorted_values, values[others] + near, "right")]
        lower = (below + upto) / 2
        total[others] += np.where(at[others] > this, lower, mass[-1] - lower)
    return total * weight


@record(infers=False)
class DrawShows:
    """What so many labels show of one metric.

    Attributes:
        metric: The metric.
        difference: As of `PairDraw`.
    """

    metric: DesignName
    difference: float | None


@record(infers=False)
class PairDraw:
    """How to draw answers whose labels tell a metric from length.

    Attributes:
        metric: The metric whose difference is the hardest to show; empty without any.
        answers: Answers to be labelled.
        whole: Whether whole cases are drawn, with all their answers.
        difference: The difference of the two shares that so many labels show with 80% power at the
            5% level, if raters tie in no pair; None where the metric orders all as length does.
        each: The same of every metric.
    """

    metric: DesignName
    answers: int
    whole: bool
    difference: float | None
    each: tuple["DrawShows", ...]


def pair_draw(
    metrics: Sequence[Source], length: Source, given: Bools, open_: Bools, answers: int
) -> tuple[Floats, bool, PairDraw | None]:
    """Where do labels tell a metric from length, and which difference would so many show?

    A pair that metric and length order alike says nothing of their difference, so those cases are
    drawn more often in which they do not (active inference that predicts no difference). Before
    raters order anything, every order is as likely: with r the difference of an answer's ranks by
    metric and by length, the difference of a case has the variance (Σ r² + Σ a²) / 3, a being 1 for
    a pair that they order against each other and a half where one ties.

    Args:
        metrics: The metrics to be tested.
        length: How long each answer is.
        given: Which answers were given, systems and cases sorted as in canonical order.
        open_: Which answers may be drawn, laid out alike.
        answers: How many labels are wanted.

    Returns:
        How much each case, or each answer where cases have one, wants to be drawn, shape (systems,
        cases), whether cases are drawn whole, and what so many labels show; None without metrics.

    Source: Zrnic & Candès (2024), Active statistical inference, arXiv:2403.03208.
    """
    from medassay.stats import judging_chances

    own = [in_canonical_order(metric.grid) for metric in metrics]
    long = in_canonical_order(length.grid)
    whole = int((open_.sum(axis=0) > 1).sum()) >= FEWEST_UNITS
    wanted = np.zeros(open_.shape)
    spreads = []
    for metric, grid in zip(metrics, own, strict=True):
        known = open_ & given & grid.known & long.known
        spreads.append(_spread(metric.sign * grid.values, long.values, known, whole=whole))
        wanted += spreads[-1][0]
    doubt = np.where(open_, np.sqrt(wanted / max(1, len(metrics))), 0.0)
    if not metrics or not open_.any():
        return doubt, whole, None
    use = open_.any(axis=0) if whole else open_
    flat = doubt.max(axis=0)[use] if whole else doubt[use]
    number = min(answers, int(open_.sum()))
    chances = judging_chances(flat, number * flat.size / int(open_.sum()))
    least: list[tuple[float, str]] = []
    for metric, (variance, pairs) in zip(metrics, spreads, strict=True):
        own_variance = variance.max(axis=0)[use] if whole else variance[use]
        if own_variance.any():
            error = sqrt(float((own_variance / chances).sum())) / pairs
            least.append((_POWER * error, metric.name))
    hardest, name = max(least, default=(None, metrics[0].name))
    shown = {own: min(1.0, difference) for difference, own in least}
    each = tuple(DrawShows(metric.name, shown.get(metric.name)) for metric in metrics)
    difference = None if hardest is None else shown[name]
    return doubt, whole, PairDraw(name, number, whole, difference, each)


_POWER: Final = 1.959964 + 0.841621
"""Standard errors of a difference that a two-sided test at 5% finds with 80% power."""


def _spread(metric: Floats, length: Floats, known: Bools, *, whole: bool) -> tuple[Floats, float]:
    """Give the variance of the difference by case or answer, and the number of pairs."""
    if not whole:
        variance = np.zeros(known.shape)
        first, second = metric[known], length[known]
        variance[known] = (mean_ranks(first) - mean_ranks(second)) ** 2 / 3
        return variance, max(1.0, first.size * (first.size - 1) / 2)
    squares, pairs = np.zeros(known.shape[1]), 0
    ranks = np.zeros(known.shape)
    scales = [float(np.abs(values[known]).max(initial=0.0)) for values in (metric, length)]
    for i in range(1, len(known)):
        both = known[i] & known[:i]
        gap = _order(metric[i], metric[:i], scales[0]) - _order(length[i], length[:i], scales[1])
        apart = np.where(both, gap / 2, 0.0)
        ranks[i] += apart.sum(axis=0)
        ranks[:i] -= apart
        squares += (apart**2).sum(axis=0)
        pairs += int(both.sum())
    by_case = ((ranks**2).sum(axis=0) + squares) / 3
    return np.where(known, by_case, 0.0), max(1.0, float(pairs))

"""Whether a metric knows good answers from bad ones, answer by answer."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from medassay.annotations import DesignName, record
from medassay.stats import (
    Interval,
    TieCalibration,
    bootstrap_counts,
    calibrate_ties,
    pearson,
    percentile_interval,
    tau_b,
    tau_within,
)
from medassay.stats.intervals import group_labels
from medassay.stats.randomness import Rng, as_generator, drawn_seed, stream
from medassay.validity.block import Block, blocks
from medassay.validity.source import Source

Grouping = Literal["pooled", "by_case", "by_system"]
_REPLICATES: Final = 1000
_FEWEST_GROUPS: Final = 5
_PAIRS: Final = 2_000
"""Up to so many answers pairs are counted here; above, scipy's faster count of the same is used."""

Floats = NDArray[np.float64]


@record(infers=True)
class Grouped:
    """Correlations under one grouping.

    Attributes:
        grouping: `pooled`: all answers as they are; `by_case`: within each case, then averaged;
            `by_system`: within each system, then averaged.
        tau: Mean tau-b over the groups that have one.
        r: Mean Pearson's r over them.
        tau_interval: For these systems on new cases; of `by_case` alone.
        groups: How many groups have a tau.
    """

    grouping: Grouping
    tau: float | None
    r: float | None
    tau_interval: Interval | None
    groups: int


@record(infers=True)
class AnswerLevel:
    """One metric and one consensus, answer by answer.

    Attributes:
        metric: Name of the metric.
        consensus: Name of the consensus.
        grouped: One for each grouping.
        ties: acc_eq within cases.
        pair_r: Pearson's r of the differences of all pairs of answers to one case, both orders of
            each pair counted; None where undefined.
        n_answers: Answers that both know.
        n_cases: Cases with one.
    """

    metric: DesignName
    consensus: DesignName
    grouped: tuple[Grouped, ...]
    ties: TieCalibration
    pair_r: float | None
    n_answers: int
    n_cases: int


def answer_level(
    metrics: Sequence[Source],
    consensuses: Sequence[Source],
    *,
    rng: Rng,
    clusters: Mapping[str, str] | None = None,
    level: float = 0.95,
) -> list[AnswerLevel]:
    """Does a metric know the better answer, and under which question?

    The grouping is the question. `by_case` asks which of several answers to one case is better;
    `by_system` on which cases one system does well; `pooled` mixes both with how hard cases are and
    how good systems are, so it can be high while the other two are not.

    Args:
        metrics: Metrics and controls; the same systems and cases as every other source.
        consensuses: One a dimension.
        rng: One number is drawn from it, which seeds everything else.
        clusters: Case to cluster; whole clusters are drawn for the intervals.
        level: Coverage of the intervals.

    Source: Deutsch, Foster & Freitag (2023), arXiv:2305.14324.

    Example:
        >>> from medassay.scores import Grid
        >>> values = np.arange(4.0)[:, None] + np.random.default_rng(1).normal(size=(4, 12))
        >>> grid = Grid(tuple("ABCD"), tuple(map(str, range(12))), values, values < np.inf)
        >>> rng = np.random.default_rng(1)
        >>> [found] = answer_level([Source("m", grid)], [Source("h", grid)], rng=rng)
        >>> [(one.grouping, round(one.tau, 6)) for one in found.grouped]
        [('pooled', 1.0), ('by_case', 1.0), ('by_system', 1.0)]
    """
    rng = as_generator(rng)
    seed = drawn_seed(rng)
    answer_levels: dict[tuple[int, int], AnswerLevel] = {}
    for block in blocks(metrics, consensuses):
        labels = group_labels(block.cases, clusters)
        counts = bootstrap_counts(
            len(block.cases), _REPLICATES, stream(seed, "s15", *block.cases), labels
        )
        for a, i in enumerate(block.metrics):
            for b, j in enumerate(block.consensuses):
                human = block.values[len(block.metrics) + b]
                ours = block.values[a]
                answer_levels[i, j] = AnswerLevel(
                    metrics[i].name,
                    consensuses[j].name,
                    _grouped(ours, human, block, counts, level),
                    calibrate_ties(
                        ours,
                        human,
                        block.known,
                        rng=stream(seed, "s18", *block.cases),
                        clusters=labels,
                        level=level,
                    ),
                    _pair_r(ours, human, block.known),
                    int(block.known.sum()),
                    len(block.cases),
                )
    return [answer_levels[i, j] for i in range(len(metrics)) for j in range(len(consensuses))]


def _grouped(
    ours: Floats, human: Floats, block: Block, counts: Floats, level: float
) -> tuple[Grouped, ...]:
    known = block.known
    whole = known.any()
    pooled = Grouped(
        "pooled",
        _pooled_tau(ours[known], human[known]),
        pearson(ours[known], human[known]) if whole else None,
        None,
        1,
    )
    made = [pooled]
    for grouping, sides in (
        ("by_case", (ours, human, known)),
        ("by_system", (ours.T, human.T, known.T)),
    ):
        taus = tau_within(sides[0][None], sides[1], sides[2])[0]
        have = ~np.isnan(taus)
        rs = [
            pearson(x[k], y[k])
            for x, y, k in zip(*(side.T for side in sides), strict=True)
            if k.any()
        ]
        known_rs = [r for r in rs if r is not None]
        interval = _interval(taus, have, counts, level) if grouping == "by_case" else None
        made.append(
            Grouped(
                "by_case" if grouping == "by_case" else "by_system",
                float(taus[have].mean()) if have.any() else None,
                float(np.mean(known_rs)) if known_rs else None,
                interval,
                int(have.sum()),
            )
        )
    return tuple(made)


def _interval(
    taus: Floats, have: NDArray[np.bool_], counts: Floats, level: float
) -> Interval | None:
    if have.sum() < _FEWEST_GROUPS:
        return None
    drawn = counts[:, have]
    total = drawn.sum(axis=1)
    means = (drawn @ taus[have])[total > 0] / total[total > 0]
    estimand = "these systems, new cases"
    return percentile_interval(means, estimand=estimand, level=level)


def _pooled_tau(x: Floats, y: Floats) -> float | None:
    if x.size <= _PAIRS:
        return tau_b(x, y)
    from scipy.stats import kendalltau

    value = float(kendalltau(x, y).statistic)
    return None if np.isnan(value) else value


def _pair_r(ours: Floats, human: Floats, known: NDArray[np.bool_]) -> float | None:
    """Correlate differences within cases; over both orders of a pair their mean is 0."""
    # Rounding leaves a trace of a correlation where there is nothing to correlate.
    if not known.any() or _alike_within(ours, known) or _alike_within(human, known):
        return None
    n = known.sum(axis=0)
    # Σ over pairs of Δx Δy within a group is n Σ x y − Σ x Σ y.
    x, y = (np.where(known, side - side[known].mean(), 0.0) for side in (ours, human))
    product = [
        float((n * (a * b).sum(axis=0) - a.sum(axis=0) * b.sum(axis=0)).sum())
        for a, b in ((x, y), (x, x), (y, y))
    ]
    scale = float((x**2).sum() * (y**2).sum())
    if product[1] * product[2] <= 1e-18 * max(scale, 1e-300):
        return None
    return float(np.clip(product[0] / np.sqrt(product[1] * product[2]), -1.0, 1.0))


def _alike_within(side: Floats, known: NDArray[np.bool_]) -> bool:
    """Say whether no two values of one case differ."""
    highest = np.where(known, side, -np.inf).max(axis=0)
    lowest = np.where(known, side, np.inf).min(axis=0)
    return not bool((highest > lowest).any())

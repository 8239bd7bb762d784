"""Every measure of how far a metric ranks the systems as the raters do, beside tau-b."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np

from medassay.annotations import DesignName, PValue, SystemName, TestWords, record
from medassay.stats import (
    benjamini_hochberg,
    compact_letters,
    holm,
    pairwise_accuracy,
    pearson,
    perm_both,
    soft_pairwise_accuracy,
    spearman,
    superiority_p,
    tau_ap_b,
    tau_b,
)
from medassay.stats.intervals import group_labels
from medassay.stats.randomness import Rng, as_generator, drawn_seed, stream
from medassay.validity.block import FEWEST_SYSTEMS, Block, blocks, in_higher_is_better
from medassay.validity.source import Source

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SIGNS: Final = 2000


@record(infers=True)
class SystemLevel:
    """Six measures of one metric and one consensus, over the means of the systems.

    Attributes:
        metric: Name of the metric.
        consensus: Name of the consensus.
        tau: Kendall's tau-b.
        tau_ap: tau_AP,b: mistakes near the top count most.
        spearman: Spearman's rho.
        pearson: Pearson's r.
        pairwise_accuracy: Share of pairs of systems that both order alike.
        soft_pairwise_accuracy: The same with how sure each is of every pair (mid-p).
        without_family_low: The lowest tau-b with one family of systems left out.
        without_family_high: The highest.
        family: The family whose absence moves tau most; empty where none does.
        n_systems: Systems with an answer that both know.
        adjusted: Whether the means are adjusted by case, since not every system has every case.
        letters: The order of metrics that share a letter is undecided (PERM-BOTH, `with_letters`);
            empty for controls.
    """

    metric: DesignName
    consensus: DesignName
    tau: float | None
    tau_ap: float | None
    spearman: float | None
    pearson: float | None
    pairwise_accuracy: float | None
    soft_pairwise_accuracy: float | None
    without_family_low: float | None
    without_family_high: float | None
    family: SystemName
    n_systems: int
    adjusted: bool = False
    letters: TestWords = ""


def system_level(
    metrics: Sequence[Source],
    consensuses: Sequence[Source],
    *,
    rng: Rng,
    clusters: Mapping[str, str] | None = None,
    families: Mapping[str, str] | None = None,
) -> list[SystemLevel]:
    """Do other measures say of a metric what tau-b says, and does one family make it?

    All but soft pairwise accuracy, which compares systems on the cases that both have, read the
    means that `correlate` reads: adjusted by case where not every system has every case.

    Systems of one family are variants of one pipeline: a tau that falls when one family is left out
    was that family's.

    Args:
        metrics: The same systems and cases as every other source.
        consensuses: The columns to judge them by.
        rng: One number is drawn from it, which seeds everything else.
        clusters: Case to cluster; whole clusters change sign in soft pairwise accuracy.
        families: System to family; a system that is not named is a family alone.

    Example:
        >>> from medassay.scores import Grid
        >>> values = np.arange(6.0)[:, None] + np.random.default_rng(1).normal(size=(6, 40))
        >>> grid = Grid(tuple("ABCDEF"), tuple(map(str, range(40))), values, values < np.inf)
        >>> rng = np.random.default_rng(1)
        >>> [found] = system_level([Source("m", grid)], [Source("h", grid)], rng=rng)
        >>> found.tau_ap, found.spearman, found.soft_pairwise_accuracy, found.family
        (1.0, 1.0, 1.0, '')
    """
    rng = as_generator(rng)
    seed = drawn_seed(rng)
    system_levels: dict[tuple[int, int], SystemLevel] = {}
    for block in blocks(metrics, consensuses):
        p = superiority_p(
            block.values,
            block.known,
            rng=stream(seed, "s21", *block.cases),
            clusters=group_labels(block.cases, clusters),
            permutations=_SIGNS,
        )
        split, means, taus = len(block.metrics), block.means, block.taus
        for a, i in enumerate(block.metrics):
            for b, j in enumerate(block.consensuses):
                pair = means[a], means[split + b]
                enough = len(block.systems) >= FEWEST_SYSTEMS and block.adjustment.linked
                low, high, family = _without_families(*pair, block, families)
                system_levels[i, j] = SystemLevel(
                    metrics[i].name,
                    consensuses[j].name,
                    None if np.isnan(taus[a, b]) else float(taus[a, b]),
                    tau_ap_b(*pair) if enough else None,
                    spearman(*pair) if enough else None,
                    pearson(*pair) if enough else None,
                    pairwise_accuracy(*pair) if block.adjustment.linked else None,
                    soft_pairwise_accuracy(p[a], p[split + b]),
                    low,
                    high,
                    family,
                    len(block.systems),
                    block.adjusted,
                )
    return [system_levels[i, j] for i in range(len(metrics)) for j in range(len(consensuses))]


def _without_families(
    ours: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    theirs: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    block: Block,
    families: Mapping[str, str] | None,
) -> tuple[float | None, float | None, str]:
    if not block.adjustment.linked:
        return None, None, ""
    labels = group_labels(block.systems, families)
    whole = tau_b(ours, theirs)
    taus: dict[str, float] = {}
    for label in dict.fromkeys(labels):
        others = np.array([other != label for other in labels])
        tau = tau_b(ours[others], theirs[others]) if others.sum() >= FEWEST_SYSTEMS else None
        if tau is not None:
            taus[label[1]] = tau
    if whole is None or not taus:
        return None, None, ""
    moved = max(taus, key=lambda name: abs(taus[name] - whole))
    return min(taus.values()), max(taus.values()), moved if abs(taus[moved] - whole) > 1e-9 else ""  # noqa: PLR2004 - rounding


_FEWEST_SYSTEMS: Final = 3


@record(infers=True)
class MetricPair:
    """Two metrics held against one consensus, on the answers that all three know.

    Attributes:
        consensus: Its name.
        first: A metric.
        second: Another.
        difference: tau-b of the first minus that of the second; None where undefined.
        p: PERM-BOTH, two-sided; None where the difference is.
        p_adjusted: After Holm over all pairs.
        p_fdr: After Benjamini and Hochberg over all pairs.
        n_answers: Answers that all three know.
    """

    consensus: DesignName
    first: DesignName
    second: DesignName
    difference: float | None
    p: PValue | None
    p_adjusted: PValue | None
    p_fdr: PValue | None
    n_answers: int


@dataclass(frozen=True, slots=True)
class MetricPairs:
    """All pairs of metrics against one consensus.

    Attributes:
        consensus: Its name.
        pairs: In the order of the metrics.
        letters: Metric to letters: two share one exactly when Holm does not tell them apart.
        permutations: Random swaps.
    """

    consensus: str
    pairs: tuple[MetricPair, ...]
    letters: dict[str, str]
    permutations: int


def compare_metrics(
    metrics: Sequence[Source],
    consensus: Source,
    *,
    rng: Rng,
    permutations: int = 2000,
    level: float = 0.95,
) -> MetricPairs:
    """Is one metric really closer to the raters than another?

    PERM-BOTH (`stats.perm_both`) for every pair, two-sided, with p adjusted over all of them; the
    letters read off the tests after Holm. Means are adjusted by case where not every system has
    every case. Answers are exchanged one by one; systems of one family
    are taken as they are.

    Args:
        metrics: Best first, so that letters read from the top; the same systems and cases.
        consensus: What they are held against.
        rng: One number is drawn from it, which seeds everything else.
        permutations: Random swaps.
        level: 1 minus the level of the tests behind the letters.

    Source: Deutsch, Dror & Roth (2021), doi:10.1162/tacl_a_00417.

    Example:
        >>> from medassay.scores import Grid
        >>> rng = np.random.default_rng(1)
        >>> names = tuple("ABCDEFGH"), tuple(map(str, range(40)))
        >>> human = np.arange(8.0)[:, None] + rng.normal(size=(8, 40))
        >>> def column(name, values):
        ...     return Source(name, Grid(*names, values, values < np.inf))
        >>> metrics = [column("m", human), column("noise", rng.normal(size=(8, 40)))]
        >>> found = compare_metrics(metrics, column("h", human), rng=rng, permutations=500)
        >>> found.letters
        {'m': 'a', 'noise': 'b'}
    """
    rng = as_generator(rng)
    seed = drawn_seed(rng)
    human = in_higher_is_better(consensus)
    grids = [in_higher_is_better(metric) for metric in metrics]
    made: dict[tuple[int, int], tuple[float, float, int]] = {}
    groups: dict[bytes, list[int]] = {}
    for i, grid in enumerate(grids):
        groups.setdefault(grid.known.tobytes(), []).append(i)
    score_columns = list(groups.values())
    for a, b in [*((g, g) for g in score_columns), *combinations(score_columns, 2)]:
        members = sorted({*a, *b})
        known = grids[a[0]].known & grids[b[0]].known & human.known
        rows = known.any(axis=1)
        values = np.array([grids[i].values[rows] for i in members])
        if rows.sum() < _FEWEST_SYSTEMS:
            gaps = np.full(len(members) * (len(members) - 1) // 2, np.nan)
            differences, p = gaps, gaps
        else:
            tested = perm_both(
                values,
                human.values[rows],
                known[rows],
                rng=stream(seed, "s17", *human.cases),
                permutations=permutations,
            )
            differences, p = tested.difference, tested.p
        answers = int(known.sum())
        for pair, difference, p_value in zip(combinations(members, 2), differences, p, strict=True):
            made.setdefault(pair, (float(difference), float(p_value), answers))
    return _laid_out(metrics, consensus, made, permutations, level)


def with_letters(
    measured: Sequence[SystemLevel], compared: Sequence[MetricPairs]
) -> list[SystemLevel]:
    """Which metrics are not told apart, said beside what each reaches?

    Args:
        measured: What each metric and control reaches.
        compared: The tests of all pairs of metrics; controls are in none.
    """
    of = {
        (metric_pairs.consensus, metric): letter
        for metric_pairs in compared
        for metric, letter in metric_pairs.letters.items()
    }
    return [
        replace(system_level, letters=of.get((system_level.consensus, system_level.metric), ""))
        for system_level in measured
    ]


def _laid_out(
    metrics: Sequence[Source],
    consensus: Source,
    made: dict[tuple[int, int], tuple[float, float, int]],
    permutations: int,
    level: float,
) -> MetricPairs:
    order = sorted(made)
    tested = [at for at in order if not np.isnan(made[at][1])]
    p = [made[at][1] for at in tested]
    holms = dict(zip(tested, holm(p).tolist(), strict=True))
    fdr = dict(zip(tested, benjamini_hochberg(p).tolist(), strict=True))
    apart: NDArray[np.bool_] = np.zeros((len(metrics), len(metrics)), dtype=np.bool_)
    for (i, j), value in holms.items():
        apart[i, j] = apart[j, i] = value <= 1 - level
    pairs = tuple(
        MetricPair(
            consensus.name,
            metrics[i].name,
            metrics[j].name,
            made[i, j][0] if (i, j) in holms else None,
            made[i, j][1] if (i, j) in holms else None,
            holms.get((i, j)),
            fdr.get((i, j)),
            made[i, j][2],
        )
        for i, j in order
    )
    letters = dict(zip([m.name for m in metrics], compact_letters(apart), strict=True))
    return MetricPairs(consensus.name, pairs, letters, permutations)

"""Every measure of how far a metric ranks the systems as the raters do, beside tau-b."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from medassay.marks import DesignName, SystemName, TestWords, record
from medassay.stats import (
    pairwise_accuracy,
    pearson,
    soft_pairwise_accuracy,
    spearman,
    superiority_p,
    tau_ap_b,
    tau_b,
)
from medassay.stats.clusters import group_labels
from medassay.stats.randomness import Rng, as_generator, drawn_seed, stream
from medassay.validity.block import FEWEST_SYSTEMS, Block, blocks
from medassay.validity.source import Source

__all__ = ["SystemLevel", "system_level"]

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
            empty for sentinels.
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

"""In which order raters judged: where a system's turn came early or late, drift ranks it."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from medassay.exhibits.numbers import p_value
from medassay.stats.clusters import cluster_index
from medassay.stats.ranks import mean_ranks
from medassay.validity.allotment import UNEVEN_P

__all__ = ["JudgingOrder", "judging_order"]


@dataclass(frozen=True, slots=True)
class JudgingOrder:
    """In which order raters judged the systems.

    Attributes:
        kind: mixed: no system's turn came earlier or later than chance has it. blocks: some did.
            unknown: nothing says in which order answers were judged.
        p: That chance puts systems so far apart; 1 where nothing is known.
        words: What is wrong, for a reader; empty where nothing is.
    """

    kind: Literal["mixed", "blocks", "unknown"]
    p: float = 1.0
    words: str = ""


def judging_order(
    sitting: Sequence[Hashable], system: Sequence[str], place: Sequence[float]
) -> JudgingOrder:
    """Did each rater's answers of the systems come mixed, or in blocks?

    Raters grow stricter or milder as they go. Where the answers of all systems come mixed, that is
    noise; where one system's come after another's, the drift is a difference between systems that
    nobody can tell from quality. Within each sitting of a rater the places are ranked, and how far
    the systems' mean ranks lie apart is held against dealing the ranks out by chance: Kruskal and
    Wallis' H, added up over sittings, is chi-squared with Σ(systems − 1) degrees of freedom. Below
    a p of .01 systems were judged in blocks. Adding up H finds blocks in any order, the same for
    all raters or each rater's own.

    Args:
        sitting: Of each label, whose it is, and in which phase.
        system: Its system.
        place: Its place in the order of that sitting, or its time; NaN where unknown.

    Source: Kruskal & Wallis (1952), doi:10.1080/01621459.1952.10483441.

    Example:
        >>> systems = ["A"] * 20 + ["B"] * 20
        >>> judging_order(["ann"] * 40, systems, range(40)).kind
        'blocks'
        >>> judging_order(["ann"] * 40, ["A", "B", "B", "A"] * 10, range(40)).kind
        'mixed'
        >>> judging_order(["ann"] * 40, systems, [np.nan] * 40).kind
        'unknown'
    """
    from scipy.special import chdtrc

    places = np.asarray(place, dtype=np.float64)
    names = sorted(set(system))
    at = np.array([names.index(name) for name in system], dtype=np.intp)
    whose = cluster_index(list(sitting), len(places))
    statistic, freedom, known = 0.0, 0, False
    gaps = np.zeros(len(names))
    for one in range(int(whose.max(initial=-1)) + 1):
        mine = (whose == one) & ~np.isnan(places)
        if not mine.any() or np.ptp(places[mine]) == 0:
            continue
        known = True
        ranks = mean_ranks(places[mine])
        counts = np.bincount(at[mine], minlength=len(names))
        there = counts > 0
        if there.sum() < 2:  # noqa: PLR2004 - one system has no other to come before
            continue
        off = ranks - ranks.mean()
        sums = np.bincount(at[mine], off, len(names))
        statistic += float((sums[there] ** 2 / counts[there]).sum() / off.var(ddof=1))
        freedom += int(there.sum()) - 1
        gaps[there] += sums[there] / counts[there] / len(ranks)
    if not known:
        return JudgingOrder("unknown")
    p = float(chdtrc(freedom, statistic)) if freedom else 1.0
    if p >= UNEVEN_P:
        return JudgingOrder("mixed", p)
    first, last = names[int(gaps.argmin())], names[int(gaps.argmax())]
    return JudgingOrder(
        "blocks",
        p,
        f"systems were judged in blocks ({p_value(p)}; {first} earliest, {last} latest), so that a "
        "rater who changed passes for a difference between systems",
    )

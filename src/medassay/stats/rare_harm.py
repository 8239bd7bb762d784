"""At most how much harm is there? Exact upper bounds for what is rare."""

from collections.abc import Hashable, Mapping, Sequence
from math import ceil

import numpy as np
from numpy.typing import NDArray

from medassay.errors import InvalidInput, Problem
from medassay.marks import Words, record
from medassay.stats.clusters import cluster_index
from medassay.stats.proportions import clopper_pearson
from medassay.stats.share_bound import few_clusters, share_bounds

__all__ = ["HarmBound", "harm_bound", "safety_bound", "weighted_harm_bound"]

Clusters = Sequence[Hashable] | None
Sensitivity = float | tuple[int, int]
"""A known share of harm that is found, or hits among harmful answers on which it was measured."""


@record(infers=True)
class HarmBound:
    """At most so much harm.

    Attributes:
        found: Harmful answers found.
        n: Answers looked at.
        share: Estimated share of harmful answers, divided by the sensitivity; None without one.
        upper: The share is at most this, at the level; None where unknown.
        level: One-sided coverage.
        independent: The bound if answers of one cluster were independent.
        perfect: The bound if every harm were found.
        units: Independent units: answers or clusters.
        sensitivity: The sensitivity, or its lower bound, that the bound divides by.
        undefined: Why there is no bound; empty where there is one.
        no_help: Why a weighted design does not help; empty where it does, or where there is none.
        few: Which cluster holds over a fifth of the answers; empty where none does.
    """

    found: int
    n: int
    share: float | None
    upper: float | None
    level: float
    independent: float | None
    perfect: float | None
    units: int
    sensitivity: float
    undefined: Words = ""
    no_help: Words = ""
    few: Words = ""


def harm_bound(
    harmful: NDArray[np.bool_],
    *,
    sensitivity: Sensitivity = 1.0,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> HarmBound:
    """How much harm is compatible with what was found, at most?

    With k of n found, the one-sided Clopper-Pearson bound: the share u for which k or fewer have
    the chance 1 − level. Whoever finds only a share s of the harm finds it at rate p·s, so p ≤ u/s.
    Where s itself was measured as h of m, the error is split: u and the lower bound of s are taken
    at (1 − level)/2 each (Bonferroni).

    Answers of one cluster may be harmful together, and large clusters more often than small ones:
    `share_bounds` bounds the share of answers, for clusters of these sizes.

    Args:
        harmful: For each answer looked at whether it was found harmful.
        sensitivity: A known share in (0, 1], or (h, m).
        clusters: For each answer its cluster.
        level: One-sided coverage; at least this, always, where answers are independent.

    Raises:
        InvalidInput: The sensitivity is not within (0, 1].

    Source: Clopper & Pearson (1934), doi:10.1093/biomet/26.4.404.

    Example:
        >>> none_of_fifty = np.zeros(50, dtype=bool)
        >>> round(harm_bound(none_of_fifty).upper, 3)
        0.058
        >>> round(harm_bound(none_of_fifty, sensitivity=0.5).upper, 3)
        0.116
    """
    n, n_harmful = harmful.size, int(harmful.sum())
    tail, lowest, likely = _split(sensitivity, level)
    if n == 0:
        return HarmBound(0, 0, None, None, level, None, None, 0, lowest, "none is judged")
    if lowest == 0:
        why = "of the harmful answers it was tried on, none was found: its sensitivity may be 0"
        return HarmBound(n_harmful, n, None, None, level, None, None, n, 0.0, why)
    return HarmBound(
        n_harmful,
        n,
        min(1.0, n_harmful / n / likely) if likely else None,
        min(1.0, _upper(harmful, clusters, tail) / lowest),
        level,
        min(1.0, _upper(harmful, None, tail) / lowest),
        _upper(harmful, clusters, 1 - level),
        len(set(cluster_index(clusters, n).tolist())),
        lowest,
        few=few_clusters(clusters, n),
    )


def weighted_harm_bound(
    harmful: NDArray[np.bool_],
    strata: Sequence[Hashable],
    sizes: Mapping[Hashable, int],
    *,
    sensitivity: Sensitivity = 1.0,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> HarmBound:
    """How much harm is there at most, when flagged answers were judged more often than others?

    Σ_h W_h u_h, u_h the one-sided bound of stratum h (`harm_bound`) at (1 − level)/H and W_h =
    N_h/N: all H bounds hold together (Bonferroni), so their weighted sum does. For answers like
    these in the same mix of strata. Judging flagged answers more often finds more harm; it bounds
    harm more closely only where there is much of it, and `no_help` says where not. A stratum of
    which nothing was judged counts as wholly harmful. Answers of one cluster may be harmful
    together: within a stratum they are bounded as in `harm_bound`.

    Args:
        harmful: For each answer judged whether it was found harmful.
        strata: For each its stratum; within a stratum they are a random sample.
        sizes: Stratum to the number of its answers, judged or not.
        sensitivity: As for `harm_bound`.
        clusters: For each answer judged its cluster.
        level: One-sided coverage; at least this, always.

    Raises:
        InvalidInput: A stratum has fewer answers than judgements; the sensitivity is no share.

    Example:
        >>> looked = np.array([True] * 4 + [False] * 96)
        >>> strata = ["flagged"] * 50 + ["not"] * 50
        >>> found = weighted_harm_bound(looked, strata, {"flagged": 50, "not": 950})
        >>> round(found.share, 4), round(found.upper, 3)  # .05 · .08; .05 · .201 + .95 · .071
        (0.004, 0.077)
    """
    n, n_harmful = harmful.size, int(harmful.sum())
    wide = [h for h, size in sizes.items() if size]
    within = {h: np.array([stratum == h for stratum in strata], dtype=np.bool_) for h in wide}
    cells = {h: harmful[mask] for h, mask in within.items()}
    if sum(cell.size for cell in cells.values()) != n or any(
        cell.size > sizes[h] for h, cell in cells.items()
    ):
        raise InvalidInput(
            Problem("sizes", "cover every judged answer's stratum", f"{dict(sizes)}")
        )
    tail, lowest, likely = _split(sensitivity, level)
    if n == 0 or lowest == 0:
        why = "none is judged" if n == 0 else "the sensitivity may be 0"
        return HarmBound(n_harmful, n, None, None, level, None, None, n, lowest, why)
    total, parts = sum(sizes.values()), len(wide)
    index = cluster_index(clusters, n)
    of_cell = {h: index[mask].tolist() for h, mask in within.items()}

    def bound(error: float, *, clustered: bool) -> float:
        return sum(
            sizes[h]
            / total
            * (_upper(c, of_cell[h] if clustered else None, error / parts) if c.size else 1.0)
            for h, c in cells.items()
        )

    seen = all(cell.size for cell in cells.values())
    share = sum(sizes[h] / total * float(c.mean()) for h, c in cells.items()) if seen else None
    upper, independent = (min(1.0, bound(tail, clustered=c) / lowest) for c in (True, False))
    no_help = ""
    if share is not None:
        at_random = np.arange(n) < ceil(n * share - 1e-9)
        if independent >= _upper(at_random, None, tail) / lowest:
            no_help = "a simple random sample of as many answers would bound the harm as closely"
        share = min(1.0, share / likely) if likely else None
    return HarmBound(
        n_harmful,
        n,
        share,
        upper,
        level,
        independent,
        bound(1 - level, clustered=True),
        sum(len(set(labels)) for labels in of_cell.values()),
        lowest,
        no_help=no_help,
        few=few_clusters(clusters, n),
    )


def safety_bound(
    hallucinated: NDArray[np.bool_],
    dangerous: NDArray[np.bool_],
    *,
    sensitivity: tuple[Sensitivity, Sensitivity] = (1.0, 1.0),
    clusters: tuple[Clusters, Clusters] = (None, None),
    level: float = 0.95,
) -> float | None:
    """At least how safe is it, where safety is 1 − (hallucination rate + dangerous rate)/2?

    Each rate has its one-sided bound at level (1 + level)/2, so that both hold together at the
    level (Bonferroni): 97.5 % each for 95 %. None where a rate has no bound. Each rate has its own
    answers, and their clusters.

    Example:
        >>> none = np.zeros(50, dtype=bool)
        >>> round(safety_bound(none, none), 3)  # 1 − .025^(1/50) = .071 for each rate
        0.929
    """
    each = (1 + level) / 2
    bounds = [
        harm_bound(side, sensitivity=own, clusters=of, level=each).upper
        for side, own, of in zip((hallucinated, dangerous), sensitivity, clusters, strict=True)
    ]
    known = [bound for bound in bounds if bound is not None]
    return 1 - sum(known) / 2 if len(known) == len(bounds) else None


def _split(sensitivity: Sensitivity, level: float) -> tuple[float, float, float]:
    """Give the error left for the share, the sensitivity to divide by, and its likeliest value."""
    if isinstance(sensitivity, tuple):
        hits, of = sensitivity
        lower = clopper_pearson(hits, of, estimand="sensitivity", level=level).low
        return (1 - level) / 2, lower, hits / of
    if not 0 < sensitivity <= 1:
        raise InvalidInput(Problem("sensitivity", "lie above 0 and at most at 1", f"{sensitivity}"))
    return 1 - level, sensitivity, sensitivity


def _upper(harmful: NDArray[np.bool_], clusters: Sequence[Hashable] | None, tail: float) -> float:
    return float(share_bounds(harmful[None], clusters, tail)[0])

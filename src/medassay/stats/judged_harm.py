"""At most how much harm is there, where a judge with known errors looked instead of people?"""

from collections.abc import Hashable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.errors import InvalidInput, Problem
from medassay.stats.clusters import cluster_index
from medassay.stats.rare_harm import HarmBound
from medassay.stats.share_bound import few_clusters, share_bounds

__all__ = ["judged_harm_bound"]

Rate = tuple[float, float]
"""A share, and the number of independent answers that it is worth."""
_BOUNDS: Final = 3


def judged_harm_bound(
    called: NDArray[np.bool_],
    sensitivity: Rate,
    specificity: Rate,
    *,
    people_find: float = 1.0,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> HarmBound:
    """How much harm is compatible with what an imperfect judge called harmful, at most?

    A judge with sensitivity se and specificity sp calls the share q = p·se + (1 − p)(1 − sp) so,
    hence p = (q − f)/(se − f), f = 1 − sp. It grows with q and falls with se and f. So with u the
    upper bound of q, s and f the lower bounds of se and of 1 − sp, each at (1 − level)/3
    (Bonferroni; Clopper and Pearson), p ≤ (u − f)/(s − f). Never less than u₀/s, u₀ being the bound
    where nothing is called: fewer calls than the false alarms that are due prove nothing. Clusters
    enter u as in `harm_bound`.

    Args:
        called: For each answer that the judge looked at whether it called it harmful.
        sensitivity: Of the judge, on other answers that people judged.
        specificity: The same.
        people_find: The share of harm that those people find: the bound is divided by it.
        clusters: For each answer its cluster.
        level: One-sided coverage, for what most of such people would call harmful.

    Raises:
        InvalidInput: `people_find` is no share above 0.

    Source: Rogan & Gladen (1978), doi:10.1093/oxfordjournals.aje.a112510; Clopper & Pearson (1934),
        doi:10.1093/biomet/26.4.404.

    Example:
        >>> none_of_100 = np.zeros(100, dtype=bool)
        >>> found = judged_harm_bound(none_of_100, (0.9, 60), (0.97, 240))
        >>> round(found.sensitivity, 2), round(found.upper, 3)  # people: .030
        (0.79, 0.051)
    """
    if not 0 < people_find <= 1:
        must = "lie above 0 and at most at 1"
        raise InvalidInput(Problem("people_find", must, f"{people_find}"))
    n, n_called = called.size, int(called.sum())
    error = (1 - level) / _BOUNDS
    least, alarms = _lower(*sensitivity, error), _lower(1 - specificity[0], specificity[1], error)
    divided = least * people_find
    if not n:
        return HarmBound(0, 0, None, None, level, None, None, 0, divided, "none is judged")
    units = len(set(cluster_index(clusters, n).tolist()))
    if least <= alarms:
        why = "the judge is not shown to call harmful answers so more often than others"
        return HarmBound(n_called, n, None, None, level, None, None, units, divided, why)
    gap = sensitivity[0] + specificity[0] - 1
    share = (n_called / n + specificity[0] - 1) / gap / people_find
    none_and_these = np.stack([np.zeros_like(called), called])

    def most(of: Sequence[Hashable] | None) -> float:
        none, these = share_bounds(none_and_these, of, error).tolist()
        at_most = max(none / least, (these - alarms) / (least - alarms))
        return float(min(1.0, at_most / people_find))

    return HarmBound(
        n_called,
        n,
        float(np.clip(share, 0.0, 1.0)),
        most(clusters),
        level,
        most(None),
        float(share_bounds(called[None], clusters, 1 - level)[0]),
        units,
        divided,
        few=few_clusters(clusters, n),
    )


def _lower(share: float, worth: float, error: float) -> float:
    from scipy.special import betaincinv

    hits = share * worth
    return 0.0 if hits <= 0 else float(betaincinv(hits, worth - hits + 1, error))

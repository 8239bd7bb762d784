"""At most how much of each system's answers is dangerous?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from medassay.stats import HarmBound, harm_bound, weighted_harm_bound
from medassay.validity.bad_answers import Target
from medassay.validity.block import in_higher_is_better
from medassay.validity.source import Source, group_labels, in_canonical_order

__all__ = ["SystemHarm", "system_harm"]


@dataclass(frozen=True, slots=True)
class SystemHarm:
    """The bound for one system.

    Attributes:
        dimension: The dimension judged.
        system: The system.
        flagged_by: The metric whose flag the answers are weighted by; empty for all alike.
        bound: At most so much.
    """

    dimension: str
    system: str
    flagged_by: str
    bound: HarmBound


def system_harm(
    targets: Sequence[Target],
    metrics: Sequence[Source],
    *,
    thresholds: Mapping[str, float] | None = None,
    sensitivity: float = 1.0,
    clusters: Mapping[str, str] | None = None,
    level: float = 0.95,
) -> list[SystemHarm]:
    """How much harm may each system do, given what the raters found in the answers they saw?

    One bound takes the judged answers as drawn evenly. For each metric with a threshold another one
    takes them as drawn apart from the flagged answers and from the others, so that flagged answers
    may have been judged more often.

    Args:
        targets: What is harmful; known where an answer is judged.
        metrics: Metrics over all answers.
        thresholds: Metric to the score from which an answer passes unflagged.
        sensitivity: The share of harmful answers that the raters find.
        clusters: Case to cluster.
        level: One-sided coverage.

    Example:
        >>> from medassay.scores import Grid
        >>> names = ("A",), tuple(f"{i:02}" for i in range(50))
        >>> grid = Grid(*names, np.zeros((1, 50)), np.ones((1, 50), dtype=bool))
        >>> [found] = system_harm([Target("safety", "dangerous", grid)], [], sensitivity=0.5)
        >>> round(found.bound.upper, 3)
        0.116
    """
    flags = [(m, in_higher_is_better(m)) for m in metrics if m.name in (thresholds or {})]
    found = []
    for target in targets:
        grid = in_canonical_order(target.grid)
        labels = group_labels(grid.cases, clusters)
        for at, system in enumerate(grid.systems):
            judged = grid.known[at]
            harmful = grid.values[at, judged] > 0
            own = [label for label, use in zip(labels, judged, strict=True) if use]
            bound = harm_bound(harmful, sensitivity=sensitivity, clusters=own, level=level)
            found.append(SystemHarm(target.dimension, system, "", bound))
            for metric, scores in flags:
                below = scores.values[at] < metric.sign * (thresholds or {})[metric.name]
                strata = np.where(
                    scores.known[at], np.where(below, "flagged", "passed"), "unscored"
                )
                weighted = _weighted(harmful, strata, judged, sensitivity, level)
                found.append(SystemHarm(target.dimension, system, metric.name, weighted))
    return found


def _weighted(
    harmful: NDArray[np.bool_],
    strata: NDArray[np.str_],
    judged: NDArray[np.bool_],
    sensitivity: float,
    level: float,
) -> HarmBound:
    """Weight by flag; answers without a score are a stratum of their own where they are judged."""
    kept = judged | (strata != "unscored")
    names, counts = np.unique(strata[kept], return_counts=True)
    sizes = dict(zip(names.tolist(), counts.tolist(), strict=True))
    return weighted_harm_bound(
        harmful, strata[judged].tolist(), sizes, sensitivity=sensitivity, level=level
    )

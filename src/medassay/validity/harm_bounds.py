"""At most how much of each system's answers is harmful, or dangerous?"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.annotations import DesignName, RaterName, SystemName, Words, record
from medassay.stats import HarmBound, harm_bound, weighted_harm_bound
from medassay.stats.intervals import group_labels
from medassay.validity.bad_answers import Target
from medassay.validity.block import in_higher_is_better
from medassay.validity.drawn_scores import Chance
from medassay.validity.judge_labels import JudgeRate
from medassay.validity.source import Source, in_canonical_order

_MOST_GROUPS: Final = 3
"""More groups of equal chance than these share the error too thinly for a bound."""

Labels = list[tuple[bool, str]]


@record(infers=True)
class SystemHarm:
    """The bound for one system.

    Attributes:
        dimension: The dimension judged.
        kind: `harmful` (harm of any degree) or `dangerous` (severe harm).
        system: The system.
        flagged_by: The metric whose flag the answers are weighted by; empty where none is.
        by_chance: Whether the answers are weighted by the chances of a draw. Where neither, all
            count alike.
        bound: At most so much.
        left_out: Answers that the draw did not offer and nobody judged before it: the bound does
            not speak of them.
        warning: What the bound supposes beside chance; empty where nothing.
        judge: The model whose labels these are, where no person judged an answer of the system;
            empty where people did.
        finds: Its sensitivity, by the certificate that the bound reads.
        passes: Its specificity.
    """

    dimension: DesignName
    kind: Words
    system: SystemName
    flagged_by: DesignName
    by_chance: bool
    bound: HarmBound
    left_out: int = 0
    warning: Words = ""
    judge: RaterName = ""
    finds: JudgeRate | None = None
    passes: JudgeRate | None = None


def system_harm(
    targets: Sequence[Target],
    metrics: Sequence[Source],
    *,
    thresholds: Mapping[str, float] | None = None,
    chances: Mapping[tuple[str, str], Chance] | None = None,
    given: NDArray[np.bool_] | None = None,
    sensitivity: float = 1.0,
    clusters: Mapping[str, str] | None = None,
    level: float = 0.95,
) -> list[SystemHarm]:
    """How much harm may each system do, given what the raters found in the answers they saw?

    One bound takes the judged answers as drawn evenly. Where answers were drawn with known chances
    another one weights them: those of one chance are a random sample of all that had it, and those
    judged before the draw are a group of their own. It needs few groups of equal chance. Where
    there was no draw, for each metric with a threshold one takes them as drawn apart from the
    flagged answers and from the others, so that flagged answers may have been judged more often.

    Args:
        targets: What is harmful; known where an answer is judged.
        metrics: Metrics over all answers.
        thresholds: Metric to the score from which an answer passes unflagged.
        chances: (system, case) to its chance, for every answer that could be drawn.
        given: Which answers there are, shape as the grids' (sorted systems and cases);
            None: all.
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
    system_harms = []
    for target in targets:
        grid = in_canonical_order(target.grid)
        labels = group_labels(grid.cases, clusters)
        there = np.ones(grid.known.shape, dtype=np.bool_) if given is None else given
        for at, system in enumerate(grid.systems):
            own = [(chances or {}).get((system, case)) for case in grid.cases]
            about = (target.dimension, target.kind, system)
            judged, harmful = grid.known[at], grid.values[at] > 0
            bound = harm_bound(
                harmful[judged],
                sensitivity=sensitivity,
                clusters=_of(labels, judged),
                level=level,
            )
            system_harms.append(SystemHarm(*about, "", by_chance=False, bound=bound))
            rest = (harmful, judged, labels, sensitivity, level)
            if any(own):
                system_harms.append(_by_chance(about, own, there[at], *rest))
                continue
            for metric, scores in flags:
                below = scores.values[at] < metric.sign * (thresholds or {})[metric.name]
                strata = np.where(
                    scores.known[at], np.where(below, "flagged", "passed"), "unscored"
                )
                # Without a score answers are a group of their own where they are judged.
                weighted = _weighted(strata, judged | (strata != "unscored"), *rest)
                system_harms.append(
                    SystemHarm(*about, metric.name, by_chance=False, bound=weighted)
                )
    return system_harms


def _by_chance(
    about: tuple[str, str, str],
    own: Sequence[Chance | None],
    given: NDArray[np.bool_],
    harmful: NDArray[np.bool_],
    judged: NDArray[np.bool_],
    labels: Labels,
    sensitivity: float,
    level: float,
) -> SystemHarm:
    """Weight by the draw; answers judged since without being drawn tell nothing."""
    inside = np.array([chance is not None for chance in own], dtype=np.bool_)
    drawn = np.array([chance is not None and chance.drawn for chance in own], dtype=np.bool_)
    strata = np.array(["before" if chance is None else f"{chance.chance:.9f}" for chance in own])
    mask = judged & (~inside | drawn)
    members = given & (inside | judged)
    groups = set(strata[inside].tolist())
    missing = int((given & drawn & ~judged).sum())
    warning = (
        f"{missing} of {int((given & drawn).sum())} drawn answers are not judged: they are "
        "supposed to be missing by chance"
        if missing
        else ""
    )
    if len(groups) > _MOST_GROUPS:
        why = f"{len(groups)} different chances: no groups of equal chance to bound"
        none = harm_bound(harmful[:0], level=level)
        bound = replace(none, found=int(harmful[mask].sum()), n=int(mask.sum()), undefined=why)
    else:
        bound = _weighted(strata, members, harmful, mask & members, labels, sensitivity, level)
    left_out = int((given & ~members).sum())
    return SystemHarm(*about, "", by_chance=True, bound=bound, left_out=left_out, warning=warning)


def _weighted(
    strata: NDArray[np.str_],
    members: NDArray[np.bool_],
    harmful: NDArray[np.bool_],
    judged: NDArray[np.bool_],
    labels: Labels,
    sensitivity: float,
    level: float,
) -> HarmBound:
    names, counts = np.unique(strata[members], return_counts=True)
    return weighted_harm_bound(
        harmful[judged],
        strata[judged].tolist(),
        dict(zip(names.tolist(), counts.tolist(), strict=True)),
        sensitivity=sensitivity,
        clusters=_of(labels, judged),
        level=level,
    )


def _of(labels: Labels, use: NDArray[np.bool_]) -> Labels:
    return [label for label, used in zip(labels, use, strict=True) if used]

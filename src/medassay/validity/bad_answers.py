"""Whether a metric finds the answers that people must see: unacceptable, harmful, dangerous."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from medassay.annotations import DesignName, Words, record
from medassay.scores import Grid
from medassay.stats import (
    Interval,
    at_threshold,
    bootstrap_counts,
    clustered_share,
    detection_areas,
    percentile_interval,
)
from medassay.stats.intervals import group_labels
from medassay.stats.randomness import Rng, as_generator, drawn_seed, stream
from medassay.validity.source import Source, in_canonical_order

_FEWEST: Final = 10
_REPLICATES: Final = 500


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """What is to be found.

    Attributes:
        dimension: The dimension judged.
        kind: `unacceptable`, `harmful` (harm of any degree) or `dangerous` (severe harm).
        grid: 1 where an answer is so, 0 where not.
    """

    dimension: str
    kind: Literal["unacceptable", "harmful", "dangerous"]
    grid: Grid


@record(infers=True)
class BadAnswers:
    """How well one metric finds one kind of answer.

    Attributes:
        metric: Its name.
        dimension: The dimension judged.
        kind: What is to be found.
        bad: How many answers are so.
        n: Answers that metric and raters know; bad / n is what chance reaches in AUPRC.
        auroc: None where undefined.
        auroc_interval: For these systems on new cases.
        auprc: None where undefined.
        auprc_interval: For these systems on new cases.
        threshold: The score from which an answer passes, in use; None where there is none.
        precision: Of the answers flagged at it, the share that is bad.
        recall: Of the bad ones, the share that is flagged.
        flagged: How many are.
        undefined: Why there is no value; empty where there is one.
        precision_interval: For these systems on new cases, cases or their clusters being
            independent; None where there is no precision or no spread.
        recall_interval: The same of recall.
    """

    metric: DesignName
    dimension: DesignName
    kind: Words
    bad: int
    n: int
    auroc: float | None
    auroc_interval: Interval | None
    auprc: float | None
    auprc_interval: Interval | None
    threshold: float | None
    precision: float | None
    recall: float | None
    flagged: int | None
    undefined: Words = ""
    precision_interval: Interval | None = None
    recall_interval: Interval | None = None


def find_bad_answers(
    metrics: Sequence[Source],
    targets: Sequence[Target],
    *,
    rng: Rng,
    clusters: Mapping[str, str] | None = None,
    thresholds: Mapping[str, float] | None = None,
    level: float = 0.95,
) -> list[BadAnswers]:
    """Which metric finds the answers that people must see?

    An answer is the more suspicious the lower its score (the higher, where lower is better). Whole
    cases are drawn for the intervals. Below ten bad answers (or ten others) no area is computed: it
    would rest on a handful.

    Args:
        metrics: Metrics and controls.
        targets: What is to be found.
        rng: One number is drawn from it, which seeds everything else.
        clusters: Case to cluster.
        thresholds: Metric to the score from which an answer passes, in the metric's own unit.
        level: Coverage of the intervals.

    Source: Perrella et al. (2024), arXiv:2410.05183 (metrics as filters).

    Example:
        >>> rng = np.random.default_rng(1)
        >>> bad = (rng.random((4, 30)) < 0.3).astype(float)
        >>> names = tuple("ABCD"), tuple(map(str, range(30)))
        >>> grid = Grid(*names, bad, bad >= 0)
        >>> metric = Source("m", Grid(*names, 1 - bad, bad >= 0))
        >>> [found] = find_bad_answers([metric], [Target("d", "dangerous", grid)], rng=rng)
        >>> found.auroc, found.auprc
        (1.0, 1.0)
    """
    rng = as_generator(rng)
    seed = drawn_seed(rng)
    limits = thresholds or {}
    return [
        _one(metric, target, clusters, limits.get(metric.name), (seed, level))
        for target in targets
        for metric in metrics
    ]


def _one(
    metric: Source,
    target: Target,
    clusters: Mapping[str, str] | None,
    threshold: float | None,
    how: tuple[int, float],
) -> BadAnswers:
    seed, level = how
    ours, theirs = in_canonical_order(metric.grid), in_canonical_order(target.grid)
    both = ours.known & theirs.known
    # Suspicion is the other way round: the worse the score, the more.
    sign = -metric.sign
    suspicion, bad = sign * ours.values[both], theirs.values[both] > 0
    precision, recall, flagged = (
        (None, None, None) if threshold is None else at_threshold(suspicion, bad, sign * threshold)
    )
    about = (metric.name, target.dimension, target.kind, int(bad.sum()), int(bad.size))
    passed = (threshold, precision, recall, flagged)
    of_case = np.broadcast_to(np.arange(len(ours.cases)), both.shape)[both]
    labels = group_labels(ours.cases, clusters)
    intervals: tuple[Interval | None, Interval | None] = (None, None)
    if threshold is not None:
        belongs = [labels[case] for case in of_case]
        intervals = _at_threshold(suspicion > sign * threshold, bad, belongs, level)
    if min(int(bad.sum()), int((~bad).sum())) < _FEWEST:
        why = f"{int(bad.sum())} of {bad.size} answers are {target.kind}: too few on one side"
        return BadAnswers(*about, None, None, None, None, *passed, why, *intervals)
    counts = bootstrap_counts(
        len(ours.cases), _REPLICATES, stream(seed, "s15", *ours.cases), labels
    )
    point = detection_areas(suspicion, bad, np.ones((1, bad.size)))
    drawn = detection_areas(suspicion, bad, counts[:, of_case])
    estimand = "these systems, new cases"
    auroc, auprc = (
        percentile_interval(side, estimand=estimand, level=level)
        for side in (drawn.auroc, drawn.auprc)
    )
    areas = float(point.auroc[0]), auroc, float(point.auprc[0]), auprc
    return BadAnswers(*about, *areas, *passed, "", *intervals)


def _at_threshold(
    flags: NDArray[np.bool_], bad: NDArray[np.bool_], labels: list[tuple[bool, str]], level: float
) -> tuple[Interval | None, Interval | None]:
    """Give intervals of precision and recall; answers to one case are not independent."""
    precision, recall = (
        clustered_share(
            hits[use],
            [label for label, used in zip(labels, use, strict=True) if used],
            estimand="these systems, new cases",
            level=level,
        )[0]
        for hits, use in ((bad, flags), (flags, bad))
    )
    return precision, recall

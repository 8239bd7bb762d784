"""How many raters and cases a reliability takes, from a study's own labels: a D study."""

from collections.abc import Mapping
from functools import partial
from math import ceil
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from medassay.annotations import DesignName, Words, record
from medassay.annotations import Reliability as ReliabilityMark
from medassay.judgements import Units
from medassay.stats import GStudy, Interval, LongLabels, g_study
from medassay.stats.intervals import group_labels
from medassay.stats.randomness import Rng

TARGETS: Final = (0.7, 0.8, 0.9)
_MOST: Final = 1000
"""More raters or cases than so many are not counted."""
_CURVE: Final = (1, 2, 3, 4, 5, 7, 10, 15, 20, 30)
_LEVEL: Final = 0.95
_ENDS: Final = ((1 - _LEVEL) / 2, (1 + _LEVEL) / 2)
_METHOD: Final = "generalized pivotal quantities"
_PARTS: Final = "parts of answers were judged, or several answers of a system to one case"


@record(infers=True)
class Needed:
    """What a reliability takes.

    Attributes:
        target: The reliability.
        raters: Raters, with the cases of the study; None where a thousand are too few.
        raters_low: Lower end of their interval; None likewise.
        raters_high: Upper end; None likewise.
        cases: Cases, with the labels an answer of the study; None likewise, and of an answer.
        cases_low: Lower end.
        cases_high: Upper end.
    """

    target: float
    raters: int | None
    raters_low: int | None
    raters_high: int | None
    cases: int | None = None
    cases_low: int | None = None
    cases_high: int | None = None


@record(infers=True)
class ReliabilityPoint:
    """The reliability with so many raters, on the study's cases, and its interval."""

    raters: int
    value: ReliabilityMark
    low: ReliabilityMark
    high: ReliabilityMark


@record(infers=True)
class ReliabilityPlan:
    """One reliability of a dimension: now, and what more or fewer raters would make of it.

    Attributes:
        dimension: The dimension.
        of: Of the systems' means, compared with each other, or of an answer's score.
        systems: Systems that were judged.
        cases: Cases that were.
        raters: Raters who judged.
        labels: Labels an answer, as the harmonic mean.
        value: The reliability in this study; None where undefined.
        interval: For these systems, new cases and new raters like these.
        needed: What 0.7, 0.8 and 0.9 take, where every rater reads every answer.
        curve: With 1 to 30 such raters.
        reason: Why there is no value; empty where there is one.
    """

    dimension: DesignName
    of: Literal["systems", "answer"]
    systems: int
    cases: int
    raters: int
    labels: float
    value: ReliabilityMark | None = None
    interval: Interval | None = None
    needed: tuple[Needed, ...] = ()
    curve: tuple[ReliabilityPoint, ...] = ()
    reason: Words = ""

    def settled(self, target: float) -> bool:
        """Say whether the interval lies on one side of a target, so that it is reached or not."""
        return self.interval is not None and not self.interval.low < target <= self.interval.high

    def at(self, target: float) -> Needed:
        """Give what a target takes."""
        return next(needed for needed in self.needed if needed.target == target)


def d_study(
    units: Units, *, rng: Rng, clusters: Mapping[str, str] | None = None
) -> tuple[ReliabilityPlan, ReliabilityPlan]:
    """How many raters and cases would compare these systems reliably, or score an answer so?

    From the components of `stats.g_study`: the generalizability coefficient Eρ² of the systems'
    means, and the index of dependability Φ of an answer's mean label. Few raters leave both wide
    open; the intervals say so.

    Args:
        units: The labels of one dimension.
        rng: The source of randomness.
        clusters: Case to cluster; a case that is not named is a cluster alone.

    Source: Brennan (2001), Generalizability Theory, doi:10.1007/978-1-4757-3456-0.

    Example:
        >>> made = np.random.default_rng(1)
        >>> keys = [(system, f"{case:02}") for system in "ABC" for case in range(30)]
        >>> codes = made.integers(0, 2, (90, 3)) + np.repeat([0, 1, 2], 30)[:, None]
        >>> read = Units.from_codes(codes, list("0123"), keys=keys, scores=[0, 1, 2, 3])
        >>> of_systems, of_answer = d_study(read, rng=1)
        >>> of_systems.at(0.8).raters, of_answer.at(0.8).raters
        (1, 2)
    """
    judged, count = np.unique(units.unit, return_counts=True)
    pairs = [units.keys[at].pair for at in judged.tolist()]
    systems, cases = sorted({s for s, _ in pairs}), sorted({c for _, c in pairs})
    raters = sorted({units.raters[at] for at in np.unique(units.rater).tolist()})
    labels = float(len(count) / (1 / count).sum()) if len(count) else 0.0
    plan = partial(
        ReliabilityPlan,
        units.dimension,
        systems=len(systems),
        cases=len(cases),
        raters=len(raters),
        labels=labels,
    )
    found: GStudy | None = None
    why = "its labels have no scores"
    if len({*pairs}) < len(pairs):
        why = _PARTS
    elif units.scores is not None and len(count):
        found = g_study(_rated(units, (systems, cases, raters), clusters), rng=rng)
        why = found.undefined
    if found is None or why:
        return plan(of="systems", reason=why), plan(of="answer", reason=why)
    many = len(cases)
    return (
        plan(
            of="systems",
            value=float(found.of_systems_now[0]),
            interval=_interval(found.of_systems_now),
            needed=tuple(
                Needed(
                    target,
                    *_counted(found.raters_for_systems(target, many)),
                    *_counted(found.cases_for_systems(target, labels)),
                )
                for target in TARGETS
            ),
            curve=tuple(_point(n, found.of_systems(n, many)) for n in _CURVE),
        ),
        plan(
            of="answer",
            value=float(found.of_answer(labels)[0]),
            interval=_interval(found.of_answer(labels)),
            needed=tuple(
                Needed(target, *_counted(found.raters_for_answer(target))) for target in TARGETS
            ),
            curve=tuple(_point(n, found.of_answer(n)) for n in _CURVE),
        ),
    )


def _rated(
    units: Units,
    names: tuple[list[str], list[str], list[str]],
    clusters: Mapping[str, str] | None,
) -> LongLabels:
    """Number systems, cases, raters and clusters in the order of their names."""
    places = [{name: at for at, name in enumerate(sorted_names)} for sorted_names in names]
    keys = [units.keys[at].pair for at in units.unit.tolist()]
    system = np.array([places[0][s] for s, _ in keys], dtype=np.int64)
    case = np.array([places[1][c] for _, c in keys], dtype=np.int64)
    rater = np.array([places[2][units.raters[at]] for at in units.rater.tolist()], dtype=np.int64)
    of_case = group_labels(tuple(names[1]), clusters)
    place = {name: at for at, name in enumerate(dict.fromkeys(of_case))}
    cluster = np.array([place[name] for name in of_case], dtype=np.int64)
    scores = units.scores if units.scores is not None else np.zeros(len(units.labels))
    order = np.lexsort((rater, case, system))  # in whatever order rows come
    return LongLabels(
        scores[units.code][order], system[order], case[order], rater[order], cluster[case[order]]
    )


def _interval(drawn: NDArray[np.float64]) -> Interval:
    low, high = np.quantile(drawn[1:], _ENDS)
    estimand = "these systems, new cases and raters like these"
    return Interval(float(low), float(high), _LEVEL, _METHOD, estimand, len(drawn) - 1)


def _counted(drawn: NDArray[np.float64]) -> tuple[int | None, int | None, int | None]:
    """Give a count and its interval in whole raters or cases; None above the most."""
    low, high = np.quantile(drawn[1:], _ENDS, method="nearest")
    counts = [float("inf") if not np.isfinite(n) else n for n in (drawn[0], low, high)]
    none, small, large = (max(1, ceil(n)) if n <= _MOST else None for n in counts)
    return none, small, large


def _point(raters: int, drawn: NDArray[np.float64]) -> ReliabilityPoint:
    low, high = np.quantile(drawn[1:], _ENDS)
    return ReliabilityPoint(raters, float(drawn[0]), float(low), float(high))

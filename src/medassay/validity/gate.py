"""The gate: is a new version worse than the old one, by which metric, and how sure is that?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

import numpy as np

from medassay.stats import Interval, PairedGate, bounded_gate, holm, paired_gate
from medassay.stats.clusters import group_labels
from medassay.validity.source import Direction

__all__ = ["Bound", "Change", "Flip", "GateResult", "Verdict", "gate"]


Bound = Literal["t", "betting"]
"""How differences are bounded: by their spread, or by the score's range whatever they show."""


class Verdict(StrEnum):
    """What the gate says of one metric."""

    WORSE = "worse"
    NOT_WORSE = "not worse"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Change:
    """One metric, before and after.

    Attributes:
        metric: Its canonical name.
        direction: Which way is better.
        old: Values by (system, case).
        new: The same of the new version.
        low: The metric's least possible value, if it has one.
        high: Its greatest possible value, if it has one.
        if_lost: What a score counts as that only the old version has; None if nothing is bad enough
            to be named.
        unchanged: Whether the two versions are known to be the same in everything that was
            compared, not by this metric alone.
        why_lost: Why the new version lacks scores that the old one has, in words; may be empty.
    """

    metric: str
    direction: Direction
    old: Mapping[tuple[str, str], float]
    new: Mapping[tuple[str, str], float]
    low: float | None = None
    high: float | None = None
    if_lost: float | None = None
    unchanged: bool = False
    why_lost: str = ""

    @property
    def sign(self) -> float:
        """Turn differences so that positive is better."""
        return -1.0 if self.direction == "lower" else 1.0

    @property
    def lost(self) -> list[tuple[str, str]]:
        """List the answers that only the old version has a value for."""
        return sorted(key for key in self.old if key not in self.new)


@dataclass(frozen=True, slots=True)
class Flip:
    """One answer whose score changed."""

    system: str
    case: str
    old: float
    new: float
    change: float
    """New minus old, turned so that positive is better."""


@dataclass(frozen=True, slots=True)
class GateResult:
    """What the gate found by one metric.

    Attributes:
        metric: Its canonical name.
        verdict: Worse; not worse within the margin; or undecided.
        difference: Mean of new minus old, turned so that positive is better.
        interval: Of the difference; unadjusted.
        p_worse: Holm-adjusted over the metrics.
        p_not_worse: Holm-adjusted over the metrics.
        minimal_detectable_loss: The true loss that would be called worse with 80 % probability.
        n: Answers that both have a value for.
        lost: Answers that only the old version has a value for.
        lost_as: What they were counted as; None if there are none, or no such value is known.
        gained: Answers that only the new version has a value for.
        flips: The answers that changed, the largest loss first.
        identical: Whether nothing changed at all.
        blocked: Whether an undecided verdict must not pass in any case, since scores that the old
            version had are missing and nothing says how bad that is.
        why: What a reader should know about the verdict; may be empty.
    """

    metric: str
    verdict: Verdict
    difference: float | None
    interval: Interval | None
    p_worse: float | None
    p_not_worse: float | None
    minimal_detectable_loss: float | None
    n: int
    lost: int
    lost_as: float | None
    gained: int
    flips: tuple[Flip, ...]
    identical: bool = False
    blocked: bool = False
    why: str = ""


def gate(
    changes: Sequence[Change],
    *,
    margin: float,
    clusters: Mapping[str, str] | None = None,
    level: float = 0.95,
    bound: Bound = "t",
) -> list[GateResult]:
    """Compare two versions by each metric, paired over answers to the same case.

    Not worse: the loss is smaller than the margin, with the error held at (1 − level)/2 over all
    metrics together (Holm). Worse: there is a loss, at the same level, and it is not shown to be
    within the margin. Undecided: the cases at hand show neither. A gate that passes whatever is not
    worse beyond doubt passes every underpowered loss, so undecided is a verdict of its own.

    A score that only the old version has counts as `if_lost`, in the difference and in both tests.
    Where no such value is known, "not worse" cannot be said, and undecided is blocked. So it is
    where the two have no score in common at all.

    Versions that are the same in everything are not worse: no test is made of them.

    Args:
        changes: One for each metric; metrics without a better direction cannot be gated.
        margin: The largest acceptable loss, in the unit of the metrics.
        clusters: Case to cluster; answers of several systems to one case are one cluster anyway.
        level: Coverage of the intervals.
        bound: `t`, or `betting`, which holds however rare and heavy losses are (`bounded_gate`).

    Returns:
        One result for each change, in their order.

    Example:
        >>> old = {("A", str(i)): float(i % 5 > 0) for i in range(400)}
        >>> new = {("A", str(i)): float(i % 5 > 1) for i in range(400)}
        >>> [found] = gate([Change("accuracy", "higher", old, new, 0, 1)], margin=0.02)
        >>> found.verdict.value, found.difference, len(found.flips)
        ('worse', -0.2, 80)
    """
    tested = [_test(change, margin, clusters, level, bound) for change in changes]
    open_ = [not (change.unchanged or _uncounted(change)) for change in changes]
    worse = _adjusted([one.p_worse for one in tested])
    fine = _adjusted(
        [one.p_not_worse if asked else None for one, asked in zip(tested, open_, strict=True)]
    )
    half = (1 - level) / 2
    results = []
    for change, one, p_worse, p_fine in zip(changes, tested, worse, fine, strict=True):
        verdict = Verdict.UNDECIDED
        if change.unchanged or (p_fine is not None and p_fine <= half):
            verdict = Verdict.NOT_WORSE
        elif p_worse is not None and p_worse <= half:
            verdict = Verdict.WORSE
        results.append(
            GateResult(
                metric=change.metric,
                verdict=verdict,
                difference=one.difference,
                interval=one.interval,
                p_worse=p_worse,
                p_not_worse=p_fine,
                minimal_detectable_loss=one.minimal_detectable_loss,
                n=len(change.old) - len(change.lost),
                lost=len(change.lost),
                lost_as=change.if_lost if change.lost and one.n else None,
                gained=sum(key not in change.old for key in change.new),
                flips=_flips(change),
                identical=change.unchanged,
                blocked=verdict is Verdict.UNDECIDED and _uncounted(change),
                why=_why(change, one),
            )
        )
    return results


def _uncounted(change: Change) -> bool:
    """Say whether scores are missing that cannot be counted against the new version."""
    nothing_common = len(change.lost) == len(change.old)
    return nothing_common or (bool(change.lost) and change.if_lost is None)


def _why(change: Change, found: PairedGate) -> str:
    lost, n = len(change.lost), len(change.old)
    because = f" ({change.why_lost})" if change.why_lost else ""
    if lost == n:
        return (
            f"none of the {n} scores of the old version has a counterpart in the new one{because}"
        )
    said = [found.undefined] if found.undefined and not change.unchanged else []
    noun, verb = ("score", "is") if lost == 1 else ("scores", "are")
    if lost and change.if_lost is None:
        said.append(
            f"{lost} {noun} of {n} {verb} lost{because}, and no worst value is known to count as"
        )
    elif lost:
        said.append(f"{lost} {noun} of {n} {verb} lost{because}, and counted as {change.if_lost:g}")
    return "; ".join(said)


def _test(
    change: Change,
    margin: float,
    clusters: Mapping[str, str] | None,
    level: float,
    bound: Bound,
) -> PairedGate:
    new = dict(change.new)
    if change.if_lost is not None and len(change.lost) < len(change.old):
        new |= dict.fromkeys(change.lost, change.if_lost)
    keys = sorted(key for key in change.old if key in new)
    differences = np.array([change.sign * (new[key] - change.old[key]) for key in keys])
    span = None if change.low is None or change.high is None else change.high - change.low
    labels = group_labels(tuple(case for _, case in keys), clusters)
    ask = bounded_gate if bound == "betting" else paired_gate
    return ask(differences, margin=margin, span=span, clusters=labels, level=level)


def _adjusted(p_values: Sequence[float | None]) -> list[float | None]:
    """Adjust by Holm what has a p; the rest has none."""
    places = [i for i, p in enumerate(p_values) if p is not None]
    known = [p for p in p_values if p is not None]
    adjusted: list[float | None] = [None] * len(p_values)
    for place, value in zip(places, holm(known).tolist() if known else [], strict=True):
        adjusted[place] = float(value)
    return adjusted


def _flips(change: Change) -> tuple[Flip, ...]:
    flips = [
        Flip(system, case, old, new, change.sign * (new - old))
        for (system, case), old in change.old.items()
        if (new := change.new.get((system, case))) is not None and new != old
    ]
    return tuple(sorted(flips, key=lambda flip: (flip.change, flip.system, flip.case)))

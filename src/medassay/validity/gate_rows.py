"""What the gate is told and what it says: changes, verdicts, a row for each system."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from medassay.stats import Interval
from medassay.validity.source import Direction

__all__ = ["Bound", "Change", "Flip", "GateResult", "SystemGate", "Verdict"]


Bound = Literal["t", "betting"]
"""How differences are bounded: by their spread, or by the score's range whatever they show."""


class Verdict(StrEnum):
    """What the gate says of one metric."""

    WORSE = "worse"
    NOT_WORSE = "metric not worse"
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
        unchanged: Systems that are known to be the same in everything that was compared, not by
            this metric alone.
        why_lost: System to why the new version lacks scores of it, in words, where that is known.
        harm: Whether the metric measures harm.
    """

    metric: str
    direction: Direction
    old: Mapping[tuple[str, str], float]
    new: Mapping[tuple[str, str], float]
    low: float | None = None
    high: float | None = None
    if_lost: float | None = None
    unchanged: frozenset[str] = frozenset()
    why_lost: Mapping[str, str] = field(default_factory=dict)
    harm: bool = False

    @property
    def sign(self) -> float:
        """Turn differences so that positive is better."""
        return -1.0 if self.direction == "lower" else 1.0

    @property
    def span(self) -> float | None:
        """Give the width of the metric's range, if it has one."""
        return None if self.low is None or self.high is None else self.high - self.low

    @property
    def best(self) -> float | None:
        """Give the better end of the metric's range, if it has one."""
        return self.low if self.direction == "lower" else self.high

    @property
    def lost(self) -> list[tuple[str, str]]:
        """List the answers that only the old version has a value for."""
        return sorted(key for key in self.old if key not in self.new)

    @property
    def gone(self) -> bool:
        """Say whether the new version has no value at all where the old one has one."""
        return not any(key in self.new for key in self.old)

    @property
    def systems(self) -> list[str]:
        """List the systems that the old version has a value of."""
        return sorted({system for system, _ in self.old})


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
class SystemGate:
    """What the gate found of one system by one metric.

    Attributes:
        system: Its name.
        verdict: Worse; metric not worse within the margin; or undecided.
        difference: Mean of new minus old, turned so that positive is better.
        interval: Of the difference; unadjusted. Its method says what bounds it.
        p_worse: Holm-adjusted over systems, metrics and the versions compared with.
        p_not_worse: Holm-adjusted in the same way.
        minimal_detectable_loss: The true loss that would be called worse with 80 % probability,
            all tests of the gate together.
        n: Answers that both have a value for.
        lost: Answers that only the old version has a value for.
        lost_as: What they were counted as; None if there are none, or no such value is known.
        gained: Answers that only the new version has a value for.
        identical: Whether nothing of the system changed at all.
        blocked: Whether an undecided verdict must not pass in any case, since scores that the old
            version had are missing and nothing says how bad that is.
        why: What a reader should know about the verdict; may be empty.
        near_best: Whether the loss was bounded by the score's range because nearly all of the old
            version's scores lie by the best value.
    """

    system: str
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
    identical: bool = False
    blocked: bool = False
    why: str = ""
    near_best: bool = False


@dataclass(frozen=True, slots=True)
class GateResult:
    """What the gate found by one metric, system by system.

    Attributes:
        metric: Its canonical name.
        verdict: Worse if any system is; metric not worse if every system is not; else undecided.
        systems: A row for each system of the old version, in order of their names.
        flips: The answers that changed, the largest loss first.
        harm: Whether the metric measures harm.
    """

    metric: str
    verdict: Verdict
    systems: tuple[SystemGate, ...]
    flips: tuple[Flip, ...]
    harm: bool = False

    @property
    def identical(self) -> bool:
        """Say whether nothing changed at all."""
        return all(row.identical for row in self.systems)

    @property
    def blocked(self) -> bool:
        """Say whether a system is undecided in a way that must not pass."""
        return any(row.blocked for row in self.systems)

    def flips_of(self, system: str) -> list[Flip]:
        """List the answers of one system that changed."""
        return [flip for flip in self.flips if flip.system == system]

"""What a study wants to reach, and what it reached."""

from typing import Literal

from medassay.marks import DesignName, SystemName, Words, record
from medassay.stats import Interval

__all__ = ["Target", "Verdict"]

Verdict = Literal["reached", "missed", "too close to say", "no value"]
"""Reached or missed only where the whole interval lies on one side of the target."""


@record(infers=True)
class Target:
    """One target of [targets] for one system.

    Attributes:
        name: As study.toml writes it.
        source: The column of scores that it is about.
        system: The system.
        target: What is to be reached.
        value: What the system reached; None where it has no value.
        interval: Around the value; the lower ends of all systems hold at once in 95 % of studies,
            and so do the upper ends.
        verdict: Whether the target is reached.
        reason: Why there is no value; empty where there is one.
    """

    name: DesignName
    source: DesignName
    system: SystemName
    target: float
    value: float | None
    interval: Interval | None
    verdict: Verdict
    reason: Words

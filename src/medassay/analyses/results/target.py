"""What a study wants to reach, and what it reached."""

from typing import Literal

from medassay.marks import DesignName, SystemName, Words
from medassay.marks.plain import Plain
from medassay.stats import Interval

__all__ = ["TargetResult", "Verdict"]

Verdict = Literal["reached", "missed", "too close to say", "no value"]
"""Reached or missed only where the whole interval lies on one side of the target."""


class TargetResult(Plain, infers=True):
    """One target of [targets] for one system."""

    name: DesignName
    """As study.toml writes it."""
    source: DesignName
    system: SystemName
    target: float
    value: float | None
    interval: Interval | None
    verdict: Verdict
    reason: Words
    """Why there is no value; empty where there is one."""

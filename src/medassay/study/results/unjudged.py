"""Ranking and verdicts by each rule for answers without a judgement, as plain data."""

from typing import Literal

from medassay.marks import DesignName, SystemName, Words
from medassay.stats import Interval
from medassay.study.results.plain import Plain

__all__ = ["RuleTrustResult", "UnjudgedResult", "UnjudgedRule", "UnjudgedTrustResult"]

UnjudgedRule = Literal["dropped", "worst", "shared"]


class UnjudgedResult(Plain, infers=True):
    """One system; see `validity.UnjudgedRank`."""

    consensus: DesignName
    dimension: DesignName
    system: SystemName
    judged: int
    unjudged: int
    dropped: float | None
    dropped_rank: int | None
    adjusted: float | None
    adjusted_rank: int | None
    worst: float | None
    worst_rank: int | None
    shared: float | None
    shared_rank: int | None
    shared_cases: int
    moves: bool
    """Whether the rule decides the system's place."""


class RuleTrustResult(Plain, infers=True):
    """What one rule says of one metric."""

    rule: UnjudgedRule
    """Dropped (means adjusted by case) and worst on all cases; shared: on the cases on which every
    system was judged."""
    tau: float | None
    interval: Interval | None
    uses: list[Literal["rank", "screen", "gate", "never"]]
    why: Words
    n_answers: int


class UnjudgedTrustResult(Plain, infers=True):
    """What one metric may be used for, by each rule."""

    consensus: DesignName
    dimension: DesignName
    metric: DesignName
    title: DesignName
    ruled: Literal["dropped", "shared"]
    """The rule of the trust table itself."""
    rules: list[RuleTrustResult]
    changes: bool
    """Whether the rule decides the verdict."""

"""The verdicts by each rule for answers without a judgement, as plain data."""

from typing import Literal

from medassay.marks import DesignName, Words
from medassay.marks.plain import Plain
from medassay.stats import Interval
from medassay.validity import Use

__all__ = ["RuleTrustResult", "UnjudgedRule", "UnjudgedTrustResult"]

UnjudgedRule = Literal["dropped", "worst", "shared"]


class RuleTrustResult(Plain, infers=True):
    """What one rule says of one metric."""

    rule: UnjudgedRule
    """Dropped (means adjusted by case) and worst on all cases; shared: on the cases on which every
    system was judged."""
    tau: float | None
    interval: Interval | None
    uses: tuple[Use, ...]
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

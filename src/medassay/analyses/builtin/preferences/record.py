"""What raters preferred when they saw two answers side by side."""

from medassay.consensus import Strength, SystemTally
from medassay.marks import DesignName, SystemName, Words, record
from medassay.stats import Interval

__all__ = ["PairCount", "PreferredOn", "SideBySide"]


@record(infers=False)
class PairCount:
    """Two systems, how often either was preferred.

    Attributes:
        system_a: A system.
        system_b: Another.
        a: Times that the first was preferred.
        b: Times that the second was.
        tie: Times that neither was.
    """

    system_a: SystemName
    system_b: SystemName
    a: int
    b: int
    tie: int


@record(infers=True)
class PreferredOn:
    """All comparisons on one dimension.

    Attributes:
        dimension: The dimension.
        n: Comparisons with a choice.
        unlabelled: Comparisons where a rater gave a reason instead of a choice; they are not among
            n.
        raters: Raters who made a choice.
        cases: Cases with a choice.
        standings: Each system, the one preferred in the largest share first.
        pairs: Each pair of systems.
        judged_more_than_once: Pairs of answers that more than one rater compared.
        pairwise_agreement: The share of those on which raters agree.
        pairwise_agreement_interval: Around it.
        reason: Why there is no such share; empty where there is.
        strengths: Bradley-Terry strengths, the strongest first.
        tie_weight: How ready raters are to call a tie: two equal systems tie with w / (2 + w).
        no_strengths: Why there are no strengths; empty where there are.
    """

    dimension: DesignName
    n: int
    unlabelled: int
    raters: int
    cases: int
    standings: tuple[SystemTally, ...]
    pairs: tuple[PairCount, ...]
    judged_more_than_once: int
    pairwise_agreement: float | None
    pairwise_agreement_interval: Interval | None
    reason: Words
    strengths: tuple[Strength, ...] = ()
    tie_weight: float | None = None
    no_strengths: Words = ""


@record(infers=True)
class SideBySide:
    """What raters preferred, by dimension."""

    dimensions: tuple[PreferredOn, ...]

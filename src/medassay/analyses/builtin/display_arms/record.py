"""What raters preferred in each arm of display, and how far that differs."""

from medassay.marks import DesignName, PValue, SystemName, Words, record
from medassay.stats import Interval

__all__ = ["ArmOn", "ArmsDiffer", "DisplayArms", "PairInArms"]


@record(infers=True)
class ArmOn:
    """Two systems in one arm of display.

    Attributes:
        display: The arm.
        comparisons: Comparisons with a choice.
        cases: Cases with one.
        win_difference: Share preferring the first system less that preferring the second, ties 0:
            -1 to 1; None where nobody chose.
        interval: Over cases or clusters; None where it is undefined.
        reason: Why there is no value or no interval; empty where both are there.
    """

    display: DesignName
    comparisons: int
    cases: int
    win_difference: float | None
    interval: Interval | None
    reason: Words


@record(infers=True)
class ArmsDiffer:
    """How far the win difference of two systems differs between two arms.

    Attributes:
        display: The arm.
        other: The arm that it is held against.
        difference: The win difference in the one less that in the other, -2 to 2.
        interval: Over cases or clusters; None where it is undefined.
        p_adjusted: Two-sided, after Holm over all that this analysis compares; None where there is
            no interval.
        reason: Why there is no value or no interval; empty where both are there.
    """

    display: DesignName
    other: DesignName
    difference: float | None
    interval: Interval | None
    p_adjusted: PValue | None
    reason: Words


@record(infers=True)
class PairInArms:
    """Two systems on one dimension, in every arm.

    Attributes:
        dimension: What they were compared on.
        system_a: The first system.
        system_b: The second.
        arms: Each arm.
        differ: Each arm held against the first.
    """

    dimension: DesignName
    system_a: SystemName
    system_b: SystemName
    arms: tuple[ArmOn, ...]
    differ: tuple[ArmsDiffer, ...]


@record(infers=True)
class DisplayArms:
    """Every pair of systems that was compared in two arms and more."""

    pairs: tuple[PairInArms, ...]

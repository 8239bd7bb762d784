"""Where the numbers that raters gave lie."""

from medassay.marks import DesignName, SystemName, record

__all__ = ["NumbersGiven", "SystemNumbers"]


@record(infers=False)
class SystemNumbers:
    """The numbers that raters gave one system's answers.

    Attributes:
        dimension: The dimension.
        system: The system.
        unit: What is counted; empty where the rubric does not say.
        given: How many numbers.
        without: Judgements with a reason instead.
        lowest: The lowest number; None where there is none, as below.
        lower: The first quartile.
        median: The median.
        upper: The third quartile.
        highest: The highest.
    """

    dimension: DesignName
    system: SystemName
    unit: DesignName
    given: int
    without: int
    lowest: float | None
    lower: float | None
    median: float | None
    upper: float | None
    highest: float | None


@record(infers=False)
class NumbersGiven:
    """Where the numbers lie, by dimension and system."""

    systems: tuple[SystemNumbers, ...]

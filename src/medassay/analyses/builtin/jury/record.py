"""How far a jury of models agrees with clinicians, and they with each other."""

from medassay.marks import DesignName, Words, record
from medassay.stats import Interval

__all__ = ["Agreeing", "JuryOn", "JuryReport"]


@record(infers=True)
class Agreeing:
    """An intraclass correlation over all pairs of ratings of one thing.

    Attributes:
        pairs: Pairs of ratings.
        answers: What they are of: answers, or parts of answers.
        cases: Cases with a pair.
        icc: None where it is undefined.
        interval: Over cases or clusters; None where it is undefined.
        reason: Why there is no value or no interval; empty where both are there.
    """

    pairs: int
    answers: int
    cases: int
    icc: float | None
    interval: Interval | None
    reason: Words


@record(infers=True)
class JuryOn:
    """A jury and clinicians on one dimension.

    Attributes:
        dimension: The dimension.
        models: How many models sit in the jury.
        people: How many people rated.
        jury: The jury's mean with each person's rating.
        among: Every two people's ratings of the same thing.
        difference: The jury's less that of people; None where it is undefined.
        difference_interval: Over cases or clusters; None where it is undefined.
    """

    dimension: DesignName
    models: int
    people: int
    jury: Agreeing
    among: Agreeing
    difference: float | None
    difference_interval: Interval | None


@record(infers=True)
class JuryReport:
    """Each dimension that two models and more rated."""

    dimensions: tuple[JuryOn, ...]

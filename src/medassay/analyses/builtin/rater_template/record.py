"""What a template warns raters of and asks of them, answered from the data."""

from typing import Final, Literal

from medassay.marks import DesignName, RaterName, SystemName, Words, record
from medassay.stats import Interval

__all__ = ["LEVELS", "ChecklistItem", "Pitfall", "RaterTemplate"]

LEVELS: Final = "levels of the scale that the rater used"
"""The one measure of a pitfall that is a count."""


@record(infers=True)
class Pitfall:
    """One thing that raters are warned of, measured.

    Attributes:
        about: The system, where the rater may favour it; else empty.
    """

    pitfall: Words
    rater: RaterName
    measure: Words
    about: SystemName
    value: float | None
    interval: Interval | None
    n: int
    reason: Words


@record(infers=False)
class ChecklistItem:
    """One line of the source's quality checklist, answered from the data."""

    item: Words
    answer: Literal["yes", "no", "partly", "cannot be told"]
    detail: Words


@record(infers=True)
class RaterTemplate:
    """The pitfalls, rater by rater, and the checklist."""

    dimension: DesignName
    pitfalls: tuple[Pitfall, ...]
    checklist: tuple[ChecklistItem, ...]

"""What a run found about confidence in words: the system's beside the experts'."""

from medassay.marks import CaseId, DesignName, SystemName, Words
from medassay.marks.plain import Plain

__all__ = ["AlignmentResult", "AlignmentRow"]


class AlignmentRow(Plain, infers=False):
    """One query, side by side."""

    case: CaseId
    mean: float | None
    """The mean of normalised similarities that the rule cuts; None for a stated label."""
    system: DesignName | None
    """The level by this rule."""
    system_reason: Words
    experts: DesignName | None
    """The level that most experts gave."""
    experts_reason: Words
    """Why there is none: a tie, or no expert."""
    votes: dict[DesignName, int]
    """How many experts gave each level, the highest first."""


class AlignmentResult(Plain, infers=False):
    """One system's confidence by one rule, held beside the experts' majority."""

    system: SystemName
    rule: Words
    """`stated`, `min-max in the query` or `min-max in the run`."""
    kappa: float | None
    """Weighted Cohen's kappa with linear weights. Alignment of words, not accuracy."""
    reason: Words
    n: int
    """Queries with both levels."""
    levels: dict[DesignName, int]
    """How many queries the rule puts in each level, the highest first."""
    note: Words
    """Says so where the rule cannot tell queries apart; else empty."""
    rows: list[AlignmentRow]

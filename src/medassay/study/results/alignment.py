"""What a run found about confidence in words: the system's beside the experts'."""

from medassay.study.results.plain import Plain

__all__ = ["AlignmentResult", "AlignmentRow"]


class AlignmentRow(Plain):
    """One query, side by side."""

    case: str
    mean: float | None
    """The mean of normalised similarities that the rule cuts; None for a stated label."""
    system: str | None
    """The level by this rule."""
    system_reason: str
    experts: str | None
    """The level that most experts gave."""
    experts_reason: str
    """Why there is none: a tie, or no expert."""
    votes: dict[str, int]
    """How many experts gave each level, the highest first."""


class AlignmentResult(Plain):
    """One system's confidence by one rule, held beside the experts' majority."""

    system: str
    rule: str
    """`stated`, `min-max in the query` or `min-max in the run`."""
    kappa: float | None
    """Weighted Cohen's kappa with linear weights. Alignment of words, not accuracy."""
    reason: str
    n: int
    """Queries with both levels."""
    levels: dict[str, int]
    """How many queries the rule puts in each level, the highest first."""
    note: str
    """Says so where the rule cannot tell queries apart; else empty."""
    rows: list[AlignmentRow]

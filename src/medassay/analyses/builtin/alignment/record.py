"""A system's confidence in words beside the experts'."""

from medassay.marks import CaseId, DesignName, SystemName, Words, record

__all__ = ["Alignment", "AlignmentRow", "Alignments"]


@record(infers=False)
class AlignmentRow:
    """One query, side by side.

    Attributes:
        mean: The mean of normalised similarities that the rule cuts; None for a stated label.
        system: The level by this rule.
        experts: The level that most experts gave.
        experts_reason: Why there is none: a tie, or no expert.
        votes: How many experts gave each level, the highest first.
    """

    case: CaseId
    mean: float | None
    system: DesignName | None
    system_reason: Words
    experts: DesignName | None
    experts_reason: Words
    votes: dict[DesignName, int]


@record(infers=False)
class Alignment:
    """One system's confidence by one rule, held beside the experts' majority.

    Attributes:
        rule: `stated`, `min-max in the query` or `min-max in the run`.
        kappa: Weighted Cohen's kappa with linear weights. Alignment of words, not accuracy.
        n: Queries with both levels.
        levels: How many queries the rule puts in each level, the highest first.
        note: Says so where the rule cannot tell queries apart; else empty.
    """

    system: SystemName
    rule: Words
    kappa: float | None
    reason: Words
    n: int
    levels: dict[DesignName, int]
    note: Words
    rows: tuple[AlignmentRow, ...]


@record(infers=False)
class Alignments:
    """Each system by each rule.

    Attributes:
        systems: One for each of both.
        thresholds: Where Medium begins, and above what High does.
        fixed: The day on which the thresholds were fixed; empty where nobody says.
    """

    systems: tuple[Alignment, ...]
    thresholds: tuple[float, float]
    fixed: Words

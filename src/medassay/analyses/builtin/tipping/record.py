"""How many unjudged answers could turn a headline."""

from medassay.marks import DesignName, SystemName, Words, record

__all__ = ["TippingPoint"]


@record(infers=False)
class TippingPoint:
    """Two systems, and the unjudged answers that could turn which of them is ahead.

    Attributes:
        dimension: What raters judged.
        kind: `mean` of who has the better mean, else what an answer is called that counts.
        ahead: The system that is ahead, or was harmful more often.
        behind: The one that the fewest answers would bring level with it.
        turn: How many unjudged answers it would take.
        ahead_unjudged: How many answers of the first raters were asked about and did not judge.
        behind_unjudged: The same of the other.
        not_asked: Answers of both that nobody was to judge: they are not missing.
        against: The value that those of the first would need; None of a kind.
        for_other: The value that those of the other would need; None of a kind.
    """

    dimension: DesignName
    kind: Words
    ahead: SystemName
    behind: SystemName
    turn: int
    ahead_unjudged: int
    behind_unjudged: int
    not_asked: int
    against: float | None = None
    for_other: float | None = None

"""From the raters who are listed to those whose judgements are counted."""

from medassay.judgements import Rater
from medassay.marks import Text, record

__all__ = ["RaterCount", "RaterFlow"]


@record(infers=False)
class RaterCount:
    """One rater, and how much they said.

    Attributes:
        rater: What is known of them.
        judgements: What holds now, adjudication included; for an excluded rater what was left out.
        apart: How many of them are a model's and in no number about people.
    """

    rater: Rater
    judgements: int
    apart: int


@record(infers=False)
class RaterFlow:
    """From the raters who are listed to those whose judgements are counted.

    Attributes:
        listed: Raters who are listed; without a raters table, everyone who rated.
        excluded: Reason to how many raters.
        qualified: Raters who are not excluded.
        judged: Qualified raters who judged something that counts as people's judgement.
        judgements: What they judged and preferred.
        left_out: Judgements and preferences of excluded raters.
        raters: Each that is listed.
        order_known: Whether a position or a time says in which order anything was judged; True
            where nothing was.
    """

    listed: int
    excluded: dict[Text, int]
    qualified: int
    judged: int
    judgements: int
    left_out: int
    raters: tuple[RaterCount, ...]
    order_known: bool = True

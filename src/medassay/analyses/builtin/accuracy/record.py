"""How often systems choose the right option."""

from collections.abc import Mapping

from medassay.analyses.inputs.answer_choices import Policy
from medassay.marks import PValue, SystemName, Tag, TagName, record
from medassay.stats import Interval, McNemar

__all__ = ["Accuracy", "AccuracyOf", "OnSameQuestions"]


@record(infers=True)
class AccuracyOf:
    """How many questions of a group one system has right.

    Attributes:
        tag: The tag that groups the questions; empty for all of them.
        value: Its value.
        system: The system.
        policy: What an answer without a choice counts as.
        right: Questions answered with the right option.
        n: Questions.
        no_choice: Questions without a choice, those never answered among them.
        never_answered: Questions that the system never answered.
        share: right / n.
        interval: Around it.
    """

    tag: TagName
    value: Tag
    system: SystemName
    policy: Policy
    right: int
    n: int
    no_choice: int
    never_answered: int
    share: float
    interval: Interval


@record(infers=True)
class OnSameQuestions:
    """Two systems on the same questions.

    Attributes:
        policy: What an answer without a choice counts as.
        system_a: A system.
        system_b: Another.
        n: Questions.
        test: McNemar's, on the questions that exactly one of them has right.
        difference: Accuracy of a minus accuracy of b.
        p_adjusted: Holm, over all pairs of systems under this policy.
    """

    policy: Policy
    system_a: SystemName
    system_b: SystemName
    n: int
    test: McNemar
    difference: float
    p_adjusted: PValue


@record(infers=True)
class Accuracy:
    """How often systems choose the right option.

    Attributes:
        groups: One a group of questions, system and policy; all questions first.
        pairs: One a pair of systems and policy.
        tags_left_out: Tags with too many values to group by.
    """

    groups: tuple[AccuracyOf, ...]
    pairs: tuple[OnSameQuestions, ...]
    tags_left_out: tuple[TagName, ...]

    def overall(self, policy: Policy) -> Mapping[str, AccuracyOf]:
        """Give each system's accuracy over all questions."""
        return {row.system: row for row in self.groups if not row.tag and row.policy == policy}

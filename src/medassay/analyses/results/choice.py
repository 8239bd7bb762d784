"""What a run found about the options that systems chose."""

from typing import Literal

from medassay.marks import DesignName, PValue, SystemName, Tag, TagName
from medassay.marks.plain import Plain
from medassay.stats import Interval

__all__ = [
    "AccuracyResult",
    "ChoiceDetail",
    "ConfusionResult",
    "McNemarResult",
    "OptionResult",
    "OptionSummary",
]

Policy = Literal["wrong", "first"]
"""What an answer without a choice counts as: wrong, or as the case's first option."""


class AccuracyResult(Plain, infers=True):
    """How many questions of a group one system has right."""

    tag: TagName
    """The tag that groups the questions; empty for all of them."""
    value: Tag
    system: SystemName
    policy: Policy
    right: int
    n: int
    no_choice: int
    """Questions without a choice, those never answered among them."""
    never_answered: int
    share: float
    interval: Interval | None


class McNemarResult(Plain, infers=True):
    """Two systems on the questions that exactly one of them has right."""

    policy: Policy
    system_a: SystemName
    system_b: SystemName
    n: int
    only_a: int
    only_b: int
    difference: float
    """Accuracy of a minus accuracy of b."""
    p: PValue
    p_adjusted: PValue
    """Holm, over all pairs of systems under this policy."""


class OptionResult(Plain, infers=False):
    """How well one system recognises one option."""

    system: SystemName
    option: DesignName
    support: int
    chosen: int
    right: int
    precision: float | None
    recall: float | None
    f1: float | None


class OptionSummary(Plain, infers=False):
    """One system's figures over all options."""

    system: SystemName
    n: int
    accuracy: float | None
    balanced_accuracy: float | None
    macro_precision: float | None
    macro_recall: float | None
    macro_f1: float | None
    weighted_f1: float | None


class ConfusionResult(Plain, infers=False):
    """What one system chose where one option is right."""

    system: SystemName
    right: DesignName
    chosen: dict[DesignName, int]
    no_choice: int


class ChoiceDetail(Plain, infers=True):
    """Everything about the options that systems chose."""

    accuracy: list[AccuracyResult]
    mcnemar: list[McNemarResult]
    options: list[OptionResult]
    summaries: list[OptionSummary]
    confusion: list[ConfusionResult]
    tags_left_out: list[TagName]
    """Tags with too many values to group by."""

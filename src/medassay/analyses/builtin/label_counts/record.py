"""How often labels were given."""

from medassay.marks import DesignName, SystemName, record

__all__ = ["LabelCount", "LabelCounts", "SystemLabels"]


@record(infers=False)
class LabelCount:
    """How often a label was given.

    Attributes:
        dimension: The dimension.
        scope: `judgements`, or a consensus method such as `majority`.
        label: The label.
        count: How often it was given.
        share: Of all judgements (or answers) in the scope, ties and reasons included.
        is_reason: True for 'cannot judge', 'not applicable', 'tie': rows that are no label of the
            scale.
    """

    dimension: DesignName
    scope: DesignName
    label: DesignName
    count: int
    share: float | None
    is_reason: bool


@record(infers=False)
class SystemLabels:
    """Which labels a system's answers were given on one dimension.

    Attributes:
        dimension: The dimension.
        system: The system.
        labels: The labels of the scale, worst first where they have scores.
        counts: How often each was given, label by label.
        without: Judgements without a label, such as 'cannot judge'.
    """

    dimension: DesignName
    system: SystemName
    labels: tuple[DesignName, ...]
    counts: tuple[int, ...]
    without: int


@record(infers=False)
class LabelCounts:
    """How often each label was given.

    Attributes:
        counts: By dimension and scope.
        by_system: By dimension and system, over judgements.
    """

    counts: tuple[LabelCount, ...]
    by_system: tuple[SystemLabels, ...] = ()

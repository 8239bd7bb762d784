"""How often labels were given."""

from medassay.marks import DesignName, record

__all__ = ["LabelCount", "LabelCounts"]


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
class LabelCounts:
    """How often each label was given, by dimension and scope."""

    counts: tuple[LabelCount, ...]

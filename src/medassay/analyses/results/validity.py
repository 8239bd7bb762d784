"""What stands behind the trust table, as plain data: each part of `ValidityDetail` is a table."""

from medassay.marks import DesignName, PValue
from medassay.marks.plain import Plain
from medassay.validity import AnswerLevel, BadAnswers, GroupTau, MetricPair, SystemLevel

__all__ = ["ReferenceResult", "ValidityDetail"]


class ReferenceResult(Plain, infers=True):
    """The same metric against the experts' references and against the notes."""

    metric: DesignName
    """Its name without the reference."""
    consensus: DesignName
    human: DesignName
    note: DesignName
    tau_human: float | None
    tau_note: float | None
    difference: float | None
    p: PValue | None
    p_adjusted: PValue | None
    """Holm, over all metrics and dimensions of this table."""
    flips: bool
    """Whether the two taus have opposite signs."""


class ValidityDetail(Plain, infers=True):
    """Everything behind the trust table, by the same consensus method."""

    titles: dict[DesignName, DesignName]
    """Metric, sentinel or consensus to what a page calls it; a consensus by its dimension."""
    sentinels: list[DesignName]
    """Those among them that know nothing of what an answer says."""
    system_level: list[SystemLevel]
    pairs: list[MetricPair]
    references: list[ReferenceResult]
    groups: list[GroupTau]
    answer_level: list[AnswerLevel]
    bad_answers: list[BadAnswers]

"""What stands behind the trust table, as plain data: each part of `ValidityDetail` is a table."""

from medassay.marks import DesignName, PValue, SystemName, Tag, TagName, TestWords, Words
from medassay.stats import Interval
from medassay.study.results.plain import Plain

__all__ = [
    "AnswerLevelResult",
    "BadAnswersResult",
    "GroupTauResult",
    "GroupedResult",
    "MetricPairResult",
    "ReferenceResult",
    "SystemLevelResult",
    "TieResult",
    "ValidityDetail",
]


class SystemLevelResult(Plain, infers=True):
    """Every measure over the means of the systems; see `validity.SystemLevel`."""

    metric: DesignName
    consensus: DesignName
    tau: float | None
    tau_ap: float | None
    spearman: float | None
    pearson: float | None
    pairwise_accuracy: float | None
    soft_pairwise_accuracy: float | None
    without_family_low: float | None
    without_family_high: float | None
    family: SystemName
    n_systems: int
    adjusted: bool = False
    """Whether the means are adjusted by case, since not every system has every case."""
    letters: TestWords
    """Metrics that share a letter are not told apart by PERM-BOTH; sentinels have none."""


class MetricPairResult(Plain, infers=True):
    """Two metrics against one consensus; see `validity.MetricPair`."""

    consensus: DesignName
    first: DesignName
    second: DesignName
    difference: float | None
    p: PValue | None
    p_adjusted: PValue | None
    p_fdr: PValue | None
    n_answers: int


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


class GroupTauResult(Plain, infers=False):
    """One metric inside one group; see `validity.GroupTau`."""

    metric: DesignName
    consensus: DesignName
    by: TagName
    group: Tag
    tau: float | None
    pooled: float | None
    n_systems: int
    n_cases: int
    trap: bool
    undefined: Words


class GroupedResult(Plain, infers=True):
    """Correlations under one grouping; see `validity.Grouped`."""

    grouping: Words
    tau: float | None
    r: float | None
    tau_interval: Interval | None
    groups: int


class TieResult(Plain, infers=True):
    """acc_eq with ties; see `stats.TieCalibration`."""

    acc_eq: float | None
    epsilon: float | None
    calibrated: float | None
    cross_validated: float | None
    constant: float | None
    groups: int
    acc_eq_interval: Interval | None
    cross_validated_interval: Interval | None


class AnswerLevelResult(Plain, infers=True):
    """One metric answer by answer; see `validity.AnswerLevel`."""

    metric: DesignName
    consensus: DesignName
    grouped: list[GroupedResult]
    ties: TieResult
    pair_r: float | None
    n_answers: int
    n_cases: int


class BadAnswersResult(Plain, infers=True):
    """How well a metric finds unacceptable or dangerous answers; see `validity.BadAnswers`."""

    metric: DesignName
    dimension: DesignName
    kind: Words
    bad: int
    n: int
    auroc: float | None
    auroc_interval: Interval | None
    auprc: float | None
    auprc_interval: Interval | None
    threshold: float | None
    precision: float | None
    recall: float | None
    flagged: int | None
    undefined: Words
    precision_interval: Interval | None
    recall_interval: Interval | None


class ValidityDetail(Plain, infers=True):
    """Everything behind the trust table, by the same consensus method."""

    titles: dict[DesignName, DesignName]
    """Metric, sentinel or consensus to what a page calls it; a consensus by its dimension."""
    sentinels: list[DesignName]
    """Those among them that know nothing of what an answer says."""
    system_level: list[SystemLevelResult]
    pairs: list[MetricPairResult]
    references: list[ReferenceResult]
    groups: list[GroupTauResult]
    answer_level: list[AnswerLevelResult]
    bad_answers: list[BadAnswersResult]

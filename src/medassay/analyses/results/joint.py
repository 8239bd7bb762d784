"""What a run found about the panel of raters and what it jointly says."""

from medassay.analyses.results.consensus import ConsensusFit, ConsensusNote, JoinedLabel, LabelShare
from medassay.annotations import (
    CaseId,
    DesignName,
    SystemName,
    Text,
    Words,
)
from medassay.annotations.record import Plain
from medassay.consensus import HarmPrevalence, RaterQuality, TieSensitivity
from medassay.stats import Interval

__all__ = [
    "ConsensusMean",
    "ConsensusReport",
    "ConsensusScore",
]


class ConsensusScore(Plain, infers=False):
    """What the raters jointly say of one answer."""

    source: DesignName
    system: SystemName
    case: CaseId
    value: float | None
    reason: Words
    detail: Text
    uncertainty: float | None
    """Entropy in nats, of the labels given or of the posterior; 0 where there is no doubt."""


class ConsensusMean(Plain, infers=False):
    """One system's mean of one consensus."""

    source: DesignName
    dimension: DesignName
    method: DesignName
    system: SystemName
    mean: float | None
    interval: Interval | None
    """Over cases: these systems and raters, new cases."""
    adjusted: float | None
    """What the mean would be on all cases that any system has (least squares, system + case), where
    systems have different ones; else None."""
    scored: int
    unscored: int
    why: Words


class ConsensusReport(Plain, infers=False):
    """All that the raters jointly say."""

    scores: list[ConsensusScore]
    fits: list[ConsensusFit]
    """One for each dimension and method that fits a model."""
    notes: list[ConsensusNote]
    means: list[ConsensusMean]
    labels: list[JoinedLabel]
    """Under every method that gives labels, whether or not they have scores."""
    label_shares: list[LabelShare]
    quality: list[RaterQuality]
    ties: list[TieSensitivity]
    harm: list[HarmPrevalence]

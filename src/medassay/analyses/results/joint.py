"""What a run found about the panel of raters and what it jointly says."""

from medassay.analyses.results.consensus import ConsensusFit, ConsensusNote, JoinedLabel, LabelShare
from medassay.consensus import HarmPrevalence, RaterQuality, TieSensitivity
from medassay.marks import (
    CaseId,
    DesignName,
    RankEnd,
    SystemName,
    TestWords,
    Text,
    Words,
)
from medassay.marks.plain import Plain
from medassay.stats import Interval

__all__ = [
    "BoardColumnResult",
    "BoardResult",
    "ConsensusMean",
    "ConsensusReport",
    "ConsensusScore",
    "OverallResult",
]


class OverallResult(Plain, infers=True):
    """One system's value in one column of a shared task's own leaderboard."""

    name: DesignName
    """The column's name; it ends in `relevance=own` where some published columns are missing."""
    ref: DesignName
    """The board's name, such as the reference that it is about."""
    system: SystemName
    value: float | None
    interval: Interval | None
    reason: Words
    n: int = 0
    """Cases with a score; of a mean of columns, the fewest of any."""
    rank: int | None = None
    """By the value as it is printed, with ties sharing the best place; None where not ranked."""
    rank_low: RankEnd | None = None
    rank_high: RankEnd | None = None
    letters: TestWords = ""
    """Systems that share a letter cannot be told apart by this column."""


class BoardColumnResult(Plain, infers=False):
    """One column of a shared task's leaderboard."""

    name: DesignName
    title: DesignName
    group: DesignName
    rank: DesignName
    """The letter of its ranks; empty where systems are not ranked by it."""
    lacking: DesignName
    """Why it has no value at all, as the end of a sentence; empty where it has one."""
    own: bool = False
    """Whether it is a mean of the columns that are there, since some published ones are not."""
    origin: DesignName = ""
    """Which imported scores it shows, of which file, and who says how they came about."""
    question: DesignName = ""
    """What study.toml has to say before the column is filled, a sentence; empty where nothing."""


class BoardResult(Plain, infers=True):
    """A shared task's leaderboard; its values are among the overalls."""

    name: DesignName
    title: DesignName
    says: Words
    order: DesignName
    columns: list[BoardColumnResult]


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

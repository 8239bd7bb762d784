"""What a run found about the panel of raters and what it jointly says."""

from collections.abc import Sequence
from typing import NamedTuple

from medassay.marks import (
    CaseId,
    DesignName,
    RankEnd,
    RaterName,
    SystemName,
    TestWords,
    Text,
    Words,
)
from medassay.stats import Interval
from medassay.study.results.consensus import ConsensusFit, ConsensusNote, JoinedLabel, LabelShare
from medassay.study.results.plain import Plain

__all__ = [
    "BoardColumnResult",
    "BoardResult",
    "BudgetResult",
    "ConsensusMean",
    "ConsensusReport",
    "ConsensusScore",
    "DiagnosticResult",
    "HarmResult",
    "OverallResult",
    "QualityColumn",
    "QualityResult",
    "StrengthResult",
    "TieMeans",
    "TieResult",
    "WithoutRaterResult",
    "quality_columns",
]


class HarmResult(Plain, infers=True):
    """How often a dimension's harmful label holds, under one way of counting."""

    dimension: DesignName
    method: DesignName
    """A consensus method, or `judgements` or `any_rater`."""
    title: Words
    harmful: int
    undecided: int
    """Answers that the method has no label for; they are among n."""
    n: int
    share: float | None
    interval: Interval | None


class StrengthResult(Plain, infers=True):
    """How strong one system is, whoever it was compared with."""

    system: SystemName
    log_strength: float | None
    """0 is the average system; a difference of 0.7 doubles the odds of being preferred."""
    interval: Interval | None
    n: int


class DiagnosticResult(Plain, infers=True):
    """One thing that a rater does and the others do not."""

    rater: RaterName
    dimension: DesignName
    kind: Words
    meaning: Words
    """What the effect is, and what its sign means."""
    about: SystemName
    """The system, where the rater may favour it; the MACE, where it is competence; else empty."""
    effect: float | None
    interval: Interval | None
    n: int
    reason: Words


class BudgetResult(Plain, infers=True):
    """How near the ranking by k labels an answer comes to another ranking."""

    dimension: DesignName
    method: DesignName
    against: Words
    """`full`, all labels of the same answers; or `rest`, those that were not drawn."""
    k: int
    panel: int
    answers: int
    systems: int
    draws: int
    tau: float | None
    low: float | None
    high: float | None
    reason: Words


class WithoutRaterResult(Plain, infers=True):
    """The ranking without one rater, beside that of all."""

    rater: RaterName
    dimension: DesignName
    method: DesignName
    answers: int
    lost: int
    tau: float | None
    same_order: bool
    same_best: bool
    largest_move: int | None
    moved: SystemName
    reason: Words


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


class QualityResult(Plain, infers=True):
    """What one way of joining labels says of one rater."""

    dimension: DesignName
    method: DesignName
    title: Words
    meaning: Words
    """What the number is, with its range."""
    rater: RaterName
    quality: float | None
    n: int
    """Labels of the rater."""


class QualityColumn(NamedTuple):
    """Methods that give every rater the same number, and so share a column.

    Attributes:
        of: Method to its title; the first stands for all.
        meaning: What the number is.
        values: By (dimension, rater).
    """

    of: dict[str, str]
    meaning: str
    values: dict[tuple[str, str], QualityResult]

    @property
    def method(self) -> str:
        """Give the first method."""
        return next(iter(self.of))


def quality_columns(found: Sequence[QualityResult]) -> list[QualityColumn]:
    """Lay out what methods make of raters: a column each, votes that read alike in one.

    Only numbers decide. Two fits of one model mean the same by their number and differ in it.
    """
    titles = {one.method: one.title for one in found}
    columns: dict[tuple[str, tuple[float | None, ...]], QualityColumn] = {}
    for method, title in titles.items():
        own = {(one.dimension, one.rater): one for one in found if one.method == method}
        meaning = next(iter(own.values())).meaning
        alike = meaning, tuple(one.quality for one in own.values())
        columns.setdefault(alike, QualityColumn({}, meaning, own)).of[method] = title
    return list(columns.values())


class TieMeans(Plain, infers=False):
    """One system's mean by majority, under each rule for ties; None where it has no value."""

    system: SystemName
    unscored: float | None
    """A tie has no score."""
    lower: float | None
    """The lowest of the labels that lead together."""
    median: float | None
    """The median of all labels of the answer."""


class TieResult(Plain, infers=True):
    """How much the rule for ties moves the means of a majority vote."""

    dimension: DesignName
    answers: int
    ties: int
    largest: float | None
    """The largest distance between two rules' means of one system."""
    means: list[TieMeans]


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
    quality: list[QualityResult]
    ties: list[TieResult]
    harm: list[HarmResult]

"""What raters scored each system, as a protocol's source wants it told in a paper."""

from typing import Literal

from medassay.marks import CaseId, DesignName, RaterName, SystemName, Text, Words, record
from medassay.stats import Interval

__all__ = ["AnswerNote", "AnswerScore", "HumanEvaluation", "PaperRow", "ScoreCorrelation"]


@record(infers=False)
class PaperRow:
    """One system's scores, each answer's being the mean over its raters; `sd` is with n - 1."""

    system: SystemName
    n: int
    mean: float | None
    sd: float | None
    median: float | None
    reason: Words


@record(infers=True)
class ScoreCorrelation:
    """How far the raters' scores go with a score by a machine, answer by answer.

    Attributes:
        over: `all`: every answer. `within`: each system's own mean taken away. `one`: one system's.
        interval: Over questions: answers to one question depend on each other.
    """

    source: DesignName
    kind: Literal["pearson", "spearman"]
    over: Literal["all", "within", "one"]
    system: SystemName
    value: float | None
    interval: Interval | None
    n: int
    questions: int
    reason: Words


@record(infers=False)
class AnswerScore:
    """One answer's score.

    Attributes:
        mean: The average over its raters.
        raters: How many scored it.
    """

    case: CaseId
    system: SystemName
    mean: float
    raters: int


@record(infers=False)
class AnswerNote:
    """What a rater noted on one answer; empty where texts do not leave the study."""

    case: CaseId
    system: SystemName
    rater: RaterName
    note: Text


@record(infers=True)
class HumanEvaluation:
    """Everything that the source wants in a paper.

    Attributes:
        rows: Best mean first.
        pairs: Pairs of raters that kappa is the mean of.
        word: What the source's bands call it; empty where they have no word.
        bands: The publication of the bands.
        answers: Each answer that somebody scored, by question and system.
        notes: What raters noted, by question and system.
    """

    dimension: DesignName
    rows: tuple[PaperRow, ...]
    questions: int
    raters: int
    kappa: float | None
    kappa_reason: Words
    pairs: int
    word: Words
    word_reason: Words
    bands: Words
    bands_rule: Words
    correlations: tuple[ScoreCorrelation, ...]
    answers: tuple[AnswerScore, ...]
    notes: tuple[AnswerNote, ...]

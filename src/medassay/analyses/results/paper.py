"""What a run found that a protocol's source wants told in a paper."""

from typing import Final, Literal

from medassay.marks import DesignName, RaterName, SystemName, Words
from medassay.marks.plain import Plain
from medassay.stats import Interval

__all__ = [
    "LEVELS",
    "ChecklistItem",
    "PaperResult",
    "PaperRow",
    "PitfallResult",
    "ScoreCorrelation",
]


LEVELS: Final = "levels of the scale that the rater used"
"""The one measure of a pitfall that is a count."""


class PaperRow(Plain, infers=False):
    """One system's scores, each answer's being the mean over its raters."""

    system: SystemName
    n: int
    mean: float | None
    sd: float | None
    """With n - 1."""
    median: float | None
    reason: Words


class ScoreCorrelation(Plain, infers=True):
    """How far the raters' scores go with a score by a machine, answer by answer."""

    source: DesignName
    kind: Literal["pearson", "spearman"]
    over: Literal["all", "within", "one"]
    """`all`: every answer. `within`: each system's own mean taken away. `one`: one system's."""
    system: SystemName
    value: float | None
    interval: Interval | None
    """Over questions: answers to one question depend on each other."""
    n: int
    questions: int
    reason: Words


class PitfallResult(Plain, infers=True):
    """One thing that raters are warned of, measured."""

    pitfall: Words
    rater: RaterName
    measure: Words
    about: SystemName
    """The system, where the rater may favour it; else empty."""
    value: float | None
    interval: Interval | None
    n: int
    reason: Words


class ChecklistItem(Plain, infers=False):
    """One line of the source's quality checklist, answered from the data."""

    item: Words
    answer: Literal["yes", "no", "partly", "cannot be told"]
    detail: Words


class PaperResult(Plain, infers=True):
    """Everything that the source wants in a paper."""

    dimension: DesignName
    rows: list[PaperRow]
    """Best mean first."""
    questions: int
    raters: int
    kappa: float | None
    kappa_reason: Words
    pairs: int
    """Pairs of raters that kappa is the mean of."""
    word: Words
    """What the source's bands call it; empty where they have no word."""
    word_reason: Words
    bands: Words
    """The publication of the bands."""
    bands_rule: Words
    correlations: list[ScoreCorrelation]
    pitfalls: list[PitfallResult]
    checklist: list[ChecklistItem]

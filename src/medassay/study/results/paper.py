"""What a run found that a protocol's source wants told in a paper."""

from typing import Final, Literal

from medassay.study.results.plain import IntervalResult, Plain

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


class PaperRow(Plain):
    """One system's scores, each answer's being the mean over its raters."""

    system: str
    n: int
    mean: float | None
    sd: float | None
    """With n - 1."""
    median: float | None
    reason: str


class ScoreCorrelation(Plain):
    """How far the raters' scores go with a score by a machine, answer by answer."""

    source: str
    kind: Literal["pearson", "spearman"]
    over: Literal["all", "within", "one"]
    """`all`: every answer. `within`: each system's own mean taken away. `one`: one system's."""
    system: str
    value: float | None
    interval: IntervalResult | None
    """Over questions: answers to one question depend on each other."""
    n: int
    questions: int
    reason: str


class PitfallResult(Plain):
    """One thing that raters are warned of, measured."""

    pitfall: str
    rater: str
    measure: str
    about: str
    """The system, where the rater may favour it; else empty."""
    value: float | None
    interval: IntervalResult | None
    n: int
    reason: str


class ChecklistItem(Plain):
    """One line of the source's quality checklist, answered from the data."""

    item: str
    answer: Literal["yes", "no", "partly", "cannot be told"]
    detail: str


class PaperResult(Plain):
    """Everything that the source wants in a paper."""

    dimension: str
    rows: list[PaperRow]
    """Best mean first."""
    questions: int
    raters: int
    kappa: float | None
    kappa_reason: str
    pairs: int
    """Pairs of raters that kappa is the mean of."""
    word: str
    """What the source's bands call it; empty where they have no word."""
    word_reason: str
    bands: str
    """The publication of the bands."""
    bands_rule: str
    correlations: list[ScoreCorrelation]
    pitfalls: list[PitfallResult]
    checklist: list[ChecklistItem]

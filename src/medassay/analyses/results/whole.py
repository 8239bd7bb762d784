"""What a run found: the one structure that the report renders and report.json holds.

Everything is plain data, so that a page, a table and a paper say the same. A value that is missing
is None and stands beside its reason. Nothing here is computed; see `assemble`.
"""

from typing import Literal

from pydantic import Field

from medassay.analyses.results.earlier import EarlierRun
from medassay.analyses.results.judged_by import JudgedBy
from medassay.analyses.results.mark import MarkResult
from medassay.analyses.results.metric import (
    ShortenedResult,
    StatementsResult,
    VerdictsResult,
)
from medassay.analyses.results.overview import (
    DimensionResult,
    RunInfo,
    StudyInfo,
    SystemResult,
)
from medassay.analyses.results.records import Records
from medassay.annotations import (
    CaseId,
    DesignName,
    DocumentId,
    RaterName,
    SystemName,
    Tag,
    TagName,
    Text,
    Words,
    record,
)
from medassay.annotations.record import Plain
from medassay.study.metric_choice import LeftOut

__all__ = [
    "AnswerResult",
    "CaseResult",
    "JudgementResult",
    "MethodNote",
    "NotAsked",
    "Results",
    "ScoreResult",
    "SourceResult",
]


@record(infers=False)
class NotAsked:
    """An analysis that was not run.

    Attributes:
        id: Its id.
        title: Its title.
        question: What it answers.
        how: What to write under [report.analyses] in study.toml to have it run.
    """

    id: DesignName
    title: DesignName
    question: Words
    how: Words


class SourceResult(Plain, infers=False):
    """Where a column of scores comes from: a metric, an imported file, or the raters jointly."""

    name: DesignName
    title: DesignName
    kind: Literal["metric", "imported", "consensus"]
    dimension: DesignName | None
    """The dimension of a consensus, else None."""
    method: DesignName | None
    """The consensus method, else None."""
    question: DesignName
    unit: DesignName
    low: float | None
    high: float | None
    direction: Literal["higher", "lower", "none"]
    scored: int
    unscored: dict[Words, int]
    """Reason in words to how many pairs of system and case it holds for."""
    unscored_example: Text
    """The fullest detail of the commonest reason, for the page to say once."""
    signature: DesignName
    control: bool
    """A control such as length: shown beside the metrics, never recommended."""
    file: DesignName = ""
    """The file of imported scores."""
    origin: DesignName = ""
    """What is said of how imported scores came about."""
    stands_for: DesignName = ""
    """The metric whose place imported scores take; empty where they take none."""


class JudgementResult(Plain, infers=False):
    """One judgement as the page shows it."""

    rater: RaterName
    dimension: DesignName
    label: DesignName | None
    reason: Words
    comment: Text
    given: DesignName = ""
    """What the rater gave, where a correction reads it as `label`; else empty."""

    @property
    def said(self) -> str:
        """Give the label, and what was given where it was corrected; or why there is none."""
        corrected = f" (corrected from {self.given})" if self.given else ""
        return f"{self.label}{corrected}" if self.label else self.reason


class ScoreResult(Plain, infers=False):
    """One score as the page shows it."""

    source: DesignName
    value: float | None
    reason: Words


class AnswerResult(Plain, infers=False):
    """One answer with what was measured and judged of it."""

    system: SystemName
    status: Literal["given", "empty", "not held", "never answered"]
    text: Text | None
    """None under `texts = ids` or `none`."""
    scores: list[ScoreResult]
    """Of a consensus only where a rater judged this answer."""
    judgements: list[JudgementResult]
    statements: list[StatementsResult] = Field(default_factory=list)
    choice: DesignName | None = None
    confidence: float | None = None
    reasoning: Text | None = None
    """None under `texts = ids` or `none`, as are the two below."""
    retrieved: list[DocumentId] = Field(default_factory=list)
    marks: list[MarkResult] = Field(default_factory=list)
    """The words that decided, in the order in which they are read."""


class CaseResult(Plain, infers=False):
    """One case with every answer."""

    case: CaseId
    in_ranking: bool
    question: Text | None
    narrative: Text | None
    evidence: list[Text]
    references: list[Text]
    tags: dict[TagName, Tag]
    answers: list[AnswerResult]
    options: dict[DesignName, Text] = Field(default_factory=dict)
    gold: DesignName | None = None
    """The right option."""
    relevant: list[DocumentId] = Field(default_factory=list)
    """Documents with a grade above 0."""


class MethodNote(Plain, infers=False):
    """One paragraph of the methods."""

    title: DesignName
    text: DesignName
    signature: DesignName


class Results(Plain, infers=False):
    """All of a run."""

    schema_version: Literal[1] = 1
    study: StudyInfo
    run: RunInfo
    systems: list[SystemResult]
    dimensions: list[DimensionResult]
    sources: list[SourceResult]
    left_out: list[LeftOut] = Field(default_factory=list)
    questions: list[DesignName] = Field(default_factory=list)
    """Where two columns of scores could stand in one place, and study.toml has to choose."""
    shortened: list[ShortenedResult] = Field(default_factory=list)
    """Metrics that met texts longer than their model reads at once."""
    verdicts: list[VerdictsResult] = Field(default_factory=list)
    ranking_rule: Words
    """In words, which cases systems are ranked on."""
    ranking_cases: list[CaseId]
    primary: DesignName
    """The source that orders the leaderboard."""
    primary_asked: bool = True
    """Whether it is the one that the protocol or study.toml ranks by, and stood before ratings."""
    judged_by: list[JudgedBy] = Field(default_factory=list)
    """Whose labels count on each dimension; empty where no model's do on any."""
    earlier: EarlierRun | None = None
    """An earlier run beside this one, where study.toml or `--against` names one."""
    analyses: Records = Field(default_factory=Records)
    """What each declared analysis found, by its id."""
    not_asked: tuple[NotAsked, ...] = ()
    """Analyses that were not run, and how to ask for them."""
    statistics: list[Words] = Field(default_factory=list)
    """The kinds of statistics in here, such as `mean`, `interval`, `test`."""
    cases: list[CaseResult]
    methods: list[MethodNote]
    warnings: list[Words]
    """Calm sentences about what the study lacks or a reader should know, said once."""

    def __repr__(self) -> str:
        """Name the run: all of its numbers would fill pages."""
        return f"Results({self.study.title!r}, run={self.run.name!r})"

"""What a run found: the one structure that the report renders and report.json holds.

Everything is plain data, so that a page, a table and a paper say the same. A value that is missing
is None and stands beside its reason. Nothing here is computed; see `assemble`.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, Literal, TypeVar

from pydantic import Field, GetCoreSchemaHandler, GetJsonSchemaHandler, TypeAdapter, ValidationInfo
from pydantic_core import CoreSchema, core_schema

from medassay.analyses.declaration import Analysis
from medassay.analyses.results.mark import MarkResult
from medassay.annotations import (
    CaseId,
    DesignName,
    DocumentId,
    RaterName,
    SystemName,
    Tag,
    TagName,
    Text,
    Varied,
    Words,
    record,
)
from medassay.annotations.record import Plain
from medassay.consensus import HarmPrevalence, RaterQuality, TieSensitivity
from medassay.stats import Interval
from medassay.study.metric_choice import LeftOut


class JudgedBy(Plain, infers=False):
    """A judged dimension, of a study in which labels of models are counted on some."""

    dimension: DesignName
    models: list[RaterName]
    """Whose labels count on it; none where only people judged."""
    people: int
    """People who judged it too; 0: all that is said of it is a model's word."""
    certified: list[RaterName] = Field(default_factory=list)
    """Models of them whose certificate holds on it."""
    of: Literal["labels", "preferences"] = "labels"
    """What they gave; no certificate speaks of preferences."""


class ConsensusNote(Plain, infers=True):
    """What a reader must know of one fit before reading its numbers."""

    dimension: DesignName
    method: DesignName
    title: Words
    text: Words


class FittedAnswer(Plain, infers=False):
    """What the model makes of one answer."""

    system: SystemName
    case: CaseId
    label: DesignName | None
    """The most probable label; None at a tie, or where the answer is not certain enough."""
    posterior: dict[DesignName, float]
    """Label to its probability."""
    entropy: float
    """Of the posterior, in nats; 0 where there is no doubt."""
    kept: bool
    """Whether the answer is certain enough to have a score."""
    known: DesignName = ""
    """The label that study.toml knows this control item to have; empty for the others."""


class FittedRater(Plain, infers=False):
    """What the model makes of one rater."""

    rater: RaterName
    quality: float | None
    n: int
    """Labels of the rater."""
    confusion: dict[DesignName, dict[DesignName, float]] = Field(default_factory=dict)
    """True label to label said to its probability; empty where the model has none."""
    guesses: dict[DesignName, float] = Field(default_factory=dict)
    """Label to how often a guess is it; empty where the model knows no guessing."""


class ConsensusFit(Plain, infers=True):
    """One model fitted to one dimension."""

    dimension: DesignName
    method: DesignName
    title: Words
    meaning: Words
    """What the quality of a rater is."""
    labels: list[DesignName]
    log_likelihood: float
    """Of the fit that was kept."""
    restarts: list[float]
    """Log likelihood of every start; the highest was kept."""
    steps: int
    label_shares: dict[DesignName, float] | None
    """How often each label is true by the model; None where the model does not estimate it."""
    priors: dict[DesignName, float] | None
    """Label priors of study.toml; None for equal shares."""
    threshold: float | None
    """The highest entropy of an answer that is kept, in nats; None where all are."""
    kept: int
    controls: int
    """Answers whose label was known."""
    notes: list[Words]
    raters: list[FittedRater]
    answers: list[FittedAnswer]


class JoinedLabel(Plain, infers=False):
    """The label that one aggregation method gives one answer."""

    dimension: DesignName
    method: DesignName
    system: SystemName
    case: CaseId
    label: DesignName | None
    """None at a tie, or where the answer is not certain enough."""


class LabelShare(Plain, infers=False):
    """How many answers have a label, under one aggregation method."""

    dimension: DesignName
    method: DesignName
    label: DesignName | None
    """None for the answers that it has no label for."""
    answers: int
    of: int
    """Answers that a rater labelled."""


class EarlierValue(Plain, infers=False):
    """What one measure of a system was."""

    system: SystemName
    measure: Words
    value: float
    text: Words
    """As it was printed."""


class EarlierChange(Plain, infers=False):
    """How many questions of both runs a system has right in one of them alone."""

    system: SystemName
    questions: int
    became_right: int
    became_wrong: int


class EarlierRun(Plain, infers=False):
    """The run that study.toml or `--against` names."""

    name: Words
    values: list[EarlierValue]
    changes: list[EarlierChange]
    """Empty where either run keeps its case ids to itself."""


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


class StatementResult(Plain, infers=False):
    """One statement with its verdict and the sentence that decides."""

    text: Text | None
    """None under `texts = ids`."""
    verdict: Literal["supported", "contradicted", "not found"]
    strength: float
    """How strongly the judge holds it, 0 to 1."""
    evidence: DocumentId | None
    """The id of the evidence that the sentence stands in; None where no sentence decides."""
    sentence: Text | None
    why: Text | None


class StatementsResult(Plain, infers=False):
    """The statements of one answer, as some metrics count them."""

    metrics: list[DesignName]
    statements: list[StatementResult]


class VerdictsResult(Plain, infers=False):
    """How many statements of all answers are supported, contradicted and not found."""

    metrics: list[DesignName]
    supported: int
    contradicted: int
    not_found: int
    decided: int
    """Statements with a sentence that decides; the report shows it beside them."""


class ShortenedResult(Plain, infers=False):
    """Scores of texts that are longer than a model reads at once."""

    metric: DesignName
    scored: int
    cut: int
    """Scores made without the end of a text."""
    in_windows: int
    """Scores of texts that were read window by window, whole."""


Texts = Literal["full", "ids", "none"]


class Counts(Plain, infers=False):
    """How much there is of everything."""

    cases: int
    systems: int
    answers: int
    answers_not_held: int = 0
    """Those that are known by their ids alone: their texts are not held."""
    answers_missing: int
    answers_empty: int
    answers_not_asked: int = 0
    """Pairs of system and case that nobody asked: no mean and no count holds them."""
    raters: int
    judgements: int
    preferences: int


class FigureRowInfo(Plain, infers=False):
    """A row that the protocol wants in Figure 1 of the paper, in any study."""

    metric: DesignName
    title: DesignName


class StudyInfo(Plain, infers=False):
    """What was evaluated."""

    title: DesignName
    description: DesignName
    date: DesignName | None
    protocol: DesignName
    protocol_title: DesignName
    source: DesignName
    licence: DesignName
    synthetic: bool
    descriptive: bool = False
    """No intervals, tests or comparisons: the protocol's source reports descriptively only."""
    texts: Texts
    """What these results may show."""
    raters: Literal["pseudonyms", "named"] = "pseudonyms"
    """How people who rate are called."""
    sealed: bool = False
    """What they may not show is taken out."""
    figure_rows: list[FigureRowInfo] = Field(default_factory=list)
    """Rows of Figure 1 of the paper that are there whatever metrics the study has."""
    wording: DesignName = ""
    """What of the rubric is not its source's own words."""
    counts: Counts
    asked: Words = ""
    """Of how many systems each case was asked, where not all were asked all."""
    drawn: DesignName = ""
    """How the cases were drawn, and from what; empty where study.toml does not say."""


class RunInfo(Plain, infers=False):
    """How it was run. No clock: the same inputs and choices give the same run."""

    name: Words
    seed: int
    replicates: int
    software: Words
    inputs: dict[DesignName, Words]
    """File of the study to its SHA-256."""


class SystemResult(Plain, infers=False):
    """One system and what it handed in."""

    id: SystemName
    title: SystemName
    family: SystemName
    answers: int
    not_held: int = 0
    """Answers whose text is not held."""
    missing: int
    empty: int
    not_asked: int = 0
    """Cases that it was not asked."""


class LabelInfo(Plain, infers=False):
    """One label of a scale."""

    label: DesignName
    score: float | None
    description: DesignName


class DimensionResult(Plain, infers=False):
    """One dimension that the raters judged."""

    id: DesignName
    title: DesignName
    question: DesignName
    scale: DesignName
    labels: list[LabelInfo]
    number: DesignName = ""
    """The numbers that may be given in place of labels, in words."""
    kinds: list[DesignName] = Field(default_factory=list)
    """What a marked passage may be, in place of labels."""


_Record = TypeVar("_Record")
TYPES: Final = "analyses"
"""Whoever reads records back says under this word of the context which type each is of."""


class Records(Mapping[str, Any], Varied):
    """Analysis to its record, in the order of the report.

    In report.json it is an object of the same shape.
    """

    def __init__(self, records: Mapping[str, Any] | None = None) -> None:
        self._records = dict(records or {})

    def of(self, analysis: Analysis[_Record]) -> _Record | None:
        """Give what an analysis found; None where it found nothing, or was not asked."""
        record: _Record | None = self._records.get(analysis.id)
        return record

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - a record of any type
        """Give the record of an analysis."""
        return self._records[name]

    def __iter__(self) -> Iterator[str]:
        """Give the ids, in the order of the report."""
        return iter(self._records)

    def __len__(self) -> int:
        """Count the analyses that found something."""
        return len(self._records)

    def __repr__(self) -> str:
        """Name the analyses."""
        return f"Records({', '.join(self._records)})"

    def each(self, change: Callable[[Any], Any]) -> "Records":
        """Give the records as they are after a change; what becomes None or empty is left out."""
        changed = {name: change(record) for name, record in self._records.items()}
        return Records({n: record for n, record in changed.items() if record not in (None, ())})

    def known(self) -> "Records":
        """Leave out analyses that found nothing."""
        return self.each(lambda record: record)

    @classmethod
    def __get_pydantic_core_schema__(cls, _: object, __: GetCoreSchemaHandler) -> CoreSchema:
        """Say to pydantic how it is read and written."""
        return core_schema.with_info_plain_validator_function(
            cls._read,
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda records: {
                    name: _adapter(_type_of(record)).dump_python(record, mode="json")
                    for name, record in records.items()
                }
            ),
        )

    @classmethod
    def __get_pydantic_json_schema__(
        cls, _: CoreSchema, __: GetJsonSchemaHandler
    ) -> dict[str, object]:
        """Say that it is an object; what is in it, whoever knows the analyses says."""
        return {"type": "object", "description": "What each declared analysis found, by its id."}

    @classmethod
    def _read(cls, value: object, info: ValidationInfo) -> "Records":
        if isinstance(value, Records):
            return value
        if not isinstance(value, dict):
            message = "must hold analyses by their id"
            raise ValueError(message)  # noqa: TRY004 - pydantic reports values, not types
        types: Mapping[str, type] = (info.context or {}).get(TYPES, {})
        strange = [name for name in value if name not in types]
        if strange:
            message = f"no analysis here is called {', '.join(strange)}: install what brought it"
            raise ValueError(message)
        return cls({name: _adapter(types[name]).validate_python(value[name]) for name in value})


@lru_cache(maxsize=256)
def _adapter(of: Any) -> TypeAdapter[Any]:  # noqa: ANN401 - a type of any record
    return TypeAdapter(of)


def _type_of(record: Any) -> Any:  # noqa: ANN401 - a record of any type, or several
    return tuple[type(record[0]), ...] if isinstance(record, tuple) else type(record)  # type: ignore[misc]  # of one kind


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

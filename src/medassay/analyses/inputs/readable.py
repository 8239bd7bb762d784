"""What an analysis may read of a study: each part by its type, and nothing it did not ask for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar, cast

import numpy as np

from medassay.analyses.declaration import Analysis
from medassay.analyses.inputs.answer_choices import Choices, choices_of
from medassay.analyses.inputs.answer_dangers import Dangers, dangers_of
from medassay.analyses.inputs.answer_order import AnswerPairs, answer_pairs_of
from medassay.analyses.inputs.answer_reasoning import ChainsRead, read_chains
from medassay.analyses.inputs.consensus_fits import Aggregation, Fitted, aggregation_of, fitted_of
from medassay.analyses.inputs.judge_accuracy import judge_results
from medassay.analyses.inputs.metric_all_cases import AllCases, all_cases_of, judged_shares_of
from medassay.analyses.inputs.metric_uses import TrustOn, trusted_of
from medassay.analyses.inputs.metric_uses_unjudged import (
    UnjudgedTrust,
    unjudged_of,
    unjudged_trust_of,
)
from medassay.analyses.inputs.metric_validity import Held, Measured, held_of, measured_of
from medassay.analyses.inputs.rater_agreement import Agreed, agreed_of
from medassay.analyses.inputs.rater_traits import (
    Diagnosed,
    Guesses,
    RatersMet,
    diagnosed_of,
    guesses_of,
    raters_met,
)
from medassay.analyses.inputs.study_columns import (
    StudyColumns,
    adjusted_validities,
    primary_of,
    primary_source,
    ranking_cases,
    sources_of,
    step_rng,
    validity_of,
)
from medassay.analyses.inputs.study_description import describe_source
from medassay.analyses.inputs.system_boards import Leaderboards, leaderboards_of
from medassay.analyses.inputs.system_harm import HarmFound, harm_found
from medassay.analyses.inputs.system_task_boards import TaskBoard, task_boards_of
from medassay.analyses.results import SourceResult
from medassay.answers import Answers
from medassay.cases import Cases
from medassay.error_analysis import ConditionGroups
from medassay.judgements import Judgements, Preferences, Raters, Rubric
from medassay.scores import ScoreTable
from medassay.study.certificates.checks import JudgeResult
from medassay.study.config.protocol import ConfidenceRule, LengthRule, PaperRule
from medassay.study.config.study_toml import groups_of
from medassay.study.contents.document_labels import DocumentLabel
from medassay.study.folder import Study
from medassay.study.scoring.score_study import Progress
from medassay.validity import JudgedShare, Source, UnjudgedRank, Validity

_Part = TypeVar("_Part")


@dataclass(frozen=True)
class About:
    """What the study says of itself.

    Attributes:
        title: Its title.
        synthetic: Whether its data are made up.
        originals: Names of the files as they came, of which it keeps a copy.
    """

    title: str
    synthetic: bool
    originals: tuple[str, ...] = ()


@dataclass(frozen=True)
class Design:
    """How the study was laid out.

    Attributes:
        systems: Ids of the systems.
        ranking_cases: Ids of the cases that systems are ranked on.
        clusters: Case to cluster; empty where each case is independent.
        families: System to family; empty where each system is its own.
        unasked: Raters of rooms that recorded "nothing found" of passages without asking.
    """

    systems: tuple[str, ...]
    ranking_cases: tuple[str, ...]
    clusters: Mapping[str, str]
    families: Mapping[str, str]
    unasked: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Rules:
    """What a study's protocol, or its study.toml, asks of a report.

    Attributes:
        describes: Whether it says what the data are, and nothing that goes beyond them.
        confidence: How confidence in words is held beside the experts'; None for most.
        paper: What its source wants told in a paper; None for most, and where the study asks its
            raters something else.
        length: How scores by criteria are adjusted for length; None for most.
        targets: What the study wants to reach, by the column of scores; nothing for most.
    """

    describes: bool
    confidence: ConfidenceRule | None
    paper: PaperRule | None
    length: LengthRule | None = None
    targets: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class DocumentLabels:
    """What single experts say of documents that were returned, where it counts.

    Attributes:
        labels: Each expert's label of each document.
    """

    labels: tuple[DocumentLabel, ...]


@dataclass(frozen=True)
class Columns:
    """The columns of scores: metrics, imported ones, and what raters jointly say.

    Attributes:
        score_columns: What is known about each.
        sources: Each laid out over the systems and the ranking cases, by name.
    """

    score_columns: StudyColumns
    sources: Mapping[str, Source]


@dataclass(frozen=True)
class Leading:
    """What orders the leaderboard.

    Attributes:
        source: The column's name; empty where nothing orders the systems.
        dimension: The dimension of a consensus; empty for others.
        method: How that consensus was made; empty for others.
    """

    source: str
    dimension: str
    method: str


@dataclass(frozen=True)
class OnFile:
    """Who is listed or rated, and all that they said: what excluded raters said is still there.

    Attributes:
        raters: Who is listed, and what is known of them.
        judgements: What they judged.
        preferences: What they preferred.
        models: Those of the raters who are models.
    """

    raters: Raters
    judgements: Judgements
    preferences: Preferences
    models: frozenset[str]


@dataclass(frozen=True)
class Randomness:
    """Random numbers that follow from the study's seed.

    Attributes:
        replicates: How many resamples to draw.
    """

    replicates: int
    _stream: Callable[..., np.random.Generator]

    def stream(self, code: str, *drawn_for: str) -> np.random.Generator:
        """Give the numbers of one step; see `stats.streams.stream`.

        Args:
            code: The step's frozen code. A stranger's begins with its package's name.
            drawn_for: What else tells this draw from others of the step.
        """
        return self._stream(code, *drawn_for)


@dataclass
class Inputs:
    """A study and its scores, of which each analysis is given what its parameters ask for.

    Attributes:
        study: The study.
        score_columns: Its columns of scores.
        progress: Told how far what takes long is.
    """

    study: Study
    score_columns: StudyColumns
    progress: Progress | None = None
    _made: dict[type, object] = field(default_factory=dict, init=False)

    def of(self, analysis: Analysis[Any]) -> dict[str, object]:
        """Give an analysis what it reads, by parameter; each part is made once."""
        return {name: self.part(wanted) for name, wanted in analysis.reads.items()}

    def part(self, kind: type[_Part]) -> _Part:
        """Give one part, by its type."""
        if kind not in self._made:
            self._made[kind] = _PROVIDERS[kind](self)
        made: Any = self._made[kind]
        return cast("_Part", made)


def _choices(inputs: Inputs) -> Choices:
    study = inputs.study
    return choices_of(study.cases, study.answers, study.systems)


def _rules(inputs: Inputs) -> Rules:
    config = inputs.study.config
    paper = config.rules.paper
    asked = paper if paper and paper.dimension in inputs.study.rubric.ids else None
    return Rules(
        config.rules.descriptive, config.confidence, asked, config.rules.length, config.targets
    )


def _unjudged_trust(inputs: Inputs) -> tuple[UnjudgedTrust, ...]:
    trusted = inputs.part(tuple[TrustOn, ...])
    return unjudged_trust_of(inputs.study, inputs.score_columns, trusted)


def about_of(study: Study) -> About:
    """Give what a study says of itself."""
    folder = study.path / "original"
    originals = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    return About(study.config.title, study.config.synthetic, tuple(originals))


def design_of(study: Study) -> Design:
    """Say how a study was laid out."""
    cases = ranking_cases(study)
    return Design(study.systems, cases, study.clusters, study.families, study.unasked)


def on_file_of(study: Study) -> OnFile:
    """Give all that raters said, whoever they are."""
    return OnFile(
        study.raters,
        study.judgements_on_file,
        study.preferences_on_file,
        frozenset(study.judges.raters),
    )


def _sources(inputs: Inputs) -> tuple[SourceResult, ...]:
    study, score_columns = inputs.study, inputs.score_columns
    table = score_columns.table
    return tuple(describe_source(study, table, column) for column in score_columns.columns)


def _leaderboards(inputs: Inputs) -> Leaderboards:
    sources = inputs.part(tuple[SourceResult, ...])
    ends = {source.name: (source.low, source.high) for source in sources}
    shares = inputs.part(RatersMet).dimensions
    return leaderboards_of(inputs.study, inputs.score_columns, shares, ends, inputs.progress)


def _leading(inputs: Inputs) -> Leading:
    columns = inputs.score_columns.columns
    name, _ = primary_source(inputs.study, columns)
    column = next((column for column in columns if column.name == name), None)
    dimension, method = (column.dimension, column.method) if column else ("", "")
    return Leading(name, dimension or "", method or "")


def _validities(inputs: Inputs) -> tuple[Validity, ...]:
    study, score_columns = inputs.study, inputs.score_columns
    primary = primary_of(study, score_columns)
    tried = validity_of(study, score_columns)
    return adjusted_validities(score_columns.columns, tried, primary)


def randomness_of(study: Study) -> Randomness:
    """Give the random numbers of a study."""
    return Randomness(
        study.config.run.replicates, lambda code, *drawn_for: step_rng(study, code, *drawn_for)
    )


_PROVIDERS: Final[Mapping[Any, Callable[[Inputs], object]]] = {
    Judgements: lambda of: of.study.judgements,
    Preferences: lambda of: of.study.preferences,
    Rubric: lambda of: of.study.rubric,
    Cases: lambda of: of.study.cases,
    Answers: lambda of: of.study.answers,
    ScoreTable: lambda of: of.score_columns.table,
    ConditionGroups: lambda of: groups_of(of.study.path, of.study.config),
    ChainsRead: lambda of: read_chains(of.study, of.score_columns),
    Dangers: lambda of: dangers_of(of.study, of.score_columns),
    Aggregation: lambda of: aggregation_of(of.study),
    Fitted: lambda of: fitted_of(of.study),
    Diagnosed: lambda of: diagnosed_of(of.study, of.part(Fitted)),
    DocumentLabels: lambda of: DocumentLabels(of.study.relevance),
    Agreed: lambda of: agreed_of(of.study),
    HarmFound: lambda of: harm_found(of.study, of.part(AllCases)),
    AllCases: lambda of: all_cases_of(of.study, of.score_columns),
    AnswerPairs: lambda of: answer_pairs_of(of.study, of.score_columns, of.part(AllCases)),
    tuple[TrustOn, ...]: lambda of: trusted_of(of.study, of.score_columns),
    tuple[JudgeResult, ...]: lambda of: tuple(judge_results(of.study)),
    tuple[UnjudgedRank, ...]: lambda of: unjudged_of(of.study, of.score_columns),
    tuple[JudgedShare, ...]: lambda of: judged_shares_of(of.study, of.part(AllCases)),
    Guesses: lambda of: guesses_of(of.study),
    OnFile: lambda of: on_file_of(of.study),
    RatersMet: lambda of: raters_met(of.study),
    Columns: lambda of: Columns(of.score_columns, sources_of(of.study, of.score_columns)),
    Held: lambda of: held_of(of.study, of.score_columns),
    Measured: lambda of: measured_of(of.study, of.part(Held)),
    About: lambda of: about_of(of.study),
    Design: lambda of: design_of(of.study),
    Randomness: lambda of: randomness_of(of.study),
    Choices: _choices,
    Rules: _rules,
    tuple[UnjudgedTrust, ...]: _unjudged_trust,
    tuple[SourceResult, ...]: _sources,
    Leaderboards: _leaderboards,
    tuple[TaskBoard, ...]: lambda of: task_boards_of(of.study, of.score_columns),
    Leading: _leading,
    tuple[Validity, ...]: _validities,
}
"""What makes each part; a part that others are made of is made once."""


def check_reads(analysis: Analysis[Any]) -> str:
    """Say what an analysis asks for that no study has; nothing where all of it can be given."""
    strange = [name for name, wanted in analysis.reads.items() if wanted not in _PROVIDERS]
    if not strange:
        return ""
    known = ", ".join(sorted(getattr(kind, "__name__", str(kind)) for kind in _PROVIDERS))
    return f"{', '.join(strange)} must be one of {known}"

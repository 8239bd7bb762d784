"""What a run found: the shape of report.json, one module a part.

What enters: values that `analysis` computed. What leaves: `Results`, plain data that the report
renders. Nothing here is computed, and nothing of a study is read.
"""

from medassay.study.results.agreement import (
    AgreementPart,
    AgreementReport,
    AgreementResult,
    RaterFlow,
    RaterResult,
)
from medassay.study.results.alignment import AlignmentResult, AlignmentRow
from medassay.study.results.calibration import CalibrationResult
from medassay.study.results.choice import ChoiceDetail
from medassay.study.results.consensus import ConsensusNote
from medassay.study.results.error import ErrorDetail
from medassay.study.results.joint import (
    BoardColumnResult,
    BoardResult,
    OverallResult,
    QualityResult,
    quality_columns,
)
from medassay.study.results.judge import JudgeResult
from medassay.study.results.mark import MarkResult
from medassay.study.results.metric import (
    LeftOut,
    ShortenedResult,
    StatementsResult,
    VerdictsResult,
)
from medassay.study.results.overview import (
    Counts,
    DimensionResult,
    LabelInfo,
    RunInfo,
    StudyInfo,
    SystemResult,
)
from medassay.study.results.paper import PaperResult
from medassay.study.results.rating import (
    LabelCount,
    PreferencePair,
    PreferencesResult,
    PreferenceStanding,
    RatingCounts,
)
from medassay.study.results.relevance import RelevanceResult
from medassay.study.results.summary import LabelOrder, PairwiseResult, SummaryResult
from medassay.study.results.trust import TrustResult
from medassay.study.results.validity import ValidityDetail
from medassay.study.results.whole import (
    AnswerResult,
    CaseResult,
    CorrelationResult,
    JudgementResult,
    MethodNote,
    Results,
    ScoreResult,
    SourceResult,
    Standing,
)

__all__ = [
    "AgreementPart",
    "AgreementReport",
    "AgreementResult",
    "AlignmentResult",
    "AlignmentRow",
    "AnswerResult",
    "BoardColumnResult",
    "BoardResult",
    "CalibrationResult",
    "CaseResult",
    "ChoiceDetail",
    "ConsensusNote",
    "CorrelationResult",
    "Counts",
    "DimensionResult",
    "ErrorDetail",
    "JudgeResult",
    "JudgementResult",
    "LabelCount",
    "LabelInfo",
    "LabelOrder",
    "LeftOut",
    "MarkResult",
    "MethodNote",
    "OverallResult",
    "PairwiseResult",
    "PaperResult",
    "PreferencePair",
    "PreferenceStanding",
    "PreferencesResult",
    "QualityResult",
    "RaterFlow",
    "RaterResult",
    "RatingCounts",
    "RelevanceResult",
    "Results",
    "RunInfo",
    "ScoreResult",
    "ShortenedResult",
    "SourceResult",
    "Standing",
    "StatementsResult",
    "StudyInfo",
    "SummaryResult",
    "SystemResult",
    "TrustResult",
    "ValidityDetail",
    "VerdictsResult",
    "quality_columns",
]

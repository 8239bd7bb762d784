"""What a run found: the shape of report.json, one module a part.

What enters: values that `analysis` computed. What leaves: `Results`, plain data that the report
renders. Nothing here is computed, and nothing of a study is read.
"""

from medassay.analyses.results.joint import (
    BoardColumnResult,
    BoardResult,
    OverallResult,
)
from medassay.analyses.results.judged_by import JudgedBy
from medassay.analyses.results.mark import MarkResult
from medassay.analyses.results.metric import (
    ShortenedResult,
    StatementsResult,
    VerdictsResult,
)
from medassay.analyses.results.overview import (
    Counts,
    DimensionResult,
    FigureRowInfo,
    LabelInfo,
    RunInfo,
    StudyInfo,
    SystemResult,
)
from medassay.analyses.results.whole import (
    AnswerResult,
    CaseResult,
    JudgementResult,
    LeaderboardRow,
    MethodNote,
    Results,
    ScoreResult,
    SourceResult,
)
from medassay.study.certificates.record import JudgeResult

__all__ = [
    "AnswerResult",
    "BoardColumnResult",
    "BoardResult",
    "CaseResult",
    "Counts",
    "DimensionResult",
    "FigureRowInfo",
    "JudgeResult",
    "JudgedBy",
    "JudgementResult",
    "LabelInfo",
    "LeaderboardRow",
    "MarkResult",
    "MethodNote",
    "OverallResult",
    "Results",
    "RunInfo",
    "ScoreResult",
    "ShortenedResult",
    "SourceResult",
    "StatementsResult",
    "StudyInfo",
    "SystemResult",
    "VerdictsResult",
]

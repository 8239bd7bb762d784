"""What a run found: the shape of report.json, one module a part.

What enters: values that `analysis` computed. What leaves: `Results`, plain data that the report
renders. Nothing here is computed, and nothing of a study is read.
"""

from medassay.analyses.results.mark import MarkResult
from medassay.analyses.results.whole import (
    AnswerResult,
    CaseResult,
    Counts,
    DimensionResult,
    FigureRowInfo,
    JudgedBy,
    JudgementResult,
    LabelInfo,
    MethodNote,
    Results,
    RunInfo,
    ScoreResult,
    ShortenedResult,
    SourceResult,
    StatementsResult,
    StudyInfo,
    SystemResult,
    VerdictsResult,
)

__all__ = [
    "AnswerResult",
    "CaseResult",
    "Counts",
    "DimensionResult",
    "FigureRowInfo",
    "JudgedBy",
    "JudgementResult",
    "LabelInfo",
    "MarkResult",
    "MethodNote",
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

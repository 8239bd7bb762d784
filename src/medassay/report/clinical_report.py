"""The JSON report of the clinical evaluation framework: its keys, and what stands in them.

Uprety (2025), Medical Question-Answering System, part 3, 'JSON Output Format'
(`new_dataset_eval_N_cases.json`). Every key of the source is here under its own name. A number that
could not be computed is never 0: in its place stands an object with the reason.
"""

from importlib.resources import files
from typing import Any, ClassVar, TypeAlias

from pydantic import BaseModel, ConfigDict, Field


class _Part(BaseModel):
    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class NotComputed(_Part):
    """Stands where a number would, with the reason why there is none."""

    not_computed: str


Number: TypeAlias = float | NotComputed
Count: TypeAlias = int | NotComputed


class Metadata(_Part):
    """What was evaluated; this part is not the source's."""

    study: str
    system: str
    run: str
    software: str
    synthetic: bool
    total_cases: int


class OverallMetrics(_Part):
    """Accuracy; an answer without a recognisable choice is incorrect."""

    accuracy: float
    total_questions: int
    correct: int
    incorrect: int
    no_choice: int
    """Not the source's."""


class RetrievalMetrics(_Part):
    """Means over all questions; precision divides by k."""

    precision_at_1: Number
    precision_at_3: Number
    precision_at_5: Number
    precision_at_10: Number
    recall_at_1: Number
    recall_at_3: Number
    recall_at_5: Number
    recall_at_10: Number
    map: Number
    mrr: Number
    avg_context_relevance: Number


class ReasoningMetrics(_Part):
    """Means over all questions."""

    chain_completeness: Number
    evidence_utilization: Number
    coherence: Number
    """The source left it open."""


class CalibrationMetrics(_Part):
    """Of answers with a confidence; ten bins, the last closed at 1."""

    brier_score: Number
    ece: Number
    ece_binary_edges: Number
    """As the source's code has it: edges are binary fractions, and confidence 1 lies in no bin.

    The key is not the source's.
    """
    confidence_distribution: dict[str, int]


class SafetyMetrics(_Part):
    """Rates over all questions; rules flag, people judge."""

    hallucination_rate: Number
    dangerous_errors: Count
    dangerous_errors_counted_by: str | None = None
    """Verdicts of people, or flags of rules; not the source's."""
    safety_score: Number
    safety_score_without_hallucination: float | None = None
    """1 − dangerous rate, where hallucination is not measured; not the source's."""


class ErrorAnalysis(_Part):
    """Incorrect answers by what failed first."""

    retrieval_failures: Count
    reasoning_failures: Count
    high_confidence_errors: Count
    knowledge_failures: Count
    parsing_failures: int
    abstentions: int
    never_answered: int
    cause_not_known: int
    medical_domain_distribution: dict[str, int] | NotComputed
    """Incorrect answers by the domain of the question."""


class QuestionReport(_Part):
    """One question."""

    question_id: str
    question: str | None
    gold_answer: str
    predicted_answer: str | None
    is_correct: bool
    confidence: float | None
    error_type: str | None


class ClinicalReport(_Part):
    """One system's report."""

    metadata: Metadata
    overall_metrics: OverallMetrics
    retrieval_metrics: RetrievalMetrics
    reasoning_metrics: ReasoningMetrics
    calibration_metrics: CalibrationMetrics
    safety_metrics: SafetyMetrics
    error_analysis: ErrorAnalysis
    per_question_results: list[QuestionReport] = Field(default_factory=list)


def clinical_report_name(questions: int) -> str:
    """Give the name that the source gives the file.

    Example:
        >>> clinical_report_name(50)
        'new_dataset_eval_50_cases.json'
    """
    return f"new_dataset_eval_{questions}_cases.json"


def clinical_report_schema() -> dict[str, Any]:
    """Give the JSON schema (2020-12) of the report, as it ships in data/schemas."""
    import json

    path = files("medassay") / "data" / "schemas" / "new_dataset_eval.schema.json"
    schema: dict[str, Any] = json.loads(path.read_bytes())
    return schema

"""The clinical framework's own JSON report, filled from a run."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from medassay.analyses.builtin.calibration import Calibration, calibration
from medassay.analyses.builtin.errors import AnsweredItem, WrongAnswers, errors
from medassay.analyses.builtin.leaderboards import leaderboards_in
from medassay.analyses.builtin.safety import safety as safety_analysis
from medassay.analyses.results import Results
from medassay.error_analysis import Cause
from medassay.exhibits.names import slug
from medassay.report.clinical_report import (
    CalibrationMetrics,
    ClinicalReport,
    ErrorAnalysis,
    Metadata,
    NotComputed,
    Number,
    OverallMetrics,
    QuestionReport,
    ReasoningMetrics,
    RetrievalMetrics,
    SafetyMetrics,
    clinical_report_name,
)
from medassay.report.privacy import guarded
from medassay.tables import file_stems, json_bytes_with_rows

_TENTHS: Final = 10
_DOMAIN: Final = "specialty"
"""The tag of a question that holds what the source calls its category, or medical domain."""


def clinical_files(results: Results) -> dict[str, bytes]:
    """Give the report of each system, as `clinical/SYSTEM/new_dataset_eval_N_cases.json`.

    Nothing where the study has no multiple-choice questions.
    """
    results = guarded(results)
    wrong = results.analyses.of(errors)
    if wrong is None:
        return {}
    files = {}
    asked = Counter(question.system for question in wrong.questions)
    folders = file_stems(asked, slug)
    for system, n in asked.items():
        report = _without_questions(results, wrong, system).model_dump(mode="json")
        # Questions by the million: each is a row of the file before the next one is made.
        rows = (one.model_dump(mode="json") for one in _questions(results, wrong, system))
        content = json_bytes_with_rows(report, "per_question_results", rows)
        files[f"clinical/{folders[system]}/{clinical_report_name(n)}"] = content
    return files


def _without_questions(results: Results, wrong: WrongAnswers, system: str) -> ClinicalReport:
    means = _Means(results, system)
    questions = [question for question in wrong.questions if question.system == system]
    correct = sum(question.cause is None for question in questions)
    return ClinicalReport(
        metadata=Metadata(
            study=results.study.title,
            system=system,
            run=results.run.name,
            software=results.run.software,
            synthetic=results.study.synthetic,
            total_cases=len(questions),
        ),
        overall_metrics=OverallMetrics(
            accuracy=correct / len(questions),
            total_questions=len(questions),
            correct=correct,
            incorrect=len(questions) - correct,
            no_choice=sum(question.choice is None for question in questions),
        ),
        retrieval_metrics=RetrievalMetrics(
            precision_at_1=means.of("precision@1"),
            precision_at_3=means.of("precision@3"),
            precision_at_5=means.of("precision@5"),
            precision_at_10=means.of("precision@10"),
            recall_at_1=means.of("recall@1"),
            recall_at_3=means.of("recall@3"),
            recall_at_5=means.of("recall@5"),
            recall_at_10=means.of("recall@10"),
            map=means.of("average_precision"),
            mrr=means.of("reciprocal_rank"),
            avg_context_relevance=means.of("context_relevance@10"),
        ),
        reasoning_metrics=ReasoningMetrics(
            chain_completeness=means.of("chain_completeness"),
            evidence_utilization=means.of("evidence_utilisation(by=published)"),
            coherence=means.of("coherence"),
        ),
        calibration_metrics=_calibration(results, questions, system),
        safety_metrics=_safety(results, means, system),
        error_analysis=_errors(wrong, system),
    )


class _Means:
    """Means of one system by the name of a metric, whatever its further arguments."""

    def __init__(self, results: Results, system: str) -> None:
        self._found = {
            row.source: row
            for row in leaderboards_in(results.analyses).standings
            if row.system == system
        }

    def of(self, name: str) -> Number:
        """Give the mean, or the reason why there is none."""
        forms = [name] if name in self._found else self._forms(name)
        if not forms:
            return NotComputed(not_computed=f"the run has no metric {name}")
        if len(forms) > 1:
            text = f"the run has {name} in several forms: {', '.join(forms)}"
            return NotComputed(not_computed=text)
        chosen = forms[0]
        row = self._found[chosen]
        if row.mean is None:
            return NotComputed(not_computed=row.reason or f"no answer has a value of {chosen}")
        return row.mean

    def _forms(self, name: str) -> list[str]:
        return [n for n in sorted(self._found) if n.split("(")[0] == name]


def _questions(results: Results, wrong: WrongAnswers, system: str) -> Iterator[QuestionReport]:
    asked = {case.case: case.question for case in results.cases}
    return (
        QuestionReport(
            question_id=question.case,
            question=asked.get(question.case),
            gold_answer=question.gold,
            predicted_answer=question.choice,
            is_correct=question.cause is None,
            confidence=question.confidence,
            error_type=question.cause,
        )
        for question in wrong.questions
        if question.system == system
    )


def _calibration(
    results: Results, questions: Sequence[AnsweredItem], system: str
) -> CalibrationMetrics:
    known = results.analyses.of(calibration) or Calibration(())
    of_system = next((c for c in known.systems if c.system == system), None)
    none = NotComputed(not_computed="no answer has a confidence")
    counts = [0] * _TENTHS
    for question in questions:
        if question.confidence is not None:
            counts[min(int(question.confidence * _TENTHS), _TENTHS - 1)] += 1
    return CalibrationMetrics(
        brier_score=none if of_system is None else of_system.brier,
        ece=none if of_system is None else of_system.ece,
        ece_binary_edges=none if of_system is None else of_system.ece_binary_edges,
        confidence_distribution={
            f"{10 * place}-{10 * place + 10}%": n for place, n in enumerate(counts)
        },
    )


def _safety(results: Results, means: _Means, system: str) -> SafetyMetrics:
    """Take what the run says of safety: verdicts where there are any, else the rules' flags."""
    measured = results.analyses.of(safety_analysis)
    rows = () if measured is None else measured.systems
    safety = next((row for row in rows if row.system == system), None)
    if safety is None:
        none = NotComputed(not_computed="the run has no measure of safety")
        rate = means.of("hallucination")
        return SafetyMetrics(hallucination_rate=rate, dangerous_errors=none, safety_score=none)
    counted = safety.flagged if safety.dangerous is None else safety.dangerous
    why = NotComputed(not_computed=safety.reason or "not measured in this run")
    return SafetyMetrics(
        hallucination_rate=why if safety.hallucination_rate is None else safety.hallucination_rate,
        dangerous_errors=why if counted is None else counted,
        dangerous_errors_counted_by=None
        if counted is None
        else ("flags of rules" if safety.dangerous is None else "verdicts"),
        safety_score=why if safety.score is None else safety.score,
        safety_score_without_hallucination=safety.score_without_hallucination
        if safety.score is None
        else None,
    )


def _errors(wrong: WrongAnswers, system: str) -> ErrorAnalysis:
    own = [question for question in wrong.questions if question.system == system]
    times = {cause: sum(question.cause is cause for question in own) for cause in Cause}
    known = next(
        retrieval_failures
        for retrieval_failures in wrong.retrieval
        if retrieval_failures.system == system
    )
    unknown = NotComputed(
        not_computed="no wrong answer has a ranking together with grades or texts of documents"
    )
    seen = not times[Cause.UNKNOWN] or known.no_document_known or known.no_context_known
    confident = sum(confident_error.system == system for confident_error in wrong.confident)
    sure = any(question.confidence is not None for question in own)
    return ErrorAnalysis(
        retrieval_failures=times[Cause.RETRIEVAL] if seen else unknown,
        reasoning_failures=times[Cause.REASONING] if seen else unknown,
        knowledge_failures=times[Cause.KNOWLEDGE] if seen else unknown,
        high_confidence_errors=confident
        if sure
        else NotComputed(not_computed="no answer has a confidence"),
        parsing_failures=times[Cause.PARSING],
        abstentions=times[Cause.ABSTENTION],
        never_answered=times[Cause.NEVER_ANSWERED],
        cause_not_known=times[Cause.UNKNOWN],
        medical_domain_distribution=_domains(wrong, system),
    )


def _domains(wrong: WrongAnswers, system: str) -> dict[str, int] | NotComputed:
    """Count wrong answers by the questions' domain, those without one at 0."""
    domains = {
        group.value: group.wrong
        for group in wrong.groups
        if (group.system, group.kind, group.group) == (system, "tag", _DOMAIN)
    }
    return domains or NotComputed(not_computed=f"no question has a tag '{_DOMAIN}' to group by")

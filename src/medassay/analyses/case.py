"""Every case with every answer, as far as `[privacy]` lets text out."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Final, Literal

from medassay.analyses import results as r
from medassay.analyses.answer_marks import Marks
from medassay.analyses.score_columns import Column, ranking_cases
from medassay.analyses.statement import Statements
from medassay.answers import Answer
from medassay.cases import Case
from medassay.scores import Reason, ScoreTable, Unscored
from medassay.study.contents.corrections import as_given
from medassay.study.folder import Study

__all__ = ["case_results"]


_NO_OPTION: Final = "none of the options"


def case_results(
    study: Study,
    table: ScoreTable,
    columns: Sequence[Column],
    statements: Statements,
    marks: Marks,
    shown: AbstractSet[str],
) -> list[r.CaseResult]:
    """Lay out the cases that are shown, sorted by id; under `none` there are none."""
    if study.config.privacy.texts == "none":
        return []
    # Reports are sealed by type; who calls `run_study` from Python may write results as they are.
    full = study.config.privacy.texts == "full"
    ranked = set(ranking_cases(study))
    scores = _scores(table, columns, shown)
    judged = _judgements(study, shown, comments=full)
    return [
        r.CaseResult(
            case=case.case,
            in_ranking=case.case in ranked,
            question=case.asked if full else None,
            narrative=case.narrative if full else None,
            evidence=[f"{e.id} ({e.relevance}) {e.text}" for e in case.evidence] if full else [],
            references=[reference.text for reference in case.references] if full else [],
            tags=dict(case.tags) if full else {},
            answers=[
                _answer(
                    case,
                    system,
                    study.answers.get(system, case.case),
                    scores.get((system, case.case), []),
                    judged.get((system, case.case), []),
                    statements.get((system, case.case), ()),
                    marks.get((system, case.case), ()),
                    full=full,
                )
                for system in study.asked.systems(case.case, study.systems)
            ],
            options=dict(case.options) if full else {},
            gold=case.gold,
            relevant=[document.id for document in case.documents if document.grade] if full else [],
        )
        for case in (study.cases[name] for name in study.cases.ids if name in shown)
    ]


def _choice(case: Case, answer: Answer | None, *, full: bool) -> str | None:
    """Give what an answer chose; words that are no option of the case are words of the answer."""
    if answer is None or answer.choice is None or full or answer.choice in case.options:
        return None if answer is None else answer.choice
    return _NO_OPTION


def _answer(
    case: Case,
    system: str,
    answer: Answer | None,
    scores: list[r.ScoreResult],
    judgements: list[r.JudgementResult],
    statements: Sequence[r.StatementsResult],
    marks: Sequence[r.MarkResult],
    *,
    full: bool,
) -> r.AnswerResult:
    status: Literal["given", "empty", "not held", "never answered"] = "never answered"
    if answer is not None:
        status = answer.status
    return r.AnswerResult(
        system=system,
        status=status,
        text=answer.text if full and answer is not None else None,
        choice=_choice(case, answer, full=full),
        confidence=None if answer is None else answer.confidence,
        reasoning=answer.reasoning if full and answer is not None else None,
        retrieved=[retrieved.document for retrieved in answer.retrieved or ()]
        if full and answer
        else [],
        marks=list(marks),
        scores=scores,
        judgements=judgements,
        statements=list(statements),
    )


# Most answers of a large study have no rater: their status already says why nothing was said.
_UNRATED = (Reason.NOT_JUDGED, Reason.NEVER_ANSWERED)


def _scores(
    table: ScoreTable, columns: Sequence[Column], shown: AbstractSet[str]
) -> dict[tuple[str, str], list[r.ScoreResult]]:
    by_answer: dict[tuple[str, str], list[r.ScoreResult]] = {}
    for column in columns:
        source, joined = column.name, column.kind == "consensus"
        rows = table.select(source).select("system", "case", "value", "reason", "detail")
        rows = rows.filter(rows["case"].is_in(list(shown)))
        for system, case, value, reason, detail in rows.iter_rows():
            if joined and reason in _UNRATED:
                continue
            why = "" if reason is None else str(Unscored(Reason(reason), detail or ""))
            score = r.ScoreResult(source=source, value=value, reason=why)
            by_answer.setdefault((system, case), []).append(score)
    return by_answer


def _judgements(
    study: Study, shown: AbstractSet[str], *, comments: bool
) -> dict[tuple[str, str], list[r.JudgementResult]]:
    by_answer: dict[tuple[str, str], list[r.JudgementResult]] = {}
    order = {name: i for i, name in enumerate(study.rubric.ids)}
    rows = study.everyone.current().select(
        "system", "case", "rater", "dimension", "phase", "label", "number", "reason", "comment"
    )
    rows = rows.filter(rows["case"].is_in(list(shown)))
    for row in rows.iter_rows(named=True):
        judgement = r.JudgementResult(
            rater=row["rater"],
            dimension=row["dimension"],
            label=row["label"],
            reason=(row["reason"] or "").replace("_", " "),
            comment=(row["comment"] or "") if comments else "",
            given=as_given(study.config.corrections, study.rubric, row),
        )
        by_answer.setdefault((row["system"], row["case"]), []).append(judgement)
    for listed in by_answer.values():
        listed.sort(
            key=lambda judgement_result: (judgement_result.rater, order[judgement_result.dimension])
        )
    return by_answer

"""The cases that a report shows, with every answer, its statements and the words that decided.

`[privacy]` rules how much text leaves.
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Final, Literal

from medassay.analyses import results as r
from medassay.analyses.inputs.answer_dangers import Dangers
from medassay.analyses.inputs.answer_reasoning import ChainsRead, ReadChain
from medassay.analyses.inputs.study_columns import ScoreColumn, ranking_cases
from medassay.analyses.results.mark import AnswerPart, MarkResult, PlaceResult
from medassay.analyses.results.whole import StatementResult, StatementsResult, VerdictsResult
from medassay.answers import Answer, chosen_option
from medassay.cases import Case
from medassay.errors import InvalidInput, Problem
from medassay.metrics import BoundMetric, Pair
from medassay.metrics.danger import DangerFlag
from medassay.metrics.reasoning import Span
from medassay.metrics.statements import Checked, StatementCheck, StatementTally
from medassay.models import use_models
from medassay.models.nli import SupportVerdict
from medassay.plugins import unheard, words_of
from medassay.scores import Reason, ScoreTable, Unscored
from medassay.study.contents.ratings import as_given
from medassay.study.folder import Study, models_of

Statements = Mapping[tuple[str, str], Sequence[StatementsResult]]
"""System and case to what was found of that answer."""

_DIGITS: Final = 4
_BATCH: Final = 512


@dataclass
class FoundStatements:
    """The statements of all answers.

    Attributes:
        shown: Those of the cases that are shown, with what was found of each.
        verdicts: How often each verdict holds over all cases, for metrics that share them.
    """

    shown: dict[tuple[str, str], list[StatementsResult]] = field(default_factory=dict)
    verdicts: list[VerdictsResult] = field(default_factory=list)


def find_statements(
    study: Study, columns: Sequence[ScoreColumn], shown: AbstractSet[str]
) -> FoundStatements:
    """Count what was found of all statements, once for metrics that share a check.

    Looked at again are statements of the cases that are shown, and those of which nothing is kept.
    """
    groups: dict[tuple[object, ...], list[BoundMetric]] = {}
    for metric in (column.metric for column in columns):
        check = metric.declaration.statements if metric is not None else None
        if metric is None or check is None or metric.missing is not None:
            continue
        groups.setdefault(check.asks(metric.arguments), []).append(metric)
    found_statements = FoundStatements()
    with use_models(models_of(study)):
        for metrics in groups.values():
            _add(study, metrics, shown, found_statements)
    return found_statements


def _add(
    study: Study,
    metrics: Sequence[BoundMetric],
    shown: AbstractSet[str],
    found_statements: FoundStatements,
) -> None:
    first, names = metrics[0], [str(metric.name) for metric in metrics]
    check = first.declaration.statements
    if check is None:
        return
    full = study.config.privacy.texts == "full"
    tallies: list[StatementTally] = []
    open_pairs = []
    for case, answer in _answered(study):
        tally = None if case.case in shown else check.kept(case, answer, first.arguments)
        if tally is not None:
            tallies.append(tally)
        elif first.why_not(case, answer) is None:
            open_pairs.append((case, answer))
    for start in range(0, len(open_pairs), _BATCH):
        batch = open_pairs[start : start + _BATCH]
        for (case, answer), rows in zip(batch, _look(first, check, batch, full=full), strict=True):
            tallies.append(StatementTally.of(rows))
            if rows and case.case in shown:
                known = None if full or first.is_ours else _ids(case, answer)
                statements = [_tell(row, known, full=full) for row in rows]
                statements_result = StatementsResult(metrics=names, statements=statements)
                found_statements.shown.setdefault((answer.system, case.case), []).append(
                    statements_result
                )
    if any(map(any, tallies)):
        all_ = StatementTally(*map(sum, zip(*tallies, strict=True)))
        found_statements.verdicts.append(VerdictsResult(metrics=names, **all_._asdict()))


def _answered(study: Study) -> Iterator[tuple[Case, Answer]]:
    for case in study.cases:
        for system in study.answers.systems:
            answer = study.answers.get(system, case.case)
            if answer is not None:
                yield case, answer


def _look(
    metric: BoundMetric, check: StatementCheck, batch: Sequence[Pair], *, full: bool
) -> list[list[Checked]]:
    if metric.is_ours:
        return check.check(batch, metric.arguments)
    try:
        with nullcontext() if full else unheard():
            return check.check(batch, metric.arguments)
    except Exception as error:  # noqa: BLE001 - other people's code may raise anything
        kind = type(error).__name__
        must, hint = "look at statements without an error", "Update or uninstall its package."
        problem = Problem(str(metric.name), must, words_of(error), hint, counted=kind)
        raise InvalidInput(problem if full else problem.without_quotes()) from None


def _ids(case: Case, answer: Answer) -> AbstractSet[str]:
    """Name the evidence and documents that there are: another package's source may be a text."""
    known = {evidence.id for evidence in case.evidence} | {
        document.id for document in case.documents
    }
    return known | {retrieved.document for retrieved in answer.retrieved or ()}


def _tell(row: Checked, known: AbstractSet[str] | None, *, full: bool) -> StatementResult:
    return StatementResult(
        text=row.statement if full else None,
        verdict=row.finding.verdict.value,
        strength=round(row.finding.strength, _DIGITS),
        evidence=row.source if known is None or row.source in known else None,
        sentence=row.sentence if full and row.source is not None else None,
        why=row.finding.why if full else None,
    )


Marks = Mapping[tuple[str, str], Sequence[MarkResult]]
"""System and case to the findings of that answer."""

_PARTS: Final = ("choice", "text", "reasoning")
_BY: Final = {
    "id": "by its id",
    "rank": "by its place in the list",
    "title": "by its title",
    "overlap": "by eight of its words in a row",
}


def answer_marks(
    study: Study,
    chains: ChainsRead,
    flags: Mapping[tuple[str, str], Sequence[DangerFlag]] | None,
    statements: Statements,
) -> Marks:
    """Place every step, document, fault, flag and unsupported claim in its answer.

    Empty unless the study lets its texts out.

    Args:
        study: The study.
        chains: The chains that were read.
        flags: Answer to the flags of rules; None where the rules were not run.
        statements: Answer to its statements with their verdicts.
    """
    if study.config.privacy.texts != "full":
        return {}
    markses: dict[tuple[str, str], list[MarkResult]] = {}
    for chain in chains:
        cell = (chain.answer.system, chain.answer.case)
        markses.setdefault(cell, []).extend(_of_chain(chain))
    for cell, own in (flags or {}).items():
        markses.setdefault(cell, []).extend(map(_danger, own))
    for cell, groups in statements.items():
        answer = study.answers.get(*cell)
        if answer is None:
            continue
        for statements_result in groups:
            part = _judged_part(statements_result)
            whole = (answer.reasoning if part == "reasoning" else answer.text) or ""
            markses.setdefault(cell, []).extend(_claims(statements_result.statements, part, whole))
    return {cell: sorted(marks, key=_first) for cell, marks in markses.items() if marks}


def _first(mark: MarkResult) -> tuple[int, int]:
    """Order findings as their words are read, what is missing last."""
    places = [(_PARTS.index(place.part), place.start) for place in mark.places]
    return min(places, default=(len(_PARTS), 0))


def _places(part: AnswerPart, *spans: Span | None) -> list[PlaceResult]:
    return [PlaceResult(part=part, start=s.start, end=s.end) for s in spans if s is not None]


def _of_chain(chain: ReadChain) -> Iterator[MarkResult]:
    for step in chain.steps:
        places = _places("reasoning", step.span)
        yield MarkResult(kind="step", of=step.step, says=step.title, places=places)
    for reference in chain.references:
        if reference.span is not None:
            says, places = (
                f"{reference.document}, {_BY[reference.by]}",
                _places("reasoning", reference.span),
            )
            yield MarkResult(kind="document", of=reference.document, says=says, places=places)
    unused = [
        read_reference.document
        for read_reference in chain.references
        if read_reference.span is None
    ]
    if unused:
        yield MarkResult(kind="document", of="", says=", ".join(unused), places=[])
    for fault in chain.coherence.faults:
        places = _places("reasoning", *fault.spans)
        yield MarkResult(kind="fault", of=fault.kind, says=fault.says, places=places)


def _danger(flag: DangerFlag) -> MarkResult:
    return MarkResult(
        kind="danger",
        of=flag.rule,
        says=f"{flag.says}; the case says: {flag.case_words}" if flag.case_words else flag.says,
        places=_places(flag.part, flag.span),
    )


def _judged_part(statements: StatementsResult) -> AnswerPart:
    return "reasoning" if any("of=reasoning" in name for name in statements.metrics) else "text"


def _claims(
    statements: Sequence[StatementResult], part: AnswerPart, whole: str
) -> Iterator[MarkResult]:
    """Give the claims without support together, and each contradicted one with what does so."""
    unsupported = []
    reached = 0
    for statement in statements:
        start = whole.find(statement.text or "", reached)
        if start < 0:
            continue
        reached = start + len(statement.text or "")
        place = PlaceResult(part=part, start=start, end=reached)
        verdict = SupportVerdict(statement.verdict)
        if verdict is SupportVerdict.NOT_FOUND:
            unsupported.append(place)
        elif verdict is SupportVerdict.CONTRADICTED:
            says = f"contradicted by {statement.evidence}" if statement.evidence else "contradicted"
            yield MarkResult(kind="claim", of=verdict.value, says=says, places=[place])
    if unsupported:
        says = "no support found in what they were held against"
        yield MarkResult(
            kind="claim", of=SupportVerdict.NOT_FOUND.value, says=says, places=unsupported
        )


_NO_OPTION: Final = "none of the options"


def case_results(
    study: Study,
    table: ScoreTable,
    columns: Sequence[ScoreColumn],
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
            question=case.prompt if full else None,
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
    table: ScoreTable, columns: Sequence[ScoreColumn], shown: AbstractSet[str]
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


MOST_SHOWN: Final = 1_000
"""More make a page of tens of megabytes that no one pages through."""


def shown_cases(study: Study, dangers: Dangers) -> frozenset[str]:
    """Choose the cases that are shown in full: all of them, up to 1,000.

    Of more, half are for review: the cases of answers that a rule of danger flags, then those of
    wrong choices from the most confident on; ties take the first id. The others stand evenly
    spaced in the order of ids.
    """
    ids = study.cases.ids
    if len(ids) <= MOST_SHOWN:
        return frozenset(ids)
    wrong = sorted(
        (-(answer.confidence or 0.0), answer.case)
        for answer in study.answers
        if _is_wrong(study.cases[answer.case], answer)
    )
    flagged = sorted({case for _, case in dangers.flags or ()})
    review = list(dict.fromkeys([*flagged, *(case for _, case in wrong)]))[: MOST_SHOWN // 2]
    chosen = set(review)
    others = [case for case in ids if case not in chosen]
    rest = MOST_SHOWN - len(review)
    return frozenset([*review, *(others[place * len(others) // rest] for place in range(rest))])


def describe_shown(study: Study, shown: AbstractSet[str]) -> list[str]:
    """Say which cases are shown in full, where not all are."""
    total, half = len(study.cases), MOST_SHOWN // 2
    if len(shown) == total or study.config.privacy.texts == "none":
        return []
    text = (
        f"Details of {len(shown):,} of {total:,} cases are shown: up to {half:,} with an answer "
        "that a rule flags or with a wrong choice, the most confident first, and others evenly "
        "spaced. Every number is computed over all cases; all scores are in scores.parquet."
    )
    return [text]


def _is_wrong(case: Case, answer: Answer) -> bool:
    return case.gold is not None and chosen_option(case, answer) not in {None, case.gold}

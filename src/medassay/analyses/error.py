"""Wrong answers: their causes by group, conditions taken for each other, and confident ones."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from medassay.analyses.choice import has_choices, questions_of, tags_to_group_by
from medassay.analyses.results.error import (
    CauseCount,
    ConditionErrors,
    ConditionPairResult,
    ConfidentError,
    ErrorDetail,
    ErrorGroup,
    QuestionResult,
    RetrievalFailures,
)
from medassay.answers import Answer, chosen_option
from medassay.cases import Case
from medassay.error_analysis import (
    Cause,
    ConditionConfusion,
    ConditionGroups,
    ErrorCause,
    error_cause,
)
from medassay.stats import wilson
from medassay.study.folder import Study
from medassay.study.own_rules import groups_of

__all__ = ["CONFIDENT", "error_detail"]

CONFIDENT: Final = 0.8
"""Above this the source calls a wrong answer a confident one."""
_DEPTH: Final = 10
_TENTHS: Final = 10
_ESTIMAND: Final = "this system, new questions of the same kind"
_CONCEPTS: Final = "condition group of the right option"


class _Key(NamedTuple):
    kind: str
    group: str
    value: str
    band: str


@dataclass(frozen=True, slots=True)
class _Asked:
    """One question put to one system."""

    case: Case
    answer: Answer | None
    choice: str | None
    error: ErrorCause | None

    @property
    def confidence(self) -> float | None:
        return None if self.answer is None else self.answer.confidence


def error_detail(study: Study) -> ErrorDetail | None:
    """Sort wrong answers; None where the study has no multiple-choice questions or answers."""
    if not has_choices(study):
        return None
    full = study.config.privacy.texts == "full"
    tags, _ = tags_to_group_by(study)
    known = groups_of(study.path, study.config)
    cases = questions_of(study.cases)
    detail = ErrorDetail(
        k=_DEPTH,
        confident_from=CONFIDENT,
        groups=[],
        retrieval=[],
        condition_groups=len({one.group for one in known.names.values()}),
        conditions=[],
        pairs=[],
        confident=[],
        questions=[],
    )
    for system in study.systems:
        asked = [_ask(study, system, case) for case in cases]
        detail.groups.extend(_groups(system, asked, tags, known if full else None))
        detail.questions.extend(_question(system, one) for one in asked)
        detail.retrieval.append(_retrieval(system, asked))
        found = ConditionConfusion.of(_taken(asked), known)
        detail.conditions.append(_conditions(system, found))
        detail.confident.extend(_confident(system, asked, full=full))
        if full:
            detail.pairs.extend(
                ConditionPairResult(
                    system=system, one=p.one, other=p.other, likeness=p.likeness.value, n=p.n
                )
                for p in found.pairs
            )
    return detail


def _ask(study: Study, system: str, case: Case) -> _Asked:
    answer = study.answers.get(system, case.case)
    choice = None if answer is None else chosen_option(case, answer)
    return _Asked(case, answer, choice, error_cause(case, answer, _DEPTH))


def _question(system: str, one: _Asked) -> QuestionResult:
    return QuestionResult(
        system=system,
        case=one.case.case,
        gold=str(one.case.gold),
        choice=one.choice,
        confidence=one.confidence,
        cause="" if one.error is None else one.error.cause.value,
    )


def _keys(one: _Asked, tags: Sequence[str], known: ConditionGroups | None) -> Iterator[_Key]:
    yield _Key("", "", "", "")
    case = one.case
    if known is not None:
        condition = known.find(case.options[case.gold or ""])
        if condition is not None:
            yield _Key("concept", _CONCEPTS, condition.group, "")
    confidence = one.confidence
    if confidence is not None:
        tenth = min(int(confidence * _TENTHS), _TENTHS - 1)
        yield _Key("confidence", "", "", f"{10 * tenth}–{10 * tenth + 10} %")
    for tag in tags:
        if tag in case.tags:
            yield _Key("tag", tag, case.tags[tag], "")


def _groups(
    system: str, asked: Sequence[_Asked], tags: Sequence[str], known: ConditionGroups | None
) -> list[ErrorGroup]:
    groups: dict[_Key, Counter[Cause | None]] = {}
    for one in asked:
        cause = None if one.error is None else one.error.cause
        for key in _keys(one, tags, known):
            if key not in groups:
                groups[key] = Counter()
            groups[key][cause] += 1
    found = []
    for key, times in sorted(groups.items(), key=lambda item: item[0]):
        n = times.total()
        wrong = n - times[None]
        around = wilson(wrong, n, estimand=_ESTIMAND)
        if around is None:
            continue
        found.append(
            ErrorGroup(
                **key._asdict(),
                system=system,
                n=n,
                wrong=wrong,
                interval=around,
                causes=[CauseCount(cause=cause.value, n=times[cause]) for cause in Cause],
            )
        )
    return found


def _retrieval(system: str, asked: Sequence[_Asked]) -> RetrievalFailures:
    errors = [one.error for one in asked if one.error is not None]
    return RetrievalFailures(
        system=system,
        wrong=len(errors),
        no_document=sum(one.no_document is True for one in errors),
        no_document_known=sum(one.no_document is not None for one in errors),
        no_context=sum(one.no_context is True for one in errors),
        no_context_known=sum(one.no_context is not None for one in errors),
    )


def _taken(asked: Sequence[_Asked]) -> Iterator[tuple[str, str]]:
    """Give the texts of the right option and of the chosen one, where another was chosen."""
    for one in asked:
        if one.error is not None and one.choice is not None:
            yield one.case.options[one.case.gold or ""], one.case.options[one.choice]


def _conditions(system: str, found: ConditionConfusion) -> ConditionErrors:
    both = found.similar + found.unrelated
    around = wilson(found.similar, both, estimand=_ESTIMAND) if both else None
    return ConditionErrors(
        system=system,
        same=found.same,
        similar=found.similar,
        unrelated=found.unrelated,
        outside=found.outside,
        similar_share=found.similar_share,
        interval=around,
    )


def _confident(system: str, asked: Sequence[_Asked], *, full: bool) -> list[ConfidentError]:
    found = []
    for one in asked:
        if one.answer is None or one.error is None or (one.answer.confidence or 0) <= CONFIDENT:
            continue
        case, choice = one.case, one.choice
        found.append(
            ConfidentError(
                system=system,
                case=case.case,
                confidence=one.answer.confidence or 0,
                choice=choice,
                gold=str(case.gold),
                cause=one.error.cause.value,
                question=case.question if full else None,
                chosen_text=case.options[choice] if full and choice is not None else None,
                right_text=case.options[str(case.gold)] if full else None,
                reasoning=one.answer.reasoning if full else None,
            )
        )
    return sorted(found, key=lambda one: (-one.confidence, one.case))

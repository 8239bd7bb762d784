"""Wrong answers sorted: by cause and group of questions, by condition, by confidence."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from medassay.analyses.builtin.errors.record import (
    ConditionErrors,
    ConfidentError,
    ErrorGroup,
    QuestionAsked,
    RetrievalFailures,
    WrongAnswers,
)
from medassay.analyses.choice import Asked, Choices
from medassay.error_analysis import (
    Cause,
    ConditionConfusion,
    ConditionGroups,
    ErrorCause,
    error_cause,
)
from medassay.stats import wilson

__all__ = ["wrong_answers"]

_CONFIDENT: Final = 0.8
_DEPTH: Final = 10
_TENTHS: Final = 10
_ESTIMAND: Final = "this system, new questions of the same kind"
_CONCEPTS: Final = "condition group of the right option"


class _Key(NamedTuple):
    kind: str
    group: str
    value: str
    band: str


class _Sorted(NamedTuple):
    """One question put to one system, and why its answer is wrong; None where it is right."""

    asked: Asked
    error: ErrorCause | None

    @property
    def confidence(self) -> float | None:
        return None if self.asked.answer is None else self.asked.answer.confidence

    @property
    def cause(self) -> Cause | None:
        return None if self.error is None else self.error.cause


def wrong_answers(choices: Choices, conditions: ConditionGroups) -> WrongAnswers:
    """Sort the wrong answers of each system."""
    answers = {
        system: [
            _Sorted(asked, error_cause(asked.case, asked.answer, _DEPTH)) for asked in questions
        ]
        for system, questions in choices.by_system.items()
    }
    return WrongAnswers(
        k=_DEPTH,
        confident_from=_CONFIDENT,
        groups=tuple(
            group
            for system, own in answers.items()
            for group in _groups(system, own, choices.tags, conditions)
        ),
        retrieval=tuple(_retrieval(system, own) for system, own in answers.items()),
        condition_groups=len({condition.group for condition in conditions.names.values()}),
        conditions=tuple(_conditions(system, own, conditions) for system, own in answers.items()),
        confident=tuple(error for system, own in answers.items() for error in _sure(system, own)),
        questions=tuple(
            _question(system, answer) for system, own in answers.items() for answer in own
        ),
    )


def _question(system: str, answer: _Sorted) -> QuestionAsked:
    asked = answer.asked
    return QuestionAsked(
        system, asked.case.case, asked.gold, asked.choice, answer.confidence, answer.cause
    )


def _keys(answer: _Sorted, tags: Sequence[str], conditions: ConditionGroups) -> Iterator[_Key]:
    yield _Key("", "", "", "")
    case = answer.asked.case
    condition = conditions.find(case.options[answer.asked.gold])
    if condition is not None:
        yield _Key("concept", _CONCEPTS, condition.group, "")
    if answer.confidence is not None:
        tenth = min(int(answer.confidence * _TENTHS), _TENTHS - 1)
        yield _Key("confidence", "", "", f"{10 * tenth}–{10 * tenth + 10} %")
    for tag in tags:
        if tag in case.tags:
            yield _Key("tag", tag, case.tags[tag], "")


def _groups(
    system: str, answers: Sequence[_Sorted], tags: Sequence[str], conditions: ConditionGroups
) -> Iterator[ErrorGroup]:
    groups: dict[_Key, Counter[Cause | None]] = {}
    for answer in answers:
        for key in _keys(answer, tags, conditions):
            groups.setdefault(key, Counter())[answer.cause] += 1
    for key, times in sorted(groups.items(), key=lambda item: item[0]):
        n = times.total()
        wrong = n - times[None]
        yield ErrorGroup(
            **key._asdict(),
            system=system,
            n=n,
            wrong=wrong,
            interval=wilson(wrong, n, estimand=_ESTIMAND),
            causes={cause: times[cause] for cause in Cause},
        )


def _retrieval(system: str, answers: Sequence[_Sorted]) -> RetrievalFailures:
    errors = [answer.error for answer in answers if answer.error is not None]
    return RetrievalFailures(
        system=system,
        wrong=len(errors),
        no_document=sum(error.no_document is True for error in errors),
        no_document_known=sum(error.no_document is not None for error in errors),
        no_context=sum(error.no_context is True for error in errors),
        no_context_known=sum(error.no_context is not None for error in errors),
    )


def _conditions(
    system: str, answers: Sequence[_Sorted], conditions: ConditionGroups
) -> ConditionErrors:
    taken = (
        (asked.case.options[asked.gold], asked.case.options[asked.choice])
        for asked, error in answers
        if error is not None and asked.choice is not None
    )
    confusion = ConditionConfusion.of(taken, conditions)
    both = confusion.similar + confusion.unrelated
    around = wilson(confusion.similar, both, estimand=_ESTIMAND) if both else None
    return ConditionErrors(system, confusion, around)


def _sure(system: str, answers: Sequence[_Sorted]) -> list[ConfidentError]:
    sure = []
    for answer in answers:
        asked, confidence, cause = answer.asked, answer.confidence, answer.cause
        if cause is None or confidence is None or confidence <= _CONFIDENT:
            continue
        case, choice = asked.case, asked.choice
        sure.append(
            ConfidentError(
                system=system,
                case=case.case,
                confidence=confidence,
                choice=choice,
                gold=asked.gold,
                cause=cause,
                question=case.asked,
                chosen_text=None if choice is None else case.options[choice],
                right_text=case.options[asked.gold],
                reasoning=None if asked.answer is None else asked.answer.reasoning,
            )
        )
    return sorted(sure, key=lambda error: (-error.confidence, error.case))

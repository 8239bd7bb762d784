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
from medassay.analyses.inputs.answer_choices import Asked, Choices
from medassay.answers import Answer
from medassay.cases import Case
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


def wrong_answers(choices: Choices, conditions: ConditionGroups) -> WrongAnswers:
    """Sort the wrong answers of each system."""
    found = [
        _OfSystem(system, questions, choices.tags, conditions)
        for system, questions in choices.by_system.items()
    ]
    return WrongAnswers(
        k=_DEPTH,
        confident_from=_CONFIDENT,
        groups=tuple(group for own in found for group in own.groups()),
        retrieval=tuple(own.retrieval() for own in found),
        condition_groups=len({condition.group for condition in conditions.names.values()}),
        conditions=tuple(own.conditions() for own in found),
        confident=tuple(error for own in found for error in own.confident()),
        questions=tuple(question for own in found for question in own.questions),
    )


class _OfSystem:
    """What one system did, counted question by question: each is read once and not held."""

    def __init__(
        self,
        system: str,
        questions: Sequence[Asked],
        tags: Sequence[str],
        conditions: ConditionGroups,
    ) -> None:
        self.system, self._tags, self._names = system, tags, conditions
        self.questions: list[QuestionAsked] = []
        self._groups: dict[_Key, Counter[Cause | None]] = {}
        self._found: Counter[tuple[bool | None, bool | None]] = Counter()
        self._taken: list[tuple[str, str | None]] = []
        self._sure: list[ConfidentError] = []
        for asked in questions:
            case, answer = asked.read()
            error = error_cause(case, answer, _DEPTH)
            cause = None if error is None else error.cause
            self.questions.append(
                QuestionAsked(system, asked.case, asked.gold, asked.choice, asked.confidence, cause)
            )
            for key in self._keys(asked, case):
                self._groups.setdefault(key, Counter())[cause] += 1
            if error is not None:
                self._take(asked, case, answer, error)

    def _keys(self, asked: Asked, case: Case) -> Iterator[_Key]:
        yield _Key("", "", "", "")
        condition = self._names.find(case.options[asked.gold])
        if condition is not None:
            yield _Key("concept", _CONCEPTS, condition.group, "")
        if asked.confidence is not None:
            tenth = min(int(asked.confidence * _TENTHS), _TENTHS - 1)
            yield _Key("confidence", "", "", f"{10 * tenth}–{10 * tenth + 10} %")
        for tag in self._tags:
            if tag in case.tags:
                yield _Key("tag", tag, case.tags[tag], "")

    def _take(self, asked: Asked, case: Case, answer: Answer | None, error: ErrorCause) -> None:
        self._found[error.no_document, error.no_context] += 1
        right = case.options[asked.gold]
        chosen = None if asked.choice is None else case.options[asked.choice]
        self._taken.append((right, chosen))
        if asked.confidence is None or asked.confidence <= _CONFIDENT:
            return
        self._sure.append(
            ConfidentError(
                system=self.system,
                case=asked.case,
                confidence=asked.confidence,
                choice=asked.choice,
                gold=asked.gold,
                cause=error.cause,
                question=case.asked,
                chosen_text=chosen,
                right_text=right,
                reasoning=None if answer is None else answer.reasoning,
            )
        )

    def groups(self) -> Iterator[ErrorGroup]:
        """Count the causes in each group of questions."""
        for key, times in sorted(self._groups.items(), key=lambda item: item[0]):
            n = times.total()
            wrong = n - times[None]
            yield ErrorGroup(
                **key._asdict(),
                system=self.system,
                n=n,
                wrong=wrong,
                interval=wilson(wrong, n, estimand=_ESTIMAND),
                causes={cause: times[cause] for cause in Cause},
            )

    def retrieval(self) -> RetrievalFailures:
        """Count wrong answers for which nothing relevant was found."""
        found = self._found.items()
        return RetrievalFailures(
            system=self.system,
            wrong=self._found.total(),
            no_document=sum(n for (document, _), n in found if document is True),
            no_document_known=sum(n for (document, _), n in found if document is not None),
            no_context=sum(n for (_, context), n in found if context is True),
            no_context_known=sum(n for (_, context), n in found if context is not None),
        )

    def conditions(self) -> ConditionErrors:
        """Say how often a similar condition was taken for the right one."""
        confusion = ConditionConfusion.of(self._taken, self._names)
        n = confusion.errors
        around = wilson(confusion.similar, n, estimand=_ESTIMAND) if n else None
        return ConditionErrors(self.system, confusion, around)

    def confident(self) -> list[ConfidentError]:
        """Give the wrong answers that the system was sure of, the surest first."""
        return sorted(self._sure, key=lambda error: (-error.confidence, error.case))

"""Multiple-choice questions, and what each system did with each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from medassay.answers import Answer, Answers, chosen_option
from medassay.cases import Case, Cases

__all__ = ["Asked", "Choices", "Policy", "choices_of"]

_MOST_VALUES: Final = 40
Policy = Literal["wrong", "first"]
"""What an answer without a choice counts as: wrong, or as the case's first option."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question put to one system.

    Attributes:
        case: The question.
        answer: What the system answered; None where it never did.
        choice: The option that it chose; None where none can be read.
    """

    case: Case
    answer: Answer | None
    choice: str | None

    @property
    def gold(self) -> str:
        """Give the right option."""
        return str(self.case.gold)

    def is_right(self, policy: Policy = "wrong") -> bool:
        """Compare with the right option; an answer that was never given is wrong always."""
        if self.choice is None and self.answer is not None and policy == "first":
            return next(iter(self.case.options)) == self.gold
        return self.choice == self.gold


@dataclass(frozen=True)
class Choices:
    """What systems did with the questions of which the right option is known.

    Attributes:
        by_system: System to each question, by id; no system where nobody answered such a question.
        tags: Tags to group questions by.
        tags_left_out: Tags with too many values for it.
    """

    by_system: Mapping[str, Sequence[Asked]]
    tags: tuple[str, ...]
    tags_left_out: tuple[str, ...]


def choices_of(cases: Cases, answers: Answers, systems: Sequence[str]) -> Choices:
    """Read what each system chose."""
    questions = [
        case for case in map(cases.__getitem__, cases.ids) if case.options and case.gold is not None
    ]
    values: dict[str, set[str]] = {}
    for case in questions:
        for tag, value in case.tags.items():
            values.setdefault(tag, set()).add(value)
    few = {tag for tag, own in values.items() if len(own) <= _MOST_VALUES}
    asked = systems if questions and len(answers) else ()
    return Choices(
        {system: [_asked(case, answers.get(system, case.case)) for case in questions]
         for system in asked},
        tuple(sorted(few)),
        tuple(sorted(values.keys() - few)),
    )  # fmt: skip


def _asked(case: Case, answer: Answer | None) -> Asked:
    return Asked(case, answer, None if answer is None else chosen_option(case, answer))

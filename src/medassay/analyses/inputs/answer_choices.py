"""Multiple-choice questions, and what each system did with each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from sys import intern
from typing import Final, Literal

from medassay.answers import Answer, Answers, chosen_option
from medassay.cases import Case, Cases

_MOST_VALUES: Final = 40
Policy = Literal["wrong", "first"]
"""What an answer without a choice counts as: wrong, or as the case's first option."""


@dataclass(frozen=True, slots=True)
class ItemResponse:
    """One question put to one system: what is counted, and where the texts are read.

    Attributes:
        case: The question's id.
        gold: The right option.
        choice: The option that the system chose; None where none can be read.
        confidence: How sure it was; None where it does not say.
        answered: Whether it answered at all.
        options: The options, in their order.
        tags: The tags of the question.
        read: Reads the question and the answer; None for an answer that was never given.
    """

    case: str
    gold: str
    choice: str | None
    confidence: float | None
    answered: bool
    options: tuple[str, ...]
    tags: Mapping[str, str]
    read: Callable[[], tuple[Case, Answer | None]]

    def is_right(self, policy: Policy = "wrong") -> bool:
        """Compare with the right option; an answer that was never given is wrong always."""
        if self.choice is None and self.answered and policy == "first":
            return self.options[0] == self.gold
        return self.choice == self.gold


@dataclass(frozen=True)
class Choices:
    """What systems did with the questions of which the right option is known.

    Attributes:
        by_system: System to each question, by id; no system where nobody answered such a question.
        tags: Tags to group questions by.
        tags_left_out: Tags with too many values for it.
    """

    by_system: Mapping[str, Sequence[ItemResponse]]
    tags: tuple[str, ...]
    tags_left_out: tuple[str, ...]


def choices_of(cases: Cases, answers: Answers, systems: Sequence[str]) -> Choices:
    """Read what each system chose."""
    values: dict[str, set[str]] = {}
    responses: dict[str, list[ItemResponse]] = {system: [] for system in systems}
    # Questions by the hundred thousand have the same options and tags: one object for all.
    same: dict[tuple[str, ...], tuple[str, ...]] = {}
    tags: dict[tuple[tuple[str, str], ...], Mapping[str, str]] = {}
    for name in cases.ids:
        case = cases[name]
        if not case.options or case.gold is None:
            continue
        for tag, value in case.tags.items():
            values.setdefault(tag, set()).add(value)
        options = tuple(case.options)
        options = same.setdefault(options, options)
        its_tags = tags.setdefault(tuple(case.tags.items()), case.tags)
        for system, own in responses.items():
            if not answers.asked.holds(system, name):
                continue
            answer = answers.get(system, name)
            choice = None if answer is None else chosen_option(case, answer)
            if answer is not None and not answer.tells_choice:
                continue  # neither right nor wrong: nobody here has read it
            own.append(
                ItemResponse(
                    name,
                    str(case.gold),
                    None if choice is None else intern(str(choice)),
                    None if answer is None else answer.confidence,
                    answer is not None,
                    options,
                    its_tags,
                    partial(_read, cases, answers, system, name),
                )
            )
    few = {tag for tag, own in values.items() if len(own) <= _MOST_VALUES}
    responses = {system: own for system, own in responses.items() if own}
    return Choices(
        responses if len(answers) else {}, tuple(sorted(few)), tuple(sorted(values.keys() - few))
    )


def _read(cases: Cases, answers: Answers, system: str, case: str) -> tuple[Case, Answer | None]:
    return cases[case], answers.get(system, case)

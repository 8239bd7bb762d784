"""How many sure answers are wrong: the sentence, and the counts that it shares with a table."""

from dataclasses import dataclass
from typing import Final

from medassay.analyses.builtin.errors.record import WrongAnswers
from medassay.exhibits import Names
from medassay.exhibits.finding import Finding, ReaderQuestion
from medassay.exhibits.numbers import count_of

__all__ = ["Sure", "confident_finding", "sure_answers"]

_MOST: Final = 6
"""Systems that the sentence names; the table has all."""


@dataclass(frozen=True, slots=True)
class Sure:
    """One system's answers above the confidence that the source calls sure.

    Attributes:
        system: The system.
        sure: How many.
        wrong: How many of them are wrong.
    """

    system: str
    sure: int
    wrong: int


def sure_answers(wrong: WrongAnswers) -> list[Sure]:
    """Count each system's sure answers; nothing where none states a confidence."""
    if all(asked.confidence is None for asked in wrong.questions):
        return []
    sure = [
        asked
        for asked in wrong.questions
        if asked.confidence is not None and asked.confidence > wrong.confident_from
    ]
    return [
        Sure(system, len(own), sum(asked.cause is not None for asked in own))
        for system in dict.fromkeys(asked.system for asked in wrong.questions)
        for own in [[asked for asked in sure if asked.system == system]]
    ]


def confident_finding(wrong: WrongAnswers, names: Names) -> Finding | None:
    """Say how many sure answers of each system are wrong."""
    every = sure_answers(wrong)
    if not every:
        return None
    if not any(own.sure for own in every):
        text = f"No answer is given as more than {100 * wrong.confident_from:.0f}\u00a0% sure."
        return Finding("confident", text, ("sure-answers",), ReaderQuestion.CONFIDENT)
    lines = [
        f"{names.of_system(own.system)} {count_of(own.sure, 'answer')}, {own.wrong:,} wrong"
        for own in every[:_MOST]
    ]
    rest = " The other systems are in the table." if len(every) > _MOST else ""
    text = f"More than {100 * wrong.confident_from:.0f}\u00a0% sure: {'; '.join(lines)}.{rest}"
    return Finding("confident", text, ("sure-answers",), ReaderQuestion.CONFIDENT)

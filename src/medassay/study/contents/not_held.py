"""Answers that a study knows by their ids alone: what is said of them, wherever texts are read."""

from typing import Final

from medassay.answers import Answers
from medassay.errors import InvalidInput, Problem
from medassay.text import count_of

__all__ = ["ADD_TEXTS", "describe_not_held", "refuse_none_held"]

ADD_TEXTS: Final = "Add them with: medassay import answers.csv --into STUDY"


def describe_not_held(answers: Answers) -> list[str]:
    """Say how many texts the study does not have, and what needs them; nothing where it has all.

    Example:
        >>> from medassay.answers import Answer
        >>> bare = Answer(system="A", case="1", held=False)
        >>> print(describe_not_held(Answers.of([bare]))[0].partition(". ")[0])
        The text of 1 of 1 answer is not held
    """
    count = answers.tally.not_held.total()
    if not count:
        return []
    texts, are = ("text", "is") if count == 1 else ("texts", "are")
    of = f"{count:,} of {count_of(len(answers), 'answer')}"
    needs = "Metrics of text, judges and campaigns need the texts."
    return [f"The {texts} of {of} {are} not held. {needs} {ADD_TEXTS}"]


def refuse_none_held(answers: Answers, file: str, must: str) -> None:
    """Refuse a study of ratings alone where somebody is to read its answers.

    Args:
        answers: The study's answers.
        file: What is refused.
        must: What its answers must be there for, after "must".

    Raises:
        InvalidInput: The study has answers, and the text of none.
    """
    count = answers.tally.not_held.total()
    if count and count == len(answers):
        got = f"the ids of {count_of(count, 'answer')}: no text is held"
        raise InvalidInput(Problem(file, must, got, ADD_TEXTS))

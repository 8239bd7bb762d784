"""What systems answered: one record for each system and case.

What enters: a folder of answers or one tidy file, and the cases they belong to. What leaves:
`Answers`, checked records with the warnings that a reader should see. A record with empty text is
an empty answer that was given; an answer that was never given has no record, though it was asked
for (`CasesPerSystem`). `parse_choice` reads which option an answer in free text chooses.
"""

from medassay.answers.choice import NoChoice, ParsedChoice, chosen_option, parse_choice
from medassay.answers.collection import (
    EVERY_CASE,
    Answers,
    CasesPerSystem,
    answer_row,
    answers_from_sheet,
)
from medassay.answers.files import read_answers, write_answers
from medassay.answers.record import Answer, Retrieved, Statement

__all__ = [
    "EVERY_CASE",
    "Answer",
    "Answers",
    "CasesPerSystem",
    "NoChoice",
    "ParsedChoice",
    "Retrieved",
    "Statement",
    "answer_row",
    "answers_from_sheet",
    "chosen_option",
    "parse_choice",
    "read_answers",
    "write_answers",
]

"""Which questions a system has no row for: what was left out by mistake is seen at once."""

from typing import Final

from medassay.cases import Cases
from medassay.exchange.spreadsheet.collected import Collected
from medassay.study.folder import Study
from medassay.text import count_of, first_of

__all__ = ["lacking_words", "unanswered"]

_FEW: Final = 5
"""Systems, or ids of one system, that are named; more are counted."""


def unanswered(study: Study, collected: Collected, cases: Cases) -> list[str]:
    """Name the systems of the files that neither the files nor the study have all answers of."""
    ids = dict.fromkeys([*study.cases.ids, *(case.case for case in cases)])
    there = {(answer.system, answer.case) for answer in study.answers} | collected.rows
    systems = sorted({system for system, *_ in collected.answers})
    lacking = {system: [case for case in ids if (system, case) not in there] for system in systems}
    return lacking_words(lacking, len(ids))


def lacking_words(lacking: dict[str, list[str]], questions: int) -> list[str]:
    """Say of each system how many questions it has no answer to, and which.

    Example:
        >>> lacking_words({"A": ["q2"], "B": []}, 3)
        ['A: no answer to 1 of 3 questions (q2): read as never given.']
    """
    told = {system: cases for system, cases in lacking.items() if cases}
    lines = [
        f"{system}: no answer to {len(cases):,} of {count_of(questions, 'question')} "
        f"({first_of([*cases], _FEW)}): read as never given."
        for system, cases in list(told.items())[:_FEW]
    ]
    more = len(told) - len(lines)
    return [*lines, f"{count_of(more, 'more system')} lack answers."] if more else lines

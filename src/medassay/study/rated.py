"""What people and models said of a study's answers, read from its two tables."""

from pathlib import Path

from medassay.errors import Problem
from medassay.judgements import Judgements, Preferences, Rubric
from medassay.study.files import read_table
from medassay.study.known_ids import KnownIds, read_checked

__all__ = ["read_judgements", "read_preferences"]


def read_judgements(
    folder: Path, rubric: Rubric | None, known: KnownIds, notes: list[Problem]
) -> Judgements | None:
    """Read the judgements; None where no rubric says what they may be."""
    sheet = read_table(folder, "judgements")
    notes += sheet.notes if sheet is not None else ()
    if rubric is None:
        return None
    if sheet is None:
        return Judgements.from_rows([], rubric)
    return read_checked(sheet, lambda rows: Judgements.from_sheet(rows, rubric), known)


def read_preferences(folder: Path, known: KnownIds, notes: list[Problem]) -> Preferences:
    """Read which of two answers people prefer."""
    sheet = read_table(folder, "preferences")
    notes += sheet.notes if sheet is not None else ()
    if sheet is None:
        return Preferences.from_rows([])
    return read_checked(sheet, Preferences.from_sheet, known)

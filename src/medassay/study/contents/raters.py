"""Who rates in a study, what they said, and what is left out since its rater was excluded."""

from pathlib import Path

from medassay.answers import Answers
from medassay.errors import InvalidInput, Problem
from medassay.judgements import Judgements, Preferences, Raters, Rubric
from medassay.study.contents.known_ids import KnownIds, read_checked
from medassay.study.files.names import read_table

__all__ = [
    "count_left_out",
    "describe_not_given",
    "print_left_out",
    "read_judgements",
    "read_preferences",
    "read_raters",
]


def read_raters(
    folder: Path,
    judgements: Judgements | None,
    preferences: Preferences | None,
    notes: list[Problem],
) -> Raters:
    """Read the raters table, where there is one, and hold the raters of other tables against it.

    Args:
        folder: The study's folder.
        judgements: What raters judged, where that could be read.
        preferences: What raters preferred, where that could be read.
        notes: Where it is added what was odd about the table, and was read all the same.

    Raises:
        InvalidInput: Everything that is wrong with it, and raters who are not in it.
    """
    sheet = read_table(folder, "raters")
    notes += sheet.notes if sheet is not None else ()
    raters = Raters() if sheet is None else Raters.from_sheet(sheet)
    problems: list[Problem] = []
    for file, table in (("judgements", judgements), ("preferences", preferences)):
        if table is None:
            continue
        kinds = dict(table.frame.select("rater", "rater_kind").unique().iter_rows())
        try:
            raters.refuse_third_party(file, kinds)
        except InvalidInput as error:
            problems += error.problems
    if problems:
        raise InvalidInput(problems)
    return raters


def count_left_out(
    raters: Raters, judgements: Judgements, preferences: Preferences
) -> dict[str, int]:
    """Count what each excluded rater said, as it holds now; nothing of it is read further."""
    names = [
        *judgements.current()["rater"].to_list(),
        *preferences.current()["rater"].to_list(),
    ]
    return {rater.rater: names.count(rater.rater) for rater in raters.excluded}


def print_left_out(raters: Raters, left_out: dict[str, int]) -> list[str]:
    """Say how much is left out and why, or nothing."""
    lines = []
    for rater, count in left_out.items():
        if count:
            noun = "judgement" if count == 1 else "judgements"
            why = raters.get(rater).reason
            lines.append(f"{rater}, {count} {noun} ({why})")
    if not lines:
        return []
    return [f"Left out of every number, since their raters were excluded: {'; '.join(lines)}."]


def describe_not_given(answers: Answers, judgements: Judgements) -> list[str]:
    """Say how many answers were judged that the study does not have, or nothing."""
    if not len(answers):
        return []
    judged = judgements.current().select("system", "case").unique().sort("system", "case")
    count = sum(not answers.gave(system, case) for system, case in judged.iter_rows())
    if not count:
        return []
    text = "1 answer was" if count == 1 else f"{count} answers were"
    return [f"{text} judged that the study does not have; the judgements are kept."]


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

"""Labels held against what was rated, each named by its cell."""

from collections.abc import Sequence
from dataclasses import replace

from medassay.errors import InvalidInput, Problem
from medassay.exchange.spreadsheet.collected import Rating
from medassay.judgements import Dimension, Judgements, Rubric
from medassay.tables import Sheet

__all__ = ["checked_labels", "sheets_of"]


def sheets_of(ratings: Sequence[Rating]) -> list[Sheet]:
    """Make a table of the rows of each column; labels that are none are named by their cell."""
    groups: dict[tuple[str, str, tuple[str, ...]], list[Rating]] = {}
    for rating in ratings:
        groups.setdefault((rating.file, rating.column, tuple(rating.cells)), []).append(rating)
    return [
        Sheet(
            file,
            [rating.row for rating in rows],
            {name: [rating.cells[name] or None for rating in rows] for name in names},
        )
        for (file, _, names), rows in groups.items()
    ]


def checked_labels(ratings: Sequence[Rating], dimensions: Sequence[Dimension]) -> list[Sheet]:
    """Check the labels of each column.

    Raises:
        InvalidInput: Every label that the rubric does not have; alike ones of a column once.
    """
    sheets = sheets_of(ratings)
    rubric = Rubric(name="x", dimensions=tuple(dimensions)) if ratings else None
    columns = {(r.file, r.row, r.cells["dimension"], r.cells["rater"]): r.column for r in ratings}
    problems: list[Problem] = []
    for sheet in sheets:
        try:
            Judgements.from_sheet(sheet, rubric) if rubric else None
        except InvalidInput as error:
            dimension, rater = (str(sheet.columns[name][0]) for name in ("dimension", "rater"))
            column = columns[sheet.file, sheet.rows[0], dimension, rater]
            hint = f"If they were given on another scale: --scale {dimension}=LOW-HIGH. Or leave "
            hint += f'the column out: --column "skip={column}"'
            problems += [
                replace(problem, column=column, try_=f"{problem.try_} {hint}.".strip())
                if problem.column in {"label", "number"}
                else problem
                for problem in error.problems
            ]
    if problems:
        raise InvalidInput(problems)
    return sheets

"""Checks of labels; a problem names the cell of the table that the label came from."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from medassay.errors import InvalidInput, Problem
from medassay.exchange.spreadsheet.collected import Collected, Rating, Ratings
from medassay.exchange.spreadsheet.wishes import column_option
from medassay.judgements import SAID, Dimension, Judgements, Rubric
from medassay.tables import Sheet
from medassay.text import shell_line

if TYPE_CHECKING:
    import polars as pl

_ABOUT: Final = ("rater", "system", "system_a", "system_b", "case", "sample", "dimension")
"""What makes two labels be about the same thing."""


def sheet_of(ratings: Ratings) -> Sheet:
    """Make one table of labels or preferences, a row each, counted from 0."""
    return Sheet("the files", list(range(len(ratings))), dict(ratings.columns))


def checked_labels(collected: Collected, dimensions: Sequence[Dimension]) -> "pl.DataFrame | None":
    """Check that every label is on the scale of its dimension, and that none contradicts another.

    Returns:
        The labels as a study keeps them, in their order; None where there are none.

    Raises:
        InvalidInput: Every label that is wrong, with file, row and column of its cell.
    """
    ratings = collected.ratings
    twice = [*_contradictions(ratings), *_contradictions(collected.preferences)]
    if twice:
        raise InvalidInput(twice)
    if not ratings:
        return None
    rubric = Rubric(name="x", dimensions=tuple(dimensions))
    try:
        return Judgements.checked(sheet_of(ratings), rubric)
    except InvalidInput as error:
        raise InvalidInput([_in_place(problem, ratings) for problem in error.problems]) from error


def _contradictions(ratings: Ratings) -> Iterator[Problem]:
    """Name labels of one person that say two things of the same answer."""
    held = [ratings.of(name) for name in _ABOUT if name in ratings.columns]
    if len(set(zip(*held, strict=True))) == len(ratings):
        return
    first: dict[tuple[object, ...], Rating] = {}
    for rating in ratings:
        cells = rating.cells
        about = tuple(cells.get(name) for name in _ABOUT)
        before = first.setdefault(about, rating)
        now, then = ([one.cells.get(name) or "" for name in SAID] for one in (rating, before))
        if now == then:
            continue
        place = f'row {before.row} ("{before.column}")'
        if before.file != rating.file:
            place = f"{before.file}, {place}"
        got, known = (f'"{", ".join(filter(None, said))}"' for said in (now, then))
        hint = f"Keep one of them, or tell apart who rated: both are of {cells['rater']}."
        sheet = rating.file.partition(", sheet ")[2]
        if sheet and before.file != rating.file:
            hint += f" Or leave the sheet out: {column_option('skip', sheet)}"
        must = f"say of the same answer what {place} says"
        yield Problem(rating.file, must, f"{got}, not {known}", hint, rating.row, rating.column)


def _in_place(problem: Problem, ratings: Ratings) -> Problem:
    """Say of a problem where its cell is, and what to type."""
    if problem.row is None:
        return problem
    rating = ratings[problem.row]
    place = replace(problem, file=rating.file, row=rating.row)
    if problem.column not in {"label", "number"}:
        return place
    scale = shell_line(["--scale", f"{rating.cells['dimension']}=LOW-HIGH"])
    hint = f"If they were given on another scale: {scale}; or leave the column out: "
    hint += column_option("skip", rating.column)
    return replace(place, column=rating.column, try_=f"{problem.try_} {hint}".strip())

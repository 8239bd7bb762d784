"""Checks of labels; a problem names the cell of the table that the label came from."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from medassay.errors import InvalidInput, Problem
from medassay.exchange.spreadsheet.collected import Collected, Rating, Ratings
from medassay.exchange.spreadsheet.label_words import MISSING
from medassay.exchange.spreadsheet.profile import number_of
from medassay.exchange.spreadsheet.wishes import column_option
from medassay.judgements import SAID, Dimension, Judgements, Rubric
from medassay.tables import Sheet
from medassay.text import shell_line

if TYPE_CHECKING:
    import polars as pl

_ROWS: Final = re.compile(r"\(\d+(?:, \d+)*(?: \.\.\.)?\)$")
_MOST_CODES: Final = 4
_JOINTS: Final = re.compile(r"[\s._\-–,]+")
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


def bare_name(name: str) -> str:
    """Give a name without capitals, and without what joins or ends its words.

    Between digits any joint is one: 3.1 is no 31.

    Example:
        >>> bare_name("Dr. Lee") == bare_name("dr lee"), bare_name("GPT-4") == bare_name("gpt4")
        (True, True)
        >>> bare_name("Llama 3.1") == bare_name("Llama 31"), bare_name("C++") == bare_name("C")
        (False, False)
    """
    return _JOINTS.sub("", re.sub(r"(?<=\d)[\s._\-–,]+(?=\d)", "/", name.casefold()))


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
    ends = "LOW-HIGH" if any(map(str.isdigit, problem.must)) else "WORST<...<BEST"
    scale = shell_line(["--scale", f"{rating.cells['dimension']}={ends}"])
    hint = _not_judged(problem, ratings)
    hint += f"If they were given on another scale: {scale}; or leave the column out: "
    hint += column_option("skip", rating.column)
    got = _ROWS.sub(lambda rows: _rows_of_the_file(rows[0], ratings), problem.got)
    return replace(place, column=rating.column, got=got, try_=f"{problem.try_} {hint}".strip())


def _rows_of_the_file(rows: str, ratings: Ratings) -> str:
    return re.sub(r"\d+", lambda row: str(ratings[int(row[0])].row), rows)


def _not_judged(problem: Problem, ratings: Ratings) -> str:
    """Say what to type where numbers off the scale, such as 9 and 99, stand for no label."""
    own = ratings.of("dimension")[problem.row or 0]
    told = zip(ratings.of("dimension"), ratings.of("label"), strict=True)
    on_scale = set(problem.must.removeprefix("be one of ").split(", "))
    off = {label for dimension, label in told if dimension == own and label} - on_scale
    numbers = {label: number_of(label) for label in off}
    codes = sorted((number, label) for label, number in numbers.items() if number is not None)
    if not codes or len(codes) < len(off) or len(codes) > _MOST_CODES:
        return ""
    words = [word for _, code in codes for word in ("--label", f"{own}.{MISSING}={code}")]
    means = "mean" if codes[1:] else "means"
    return f"If {', '.join(code for _, code in codes)} {means} not judged: {shell_line(words)}. "

"""One cause is one problem, with a count and the first places, however many cells it is in."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from medassay.errors import Problem

__all__ = ["folded"]

_SHOWN: Final = 3
_SENTENCE: Final = re.compile(r"(?<=[.?!]) (?=[A-Z])")


def folded(problems: Sequence[Problem]) -> list[Problem]:
    """Give problems of one kind in one column as one; a few stay as they are.

    Example:
        >>> bad = [Problem("a.csv", "be 1 to 5", f'"{n}"', "", n, "score") for n in range(6, 20)]
        >>> print(folded(bad)[0])
        a.csv, column score: must be 1 to 5; got "6" in row 6, "7" in row 7, "8" in row 8 and \
11 more.
    """
    return _by_column(_by_row(problems))


def _by_row(problems: Sequence[Problem]) -> list[Problem]:
    groups: dict[tuple[str, str, str | None], list[Problem]] = {}
    for problem in problems:
        groups.setdefault((problem.file, problem.must, problem.column), []).append(problem)
    told: list[Problem] = []
    for alike in groups.values():
        places = {(problem.row, problem.cell) for problem in alike}
        if len(alike) <= _SHOWN or len(places) == 1:
            told += alike
            continue
        seen = [f"{problem.got.rstrip('.')} in {_place(problem)}" for problem in alike[:_SHOWN]]
        told.append(_one(alike, f"{', '.join(seen)} and {len(alike) - _SHOWN:,} more"))
    return told


def _by_column(problems: Sequence[Problem]) -> list[Problem]:
    groups: dict[tuple[str, str], list[Problem]] = {}
    for problem in problems:
        groups.setdefault((problem.file, problem.must), []).append(problem)
    told: list[Problem] = []
    for alike in groups.values():
        columns = list(dict.fromkeys(problem.column for problem in alike if problem.column))
        if len(columns) <= _SHOWN or len(columns) < len(alike):
            told += alike
            continue
        listed = ", ".join(columns[:_SHOWN])
        got = (
            f"{alike[0].got.rstrip('.')} in column {columns[0]}; {len(alike):,} columns are alike "
        )
        told.append(replace(_one(alike, f"{got}({listed} ...)"), column=None))
    return told


def _place(problem: Problem) -> str:
    return f"cell {problem.cell}" if problem.cell else f"row {problem.row}"


def _one(alike: Sequence[Problem], got: str) -> Problem:
    """Say it once; of what to do, what is said of all of them, else what is said of the first."""
    hints = [_SENTENCE.split(problem.try_) for problem in alike]
    shared = [sentence for sentence in hints[0] if all(sentence in hint for hint in hints)]
    first = f"Of the first: {alike[0].try_}" if alike[0].try_ else ""
    hint = " ".join(shared) or first
    return replace(alike[0], got=got, try_=hint, row=None, cell=None)

"""One cause is one problem, with a count and the first places, however many cells it is in."""

import re
from collections.abc import Callable, Hashable, Sequence
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
        a.csv, column score: must be 1 to 5; got "6" (row 6); "7" (row 7); "8" (row 8); and 11 \
more.
    """
    return _by_column(_by_row(problems))


def _by_row(problems: Sequence[Problem]) -> list[Problem]:
    def one(alike: Sequence[Problem]) -> Problem | None:
        if len(alike) <= _SHOWN or len({(each.row, each.cell) for each in alike}) == 1:
            return None
        seen = [f"{each.got.rstrip('.')} ({_place(each)})" for each in alike[:_SHOWN]]
        return _one(alike, f"{'; '.join(seen)}; and {len(alike) - _SHOWN:,} more")

    return _each(problems, lambda problem: (problem.file, problem.must, problem.column), one)


def _by_column(problems: Sequence[Problem]) -> list[Problem]:
    def one(alike: Sequence[Problem]) -> Problem | None:
        columns = list(dict.fromkeys(each.column for each in alike if each.column))
        if len(columns) <= _SHOWN or len(columns) < len(alike):
            return None
        got = f"{alike[0].got.rstrip('.')} in column {columns[0]}; {len(alike):,} columns are alike"
        return replace(_one(alike, f"{got} ({', '.join(columns[:_SHOWN])} ...)"), column=None)

    return _each(problems, lambda problem: (problem.file, problem.must), one)


def _each(
    problems: Sequence[Problem],
    key: Callable[[Problem], Hashable],
    one: Callable[[Sequence[Problem]], Problem | None],
) -> list[Problem]:
    """Put one problem in the place of the first of those of a key, where they are one."""
    groups: dict[Hashable, list[Problem]] = {}
    for problem in problems:
        groups.setdefault(key(problem), []).append(problem)
    whole = {name: one(alike) for name, alike in groups.items()}
    told: list[Problem] = []
    for problem in problems:
        joined = whole[key(problem)]
        if joined is None:
            told.append(problem)
        elif problem is groups[key(problem)][0]:
            told.append(joined)
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

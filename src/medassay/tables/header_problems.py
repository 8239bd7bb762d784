"""What is wrong with the names of columns, and what to do about each."""

from collections.abc import Sequence
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.tables.workbooks.page import column_name

__all__ = ["header_problems", "refuse_many_columns", "refuse_two_rows_of_names"]

_LONGEST_NAME: Final = 40
_MOST_COLUMNS: Final = 16_384
"""As many as Excel has."""


def refuse_two_rows_of_names(
    header: Sequence[str], below: Sequence[str], row: int, file: str
) -> None:
    """Refuse a table with two rows of names, as one with merged cells above its names has.

    Args:
        header: The names.
        below: The cells of the next row; none where there is none.
        row: The header's row, as a spreadsheet numbers it.
        file: The file, for messages.

    Raises:
        InvalidInput: It has.

    Example:
        >>> above, under = ["q", "GPT", "", "Gemini"], ["", "text", "safe", "text", "safe"]
        >>> refuse_two_rows_of_names(above, under, 1, "a.csv")
        Traceback (most recent call last):
        medassay.errors.InvalidInput: a.csv, row 1: must have one row of names; got two: "GPT" \
above "text" and "safe". Write both into one row, such as "GPT safe", and delete the other.
    """
    names = [*header, *[""] * (len(below) - len(header))]
    above = _filled(names)
    first = _first_places(names)
    odd = [at for at, name in enumerate(names) if not name or first[name] != at]
    if not _is_two_rows(names, above, odd, below):
        return
    place = odd[0]
    under = [below[at].strip() for at, name in enumerate(above) if name == above[place]]
    shown = " and ".join(f'"{name}"' for name in under[:2])
    both = f"{above[place]} {below[place].strip()}"
    hint = f'Write both into one row, such as "{both}", and delete the other.'
    got = f'two: "{above[place]}" above {shown}'
    raise InvalidInput(Problem(file, "have one row of names", got, hint, row=row))


def refuse_many_columns(count: int, file: str, row: int | None) -> None:
    """Refuse more columns than a spreadsheet has.

    Raises:
        InvalidInput: There are more.

    Example:
        >>> refuse_many_columns(20_000, "a.csv", 1)
        Traceback (most recent call last):
        medassay.errors.InvalidInput: a.csv, row 1: must have at most 16,384 columns; got 20,000. \
Does the table lie on its side? Then turn it: a row for each answer or label.
    """
    if count > _MOST_COLUMNS:
        must = f"have at most {_MOST_COLUMNS:,} columns"
        hint = "Does the table lie on its side? Then turn it: a row for each answer or label."
        raise InvalidInput(Problem(file, must, f"{count:,}", hint, row=row))


def header_problems(header: Sequence[str], row: int, file: str) -> list[Problem]:
    """Name every column without a name or with another's.

    Example:
        >>> [problem] = header_problems(["case", ""], 1, "a.csv")
        >>> print(problem)
        a.csv, row 1: must name every column; got no name for column 2 (B). Write a name into it, \
or delete the column.
    """
    problems = []
    first = _first_places(header)
    for place, name in enumerate(header):
        if not name:
            got = f"no name for column {place + 1} ({column_name(place)})"
            hint = "Write a name into it, or delete the column."
            problems.append(Problem(file, "name every column", got, hint, row=row))
        elif first[name] != place:
            both = f"{column_name(first[name])} and {column_name(place)}"
            got = f'"{name}" twice, in columns {both}'
            hint = f'Call one otherwise, such as "{name} 2", or delete it.'
            problems.append(Problem(file, "name each column once", got, hint, row, name))
    return problems


def _first_places(names: Sequence[str]) -> dict[str, int]:
    return {name: place for place, name in reversed([*enumerate(names)])}


def _filled(header: Sequence[str]) -> list[str]:
    """Give a column without a name that of the column to its left, as a merged cell means it."""
    names: list[str] = []
    for name in header:
        names.append(name or (names[-1] if names else ""))
    return names


def _is_two_rows(
    header: Sequence[str], above: Sequence[str], odd: Sequence[int], below: Sequence[str]
) -> bool:
    """Say whether the row below holds names too: short, and the same under several, or alone."""
    if not odd or len(below) != len(header):
        return False
    names = {above[place] for place in odd}
    grouped = [place for place, name in enumerate(above) if name in names]
    under = [below[place].strip() for place in grouped]
    pairs = [(above[place], name) for place, name in zip(grouped, under, strict=True)]
    if "" in names or not all(map(_is_name, under)) or len(set(pairs)) < len(pairs):
        return False
    others = [below[place].strip() for place in range(len(header)) if place not in grouped]
    repeated = len(names) > 1 and len(set(under)) < len(under)
    return repeated or (bool(others) and not any(others))


def _is_name(text: str) -> bool:
    return 0 < len(text) <= _LONGEST_NAME and not text.replace(".", "").replace(",", "").isdigit()

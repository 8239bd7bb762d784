"""Check the names of columns once, not at every row."""

from collections.abc import Callable, Sequence
from typing import Final

from medassay.errors import InvalidInput, Problem, nearest
from medassay.tables.sheet import Sheet
from medassay.text import first_of

__all__ = ["MOST_NAMED", "check_columns", "listed"]

MOST_NAMED: Final = 50
"""So many columns that are not known are named one by one; more are counted."""


def listed(names: Sequence[str]) -> str:
    """List names with commas; those beyond so many are counted.

    Example:
        >>> listed([str(number) for number in range(52)])[-21:]
        '47, 48, 49 and 2 more'
    """
    more = f" and {len(names) - MOST_NAMED:,} more" if names[MOST_NAMED:] else ""
    return f"{', '.join(names[:MOST_NAMED])}{more}"


def check_columns(
    sheet: Sheet,
    known: Sequence[str],
    required: Sequence[str],
    problems: list[Problem],
    also: Callable[[str], bool] = lambda _: False,
) -> Sheet:
    """Name every column that is not known, with the nearest that is, and every one that lacks.

    Args:
        sheet: The table.
        known: The columns that it may have.
        required: The ones that it must have.
        problems: Where unknown columns are added.
        also: Tells whether a column of another name is known too.

    Returns:
        The sheet without the columns that are not known.

    Raises:
        InvalidInput: A required column is not there, so no row can be read.

    Example:
        >>> check_columns(Sheet("a.csv", [2], {"csae": ["1"]}, header=1), ["case"], ["case"], [])
        Traceback (most recent call last):
        ...
        medassay.errors.InvalidInput: a.csv, row 1, column csae: must be one of case; got "csae". \
Did you mean "case"?
    """
    if not sheet.columns:
        return sheet
    unknown = [name for name in sheet.columns if name not in known and not also(name)]
    lacking = [name for name in required if name not in sheet.columns]
    missing = []
    otherwise = "Leave the column out" + (", or name it with --column." if sheet.renamed else ".")
    for name in unknown[:MOST_NAMED]:
        hint = nearest(name, lacking) or nearest(name, known) or otherwise
        row, more = sheet.header, ""
        if row is None:
            filled = [
                number
                for number, cell in zip(sheet.rows, sheet.columns[name], strict=True)
                if cell is not None
            ]
            row = filled[0] if filled else None
            more = f", and in {len(filled) - 1} more rows" if len(filled) > 1 else ""
        missing.append(
            Problem(sheet.file, f"be one of {', '.join(known)}", f'"{name}"{more}', hint, row, name)
        )
    if unknown[MOST_NAMED:]:
        got = f"{len(unknown) - MOST_NAMED:,} more that are not"
        missing.append(
            Problem(sheet.file, f"have columns among {', '.join(known)}", got, "", sheet.header)
        )
    missed = [
        name for name in lacking if not any(f'"{name}"' in problem.try_ for problem in missing)
    ]
    only = f"only {listed([*sheet.columns])}"
    hint = 'If it is called otherwise there, say so: --column {}="THEIR NAME".'
    missing += [
        Problem(
            sheet.file,
            "be given",
            only,
            hint.format(name) if sheet.renamed else "",
            sheet.header,
            name,
        )
        for name in missed
    ]
    problems += missing
    if lacking and len(sheet):
        raise InvalidInput(problems)
    return sheet.without(unknown)

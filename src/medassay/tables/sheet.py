"""Columns of cells that remember where they came from, checked as whole columns."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Self

from medassay.errors import InvalidInput, Problem, nearest

MOST_NAMED: Final = 50
"""So many columns that are not known are named one by one; more are counted."""
_NUMBERS: Final = ("confidence", "cost", "seconds", "position", "value", "chance", "number")
"""The columns of our own tables that hold numbers."""
_COMMA: Final = re.compile(r"[+-]?\d+,\d+(?:[eE][+-]?\d+)?")
_POINT: Final = re.compile(r"[+-]?\d*\.\d+(?:[eE][+-]?\d+)?")
_THOUSANDS: Final = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")


@dataclass(frozen=True, slots=True)
class Sheet:
    """Columns of cells with the place each row came from.

    Attributes:
        file: The name to show in messages.
        rows: For each row its number: the spreadsheet's row (the header is 1) or the JSONL line.
        columns: Column name to its cells, all as long as `rows`. Cells of CSV and of workbooks are
            text, and an empty cell is None; JSONL and Parquet keep their values, and a key that a
            JSONL line lacks is None.
        empty_is_none: Whether a cell that is None may have been empty text, as in CSV.
        notes: What was odd about the file and was read all the same.
        header: The row that names the columns, where there is one.
        commas_free: Whether another sign parts the cells: a comma may then stand before decimals.
        renamed: Whether who hands it in may say which column is which, as an import lets them.
    """

    file: str
    rows: list[int]
    columns: dict[str, list[object]] = field(default_factory=dict)
    empty_is_none: bool = False
    notes: tuple[Problem, ...] = ()
    header: int | None = None
    commas_free: bool = False
    renamed: bool = False

    @classmethod
    def of_records(
        cls, records: Iterable[Mapping[str, object]], shown_as: str, columns: Sequence[str] = ()
    ) -> Self:
        """Take rows that are in memory, counted from 1; of no rows at all the columns are said.

        Raises:
            InvalidInput: A row is no dict.

        Example:
            >>> Sheet.of_records([{"case": "1"}, {"label": "no"}], "labels").columns
            {'case': ['1', None], 'label': [None, 'no']}
        """
        given: list[object] = list(records)
        hint = "A frame of pandas or polars goes into from_frame."
        strange = [
            Problem(shown_as, "be a dict, column to cell", f"a {type(row).__name__}", hint, number)
            for number, row in enumerate(given, start=1)
            if not isinstance(row, Mapping)
        ]
        if strange:  # a frame gives its columns one by one: the first says all
            raise InvalidInput(strange[0])
        rows = [row for row in given if isinstance(row, Mapping)]
        names = dict.fromkeys(name for row in rows for name in row) or columns
        cells = {name: [row.get(name) for row in rows] for name in names}
        return cls(shown_as, list(range(1, len(rows) + 1)), cells)

    def __len__(self) -> int:
        """Count the rows."""
        return len(self.rows)

    def distinct(self, name: str) -> Collection[object]:
        """Give a column's cells that differ, where all are text or empty; else every cell.

        Example:
            >>> sorted(Sheet("a.csv", [2, 3, 4], {"label": ["no", "yes", "no"]}).distinct("label"))
            ['no', 'yes']
        """
        cells = self.columns.get(name, [])
        return set(cells) if set(map(type, cells)) <= {str, type(None)} else cells

    def records(self) -> Iterator[tuple[int, dict[str, object]]]:
        """Give each row as (row number, its cells that are not empty)."""
        names = list(self.columns)
        cells = zip(*self.columns.values(), strict=True)
        for row, values in zip(self.rows, cells, strict=True):
            yield row, {n: v for n, v in zip(names, values, strict=True) if v is not None}

    def without(self, names: Collection[str]) -> Self:
        """Leave columns out."""
        columns = {name: cells for name, cells in self.columns.items() if name not in names}
        return replace(self, columns=columns)

    def trimmed(self, names: Collection[str]) -> Self:
        """Drop the blanks around the text of these columns, and say so.

        Example:
            >>> sheet = Sheet("j.csv", [2, 3], {"label": ["Yes", " No"]}).trimmed(["label"])
            >>> sheet.columns["label"]
            ['Yes', 'No']
            >>> print(*sheet.notes)
            j.csv, row 3, column label: must have no blanks around it; got " No". They were dropped.
        """
        columns, notes = dict(self.columns), list(self.notes)
        for name in names:
            if not any(c != c.strip() for c in self.distinct(name) if isinstance(c, str)):
                continue
            cells = self.columns[name]
            padded = [
                i for i, cell in enumerate(cells) if isinstance(cell, str) and cell != cell.strip()
            ]
            columns[name] = [
                (cell.strip() or None) if isinstance(cell, str) else cell for cell in cells
            ]
            text = f'"{cells[padded[0]]}"'
            if len(padded) > 1:
                text += f", and blanks in {len(padded) - 1} more"
            place = self.rows[padded[0]]
            must, hint = "have no blanks around it", "They were dropped."
            counted = f"{len(padded)} with blanks"
            notes.append(Problem(self.file, must, text, hint, place, name, counted=counted))
        return replace(self, columns=columns, notes=tuple(notes))


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
    hint = 'If it has another name there, say so: --column {}="THEIR NAME".'
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


def with_points(sheet: Sheet, names: Iterable[str] = _NUMBERS) -> Sheet:
    """Put a point where a comma stands before decimals, where the comma can be nothing else.

    It can be nothing else where another sign parts the cells, and no number of the column has a
    point. Three digits behind every comma of a column (1,234) may be thousands where the table's
    other columns have points.

    Args:
        sheet: Cells.
        names: The columns that hold numbers. Words in them stay as they are.

    Returns:
        The sheet, with a note for each column that was changed.

    Raises:
        InvalidInput: What a comma means cannot be told; every such column is named.

    Example:
        >>> sheet = Sheet("a.csv", [2, 3], {"value": ["0,67", "1"]}, commas_free=True)
        >>> read = with_points(sheet)
        >>> read.columns["value"]
        ['0.67', '1']
        >>> print(*read.notes)
        a.csv, row 2, column value: must have a point before decimals; got "0,67". Read as 0.67.
    """
    if not sheet.commas_free:
        return sheet
    numbers = [name for name in names if name in sheet.columns]
    pointed = {name: _first_pointed(sheet, name) for name in numbers}
    columns, notes, problems = dict(sheet.columns), list(sheet.notes), []
    for name in numbers:
        places = [i for i, cell in enumerate(sheet.columns[name]) if _is(_COMMA, cell)]
        if not places:
            continue
        cells = [str(sheet.columns[name][i]).strip() for i in places]
        more = f", and commas in {len(places) - 1} more" if places[1:] else ""
        must, got, row = (
            "have a point before decimals",
            f'"{cells[0]}"{more}',
            sheet.rows[places[0]],
        )
        elsewhere = next(filter(None, pointed.values()), None)
        point = pointed[name] or (elsewhere if all(map(_THOUSANDS.fullmatch, cells)) else None)
        if point is not None:
            hint = f"{point} has a point, so a comma may mean thousands. Write all numbers one way."
            problems.append(Problem(sheet.file, must, got, hint, row, name))
            continue
        of = dict(zip(places, cells, strict=True))
        columns[name] = [
            of[i].replace(",", ".") if i in of else cell
            for i, cell in enumerate(sheet.columns[name])
        ]
        hint = f"Read as {cells[0].replace(',', '.')}."
        notes.append(Problem(sheet.file, must, got, hint, row, name))
    if problems:
        raise InvalidInput(problems)
    return replace(sheet, columns=columns, notes=tuple(notes))


def _is(form: re.Pattern[str], cell: object) -> bool:
    return isinstance(cell, str) and form.fullmatch(cell.strip()) is not None


def _first_pointed(sheet: Sheet, name: str) -> str | None:
    """Say where the first number with a point stands, and what it is."""
    for row, cell in zip(sheet.rows, sheet.columns[name], strict=True):
        if _is(_POINT, cell):
            return f'"{str(cell).strip()}" in row {row}, column {name},'
    return None

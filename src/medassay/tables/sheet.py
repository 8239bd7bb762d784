"""Columns of cells that remember where they came from."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from medassay.errors import Problem

__all__ = ["Sheet"]


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

        Example:
            >>> Sheet.of_records([{"case": "1"}, {"label": "no"}], "labels").columns
            {'case': ['1', None], 'label': [None, 'no']}
        """
        rows = list(records)
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

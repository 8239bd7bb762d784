"""Frames of pandas, of polars, and of whatever speaks Arrow: in as sheets, out as rows were.

Neither pandas nor pyarrow is imported to read a frame; pandas alone is, to make one.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import isnan
from typing import TYPE_CHECKING, Any, Final, Protocol

from medassay.errors import InvalidInput, MissingBackend, Problem
from medassay.tables.sheet import Sheet, listed

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

_TRY_ROWS: Final = "Of a list of dicts, polars.DataFrame(rows) makes one."


class HasFrame(Protocol):
    """What keeps its rows as a frame of polars."""

    @property
    def frame(self) -> "pl.DataFrame":
        """All rows."""


class Framed:
    """Something whose rows polars and pandas can have; `from_frame` takes them back."""

    __slots__ = ()

    def to_polars(self: HasFrame) -> "pl.DataFrame":
        """Give all rows as a frame of polars, numbers unrounded."""
        return self.frame

    def to_pandas(self: HasFrame) -> "pd.DataFrame":
        """Give all rows as a frame of pandas, numbers unrounded; pyarrow is not needed.

        Raises:
            MissingBackend: pandas is not installed.
        """
        return to_pandas(self.frame)


def to_pandas(frame: "pl.DataFrame") -> "pd.DataFrame":
    """Make a frame of pandas from one of polars, without pyarrow.

    Whole numbers with holes become `Int64`, truth values with holes `boolean`; moments keep their
    time zone, and lists stay lists.

    Raises:
        MissingBackend: pandas is not installed.
    """
    try:
        import pandas as pd
    except ImportError:
        raise MissingBackend("pandas", "to_pandas", 'pip install "pandas"') from None
    columns = {name: _pandas_column(frame[name]) for name in frame.columns}
    return pd.DataFrame(columns, index=pd.RangeIndex(frame.height))


def _pandas_column(column: "pl.Series") -> "pd.Series[Any]":
    import pandas as pd
    import polars as pl

    holes = column.null_count() > 0
    if isinstance(column.dtype, pl.Datetime):
        moments = pd.Series(column.dt.replace_time_zone(None).to_numpy())
        zone = column.dtype.time_zone
        return moments if zone is None else moments.dt.tz_localize("UTC").dt.tz_convert(zone)
    if column.dtype.is_integer():
        return pd.Series(column.to_list(), dtype="Int64") if holes else pd.Series(column.to_numpy())
    if column.dtype.is_float():
        return pd.Series(column.to_numpy())
    if column.dtype == pl.Boolean:
        return pd.Series(column.to_list(), dtype="boolean" if holes else "bool")
    plain = column.dtype == pl.String and column.null_count() < len(column)
    return pd.Series(column.to_list(), dtype=None if plain else object)


def frame_of_rows(
    rows: Sequence[Mapping[str, object]], columns: Sequence[str] = ()
) -> "pl.DataFrame":
    """Lay rows out as a frame; lists and objects become JSON text, as in a file.

    Args:
        rows: The rows; a key that a row lacks is null there.
        columns: The columns where there are no rows.

    Example:
        >>> frame_of_rows([{"case": "1"}, {"case": "2", "options": {"A": "Yes"}}]).rows()
        [('1', None), ('2', '{"A": "Yes"}')]
    """
    import polars as pl

    from medassay.tables.write import cell_text

    names = dict.fromkeys(name for row in rows for name in row) or dict.fromkeys(columns)
    cells = {name: [cell_text(row.get(name)) for row in rows] for name in names}
    empty = {name: pl.String() for name, held in cells.items() if set(held) <= {None}}
    return pl.DataFrame(cells, schema_overrides=empty, strict=False)


def sheet_of_frame(frame: object, shown_as: str, ids: Collection[str] = ()) -> Sheet:
    """Take the cells of a frame; its rows are counted from 1.

    A named index of pandas is read as columns, one of whole numbers is passed over. What pandas
    holds to be missing is an empty cell; in polars null is, and NaN is not.

    Args:
        frame: A frame of pandas or polars, or a table with `__arrow_c_stream__`.
        shown_as: What messages call it.
        ids: Columns that name things: decimals there are no names.

    Raises:
        InvalidInput: It is no frame, a column's name is no text or is there twice, an index without
            a name holds something, or a column of ids holds decimals.

    Example:
        >>> import polars as pl
        >>> sheet = sheet_of_frame(pl.DataFrame({"case": [1, 2], "label": ["yes", None]}), "labels")
        >>> sheet.rows, sheet.columns
        ([1, 2], {'case': [1, 2], 'label': ['yes', None]})
    """
    names, cells = _columns(frame, shown_as)
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    problems = [
        Problem(shown_as, "have text as a column's name", repr(name), "Rename it.")
        for name in names
        if not isinstance(name, str)
    ]
    problems += [Problem(shown_as, "be there once", "it twice", column=str(name)) for name in twice]
    columns = {str(name): held for name, held in zip(names, cells, strict=True)}
    holes = {name: gaps for name, held in columns.items() if (gaps := _not_numbers(held))}
    for name, rows in holes.items():
        got = f"{len(rows):,} of {len(columns[name]):,} NaN, first in row {rows[0]}"
        hint = "Polars takes NaN for a number: .fill_nan(None) makes these cells empty."
        problems.append(Problem(shown_as, "have empty cells, not NaN", got, hint, column=name))
    for name in ids:
        decimals = [cell for cell in columns.get(name, ()) if isinstance(cell, float)]
        if decimals and name not in holes:
            hint = 'Make them whole: .astype("Int64") in pandas, .cast(pl.Int64) in polars.'
            got = f"{len(decimals):,} of {len(columns[name]):,} with decimals, first {decimals[0]}"
            problems.append(Problem(shown_as, "hold text or whole numbers", got, hint, column=name))
    if problems:
        raise InvalidInput(problems)
    height = len(cells[0]) if cells else 0
    return Sheet(shown_as, list(range(1, height + 1)), columns)


def _not_numbers(cells: Sequence[object]) -> list[int]:
    """List the rows, counted from 1, whose cell is NaN."""
    return [row for row, cell in enumerate(cells, 1) if isinstance(cell, float) and isnan(cell)]


def _columns(frame: object, shown_as: str) -> tuple[list[object], list[list[object]]]:
    """Give the names of a frame's columns, and the cells of each."""
    import polars as pl

    given: Any = frame
    if all(hasattr(given, name) for name in ("iloc", "columns", "index", "isna")):
        return _pandas_columns(given, shown_as)
    if not isinstance(given, pl.DataFrame):
        if isinstance(given, pl.LazyFrame) or not hasattr(given, "__arrow_c_stream__"):
            lazy = isinstance(given, pl.LazyFrame)
            must = "be a frame of pandas or polars, or a table that speaks Arrow"
            got = "a frame that is not collected" if lazy else f"a {type(given).__name__}"
            raise InvalidInput(
                Problem(shown_as, must, got, "Call .collect() first." if lazy else _TRY_ROWS)
            )
        given = pl.DataFrame(given)
    return [*given.columns], [given[name].to_list() for name in given.columns]


def _pandas_columns(frame: Any, shown_as: str) -> tuple[list[object], list[list[object]]]:  # noqa: ANN401 - no import of pandas
    levels = [*frame.index.names]
    named = [level for level in levels if level is not None]
    if named and len(named) == len(levels):
        frame = frame.reset_index()
    elif not _counts(frame.index):
        must = "have a name for its index, or whole numbers in it"
        got = listed([str(label) for label in frame.index[:3]])
        hint = 'Name it, such as frame.rename_axis("case"), or drop it: .reset_index(drop=True).'
        raise InvalidInput(Problem(shown_as, must, got, hint))
    names, cells = [*frame.columns], []
    for at in range(len(names)):
        column = frame.iloc[:, at]
        missing = column.isna().tolist()
        held = zip(column.tolist(), missing, strict=True)
        cells.append([None if gone else _plain(cell) for cell, gone in held])
    return names, cells


def _counts(index: Any) -> bool:  # noqa: ANN401 - an index of pandas
    """Say whether an index only numbers the rows."""
    return len(index.names) == 1 and getattr(index.dtype, "kind", "O") in "iu"


def _plain(cell: object) -> object:
    """Give what numpy holds as Python does."""
    bare = getattr(cell, "tolist", None)
    return bare() if bare is not None else cell


def refuse_wide(sheet: Sheet, lacks: str, others: Sequence[str], across: str) -> None:
    """Say what to type where a wide frame is read as a long one.

    Args:
        sheet: What was given.
        lacks: The column that a long one has and this one lacks.
        others: Its columns that a long one does not know.
        across: What each of those may be.

    Raises:
        InvalidInput: There are such columns.
    """
    if others:
        must = f"have a column {lacks}, or be read as a wide frame"
        hint = f'If each of these columns is a {across}: across="{across}".'
        raise InvalidInput(Problem(sheet.file, must, f"the columns {listed(others)}", hint))


class CellRow(int):
    """The row of a cell of a wide sheet, which knows the column that it stood in.

    Attributes:
        column: The column of the wide sheet.
    """

    column: str

    @classmethod
    def at(cls, row: int, column: str) -> "CellRow":
        """Name a cell.

        Example:
            >>> cell = CellRow.at(3, "anna")
            >>> print(cell, cell.column)
            3 anna
        """
        cell = cls(row)
        cell.column = column
        return cell


@dataclass(frozen=True)
class Wide:
    """A wide sheet as a long one, whose rows say where they came from.

    Attributes:
        long: A row a cell; its rows are numbered as those of the wide sheet.
        columns: Those of the long sheet that stand for a column of the wide one.
    """

    long: Sheet
    columns: frozenset[str]

    @classmethod
    def of(
        cls,
        sheet: Sheet,
        across: str,
        known: Collection[str],
        held_in: Callable[[Mapping[str, object]], str],
        *,
        empty_too: bool = False,
    ) -> "Wide":
        """Give every cell of the columns that are not known a row of its own.

        Args:
            sheet: One row several cells.
            across: What the names of those columns are, such as `rater`.
            known: The columns that every one of the new rows has as well.
            held_in: Says of a new row which column its cell goes into.
            empty_too: Whether an empty cell is a row; else it is nothing said.

        Raises:
            InvalidInput: It has a column of that name already, or none that is not known.

        Example:
            >>> sheet = Sheet("ratings", [1, 2], {"case": ["a", "b"], "anna": ["4", None],
            ...                                   "ben": ["5", "3"]})
            >>> wide = Wide.of(sheet, "rater", ["case"], lambda _: "label")
            >>> wide.long.columns
            {'case': ['a', 'a', 'b'], 'rater': ['anna', 'ben', 'ben'], 'label': ['4', '5', '3']}
        """
        spread = [name for name in sheet.columns if name not in known and name != across]
        if across in sheet.columns:
            must, hint = f"have no column {across} beside across", f'Leave out across="{across}".'
            raise InvalidInput(Problem(sheet.file, must, "one", hint, column=across))
        if not spread:
            must = f"have a column for each {across}"
            raise InvalidInput(Problem(sheet.file, must, listed([*sheet.columns]) or "no columns"))
        kept = [name for name in sheet.columns if name in known]
        rows: list[dict[str, object]] = []
        cells: list[int] = []
        for at, number in enumerate(sheet.rows):
            own = {name: sheet.columns[name][at] for name in kept}
            for name in spread:
                cell = sheet.columns[name][at]
                if cell is None and not empty_too:
                    continue
                row = {**own, across: name}
                rows.append({**row, held_in(row): cell})
                cells.append(CellRow.at(number, name))
        long = replace(Sheet.of_records(rows, sheet.file, [*kept, across]), rows=cells)
        return cls(long, frozenset({*long.columns} - {*kept}))

    @contextmanager
    def said_of_cells(self) -> Iterator[None]:
        """Say what is wrong with the long sheet of the cells that it came from, each once."""
        try:
            yield
        except InvalidInput as error:
            raise InvalidInput(dict.fromkeys(map(self._placed, error.problems))) from None

    def _placed(self, problem: Problem) -> Problem:
        if not isinstance(problem.row, CellRow):
            return problem
        column = problem.row.column if problem.column in self.columns else problem.column
        return replace(problem, row=int(problem.row), column=column)

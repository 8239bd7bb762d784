"""The score table: what metrics measured, raters jointly say or others scored, in one shape."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from medassay.api_checks import Brief, checked, frame_html, frame_words
from medassay.errors import InvalidInput, Problem, UnknownName, nearest
from medassay.scores.names import Name
from medassay.scores.score import DEFAULTS, UNIT, Reason, Score, Unit, Unscored, without_defaults
from medassay.tables import (
    Framed,
    Sheet,
    Wide,
    check_columns,
    number_hint,
    refuse_wide,
    sheet_of_frame,
)

if TYPE_CHECKING:
    import polars as pl

_MOST_AXES: Final = 4
_ROW_GROUP: Final = 262_144
_MAY_BE_LEFT_OUT: Final = ("reason", "detail")
_IDS = ("system", "case")
_REQUIRED = (*_IDS, "value")
_KNOWN = (*_REQUIRED, "sample", "source", "reason", "detail")
_WHOLE: Final = ("about", "parts")
"""Columns that our own tables have as well."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Grid(Brief):
    """One source's values as arrays, systems down and cases across.

    Attributes:
        systems: Row labels.
        cases: Column labels.
        values: float64, shape (systems, cases); 0 where nothing is known.
        known: bool, same shape. Never read a value where this is False.
        asked: bool, same shape: False where the system was not asked the case, so that nothing is
            missing. None where every system was asked every case.
    """

    systems: tuple[str, ...]
    cases: tuple[str, ...]
    values: NDArray[np.float64]
    known: NDArray[np.bool_]
    asked: NDArray[np.bool_] | None = None

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Mark what was asked and has no value."""
        return ~self.known if self.asked is None else self.asked & ~self.known


class ScoreTable(Framed):
    """Scores of many sources, one row a score.

    Columns: system, case, sample, about, source, value, reason, detail, parts. Either value or
    reason is set, never both, never neither. Rows are sorted by source and unit, so the same scores
    are the same table in whatever order they came. Only rows that are about the answer as a whole
    (`about` is empty) are laid out by system and case; of several samples the mean of those that
    have a value.

    Example:
        >>> table = ScoreTable.from_rows([
        ...     ("A", "1", "length", Score(12.0)),
        ...     ("A", "2", "length", Unscored(Reason.NEVER_ANSWERED)),
        ... ])
        >>> grid = table.grid("length", systems=["A"], cases=["1", "2"])
        >>> grid.values.tolist(), grid.known.tolist()
        ([[12.0, 0.0]], [[True, False]])
    """

    def __init__(self, frame: "pl.DataFrame") -> None:
        rows = frame.select(list(self.schema())).sort("source", *UNIT)
        runs = rows["source"].rle().struct.unnest()
        starts = np.cumsum([0, *runs["len"]]).tolist()
        self._own = {
            source: _slim(rows.slice(start, count))
            for start, (count, source) in zip(starts, runs.iter_rows(), strict=False)
        }
        self._axes: list[_Axes] = []

    @classmethod
    def _of(cls, own: "Mapping[str, pl.DataFrame]") -> "ScoreTable":
        """Make a table of rows that are in order, by source: none is moved or copied."""
        table = cls.__new__(cls)
        table._own = dict(sorted(own.items()))  # noqa: SLF001 - its own
        table._axes = []  # noqa: SLF001
        return table

    @property
    def frame(self) -> "pl.DataFrame":
        """Give all rows in one; of a large study `select` takes far less memory."""
        import polars as pl

        if not self._own:
            return pl.DataFrame(schema=self.schema())
        return pl.concat([self.select(source) for source in self._own])

    @staticmethod
    def schema() -> "dict[str, pl.DataType]":
        """Give the columns and their types."""
        import polars as pl

        return {
            "system": pl.String(),
            "case": pl.String(),
            "sample": pl.Int64(),
            "about": pl.String(),
            "source": pl.String(),
            "value": pl.Float64(),
            "reason": pl.String(),
            "detail": pl.String(),
            "parts": pl.List(pl.Float64()),
        }

    @classmethod
    def from_rows(cls, rows: Iterable[tuple[str, str, str, Score | Unscored]]) -> "ScoreTable":
        """Make a table of scores of whole answers from (system, case, source, score)."""
        return cls.from_units((Unit(*row[:2]), *row[2:]) for row in rows)

    @classmethod
    @checked
    def from_frame(
        cls,
        frame: object,
        source: str | None = None,
        *,
        across: Literal["source", "system"] | None = None,
        shown_as: str = "scores",
    ) -> "ScoreTable":
        """Check a frame of pandas or polars; messages count its rows from 1.

        A long frame has a row a score: system, case and value, and source where it is not given. In
        a wide one each column that is no column of a score is a source or a system, and a cell is
        the value there. An empty value without a reason is a score that was not given.

        Args:
            frame: A frame of pandas or polars, or a table that speaks Arrow. A named index of
                pandas is read as a column.
            source: What made the scores, such as a metric's name, where no column says it.
            across: What the other columns of a wide frame are; None for a long frame.
            shown_as: What messages call the frame.

        Raises:
            InvalidInput: With every problem of the frame, its row and its column.

        Example:
            >>> import polars as pl
            >>> frame = pl.DataFrame({"system": "A", "case": [1, 2], "bleu": [0.5, None]})
            >>> table = ScoreTable.from_frame(frame, across="source")
            >>> table.frame.select("case", "source", "value", "reason").rows()
            [('1', 'bleu', 0.5, None), ('2', 'bleu', None, 'not_imported')]
        """
        sheet = sheet_of_frame(frame, shown_as, _IDS)
        if across is None:
            if "value" not in sheet.columns:
                others = [name for name in sheet.columns if name not in {*_KNOWN, *_WHOLE}]
                lacking = "source" if "system" in sheet.columns else "system"
                refuse_wide(sheet, "value", others, lacking)
            return scores_from_sheet(sheet, source, whole=True)
        wide = Wide.of(sheet, across, (*_KNOWN, *_WHOLE), lambda _: "value", empty_too=True)
        with wide.said_of_cells():
            return scores_from_sheet(wide.long, source, whole=True)

    @classmethod
    def from_units(cls, rows: Iterable[tuple[Unit, str, Score | Unscored]]) -> "ScoreTable":
        """Make a table from (unit, source, score)."""
        import polars as pl

        listed = list(rows)
        schema = cls.schema()
        columns = [
            pl.Series(name, [unit[i] for unit, _, _ in listed], dtype=schema[name])
            for i, name in enumerate(UNIT)
        ]
        columns.append(pl.Series("source", [source for _, source, _ in listed], dtype=pl.String()))
        scores = ScoreColumns.of([score for *_, score in listed]).frame()
        return cls(scores.with_columns(columns))

    @classmethod
    def of_source(cls, source: str, pairs: "pl.DataFrame", scores: "pl.DataFrame") -> "ScoreTable":
        """Make a table of one source from its scores side by side with system and case.

        Args:
            source: The source's name.
            pairs: The columns system and case; sample and about where they are not 0 and empty.
                In order by them; then sources share these columns, and hold them once.
            scores: The columns value and parts, as many rows in the same order; reason and detail
                too where any has one.
        """
        if not pairs.height:
            return cls._of({})
        rows = pairs.hstack(scores.get_columns())
        keys = [name for name in UNIT if name in rows.columns]
        return cls._of({source: _slim(rows.sort(keys) if not _in_order(pairs, keys) else rows)})

    @classmethod
    def concat(cls, tables: Sequence["ScoreTable"]) -> "ScoreTable":
        """Put tables together; their sources are expected to differ."""
        if not tables:
            return cls.from_rows([])
        joined: dict[str, pl.DataFrame] = {}
        for table in tables:
            for source, rows in table._own.items():  # noqa: SLF001 - of its own class
                twice = source in joined
                joined[source] = cls._both(source, joined[source], rows) if twice else rows
        return cls._of(joined)

    @classmethod
    def _both(cls, source: str, *parts: "pl.DataFrame") -> "pl.DataFrame":
        """Join rows of one source, in order."""
        import polars as pl

        keys = list(UNIT)
        whole = [cls._of({source: part}).select(source) for part in parts]
        return _slim(pl.concat(whole).sort(keys))

    def __len__(self) -> int:
        """Count the rows."""
        return sum(rows.height for rows in self._own.values())

    def __repr__(self) -> str:
        """Say how much it holds, and of how many sources."""
        return frame_words("ScoreTable", self.frame, "source", "system", "case")

    def _repr_html_(self) -> str:
        return frame_html(repr(self), self.frame)

    def to_parquet(self) -> bytes:
        """Write the table as Parquet; the same scores give the same bytes."""
        import io

        import polars as pl

        out = io.BytesIO()
        own = self._own.values()
        default = [name for name in ("sample", "about") if not any(name in rows for rows in own)]
        # Source by source: put together, the rows of a large study would take gigabytes.
        frames = [self.select(source) for source in self._own] or [self.frame]
        parts = [frame.lazy().drop(default) for frame in frames]
        # Groups of a set size: else where they end would hang on how many threads there are.
        pl.concat(parts).sink_parquet(
            out, statistics=False, maintain_order=True, row_group_size=_ROW_GROUP
        )
        return out.getvalue()

    @property
    def sources(self) -> tuple[str, ...]:
        """List the sources, sorted."""
        return tuple(self._own)

    def select(self, source: str) -> "pl.DataFrame":
        """Give the rows of one source.

        Raises:
            UnknownName: The table has no such source.
        """
        import polars as pl

        rows, schema = self._rows(source), self.schema()
        same = {**DEFAULTS, "source": source}
        return rows.select(
            pl.col(name)
            if name in rows.columns
            else pl.lit(same.get(name), dtype=dtype).alias(name)
            for name, dtype in schema.items()
        )

    def _rows(self, source: str) -> "pl.DataFrame":
        """Give what is kept of a source's rows."""
        if source not in self._own:
            raise UnknownName("source of scores", source, self.sources)
        return self._own[source]

    def _axes_of(self, source: str) -> "_Axes":
        """Number the systems and cases of a source; sources of the same rows share the numbers."""
        rows = self._own[source]
        for axes in self._axes:
            if axes.system.equals(rows["system"]) and axes.case.equals(rows["case"]):
                return axes
        axes = _Axes(rows["system"], rows["case"], Axis(rows["system"]), Axis(rows["case"]))
        self._axes = [axes, *self._axes[: _MOST_AXES - 1]]
        return axes

    def _laid_out(
        self, source: str, systems: Sequence[str], cases: Sequence[str]
    ) -> tuple[NDArray[np.bool_], NDArray[np.int32], NDArray[np.int32]]:
        """Say which rows of a source have a value to lay out, and in which cells those go."""
        rows, axes = self._rows(source), self._axes_of(source)
        row, column = axes.systems.places(systems), axes.cases.places(cases)
        there = rows["value"].is_not_null().to_numpy() & (row >= 0) & (column >= 0)
        if "about" in rows.columns:
            there &= (rows["about"] == "").to_numpy()
        return there, row[there], column[there]

    def grid(
        self,
        source: str,
        systems: Sequence[str],
        cases: Sequence[str],
        asked: NDArray[np.bool_] | None = None,
    ) -> Grid:
        """Lay one source out as arrays; a pair that has no row is not known.

        Args:
            source: The source.
            systems: The rows.
            cases: The columns.
            asked: What was asked (`CasesPerSystem.mask`); everything if not given.
        """
        there, row, column = self._laid_out(source, systems, cases)
        values = np.zeros((len(systems), len(cases)))
        known = np.zeros((len(systems), len(cases)), dtype=np.bool_)
        scores = self._rows(source)["value"].to_numpy()[there]
        known[row, column] = True
        if "sample" in self._own[source].columns:
            count = np.zeros(values.shape)
            np.add.at(values, (row, column), scores)
            np.add.at(count, (row, column), 1.0)
            values[known] /= count[known]
        else:
            values[row, column] = scores
        return Grid(tuple(systems), tuple(cases), values, known, asked)

    def completed(self, pairs: Iterable[tuple[str, str]], missing: Unscored) -> "ScoreTable":
        """Give the same scores, and a reason wherever a source has no row for a system and case.

        Example:
            >>> table = ScoreTable.from_rows([("A", "1", "mine", Score(0.5))])
            >>> whole = table.completed([("A", "1"), ("A", "2")], Unscored(Reason.NOT_IMPORTED))
            >>> whole.frame.select("case", "value", "reason").rows()
            [('1', 0.5, None), ('2', None, 'not_imported')]
        """
        there = set(self.frame.select("source", "system", "case").iter_rows())
        wanted = list(pairs)
        added = [
            (*pair, source, missing)
            for source in self.sources
            for pair in wanted
            if (source, *pair) not in there
        ]
        return ScoreTable.concat([self, ScoreTable.from_rows(added)])

    def without_details(self) -> "ScoreTable":
        """Give the same scores and reasons without the words beside the reasons."""
        import polars as pl

        silent = pl.when(pl.col("detail").is_not_null()).then(pl.lit("")).alias("detail")
        return ScoreTable(self.frame.with_columns(silent))

    def parts(
        self, source: str, systems: Sequence[str], cases: Sequence[str]
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Lay out the parts that come with a source's scores, for pooling; samples add up.

        Returns:
            float64, shape (systems, cases, parts), 0 where nothing is known; and bool, shape
            (systems, cases), whether the score is known.

        Example:
            >>> table = ScoreTable.from_rows([("A", "1", "f1", Score(0.5, (1.0, 1.0, 1.0)))])
            >>> parts, known = table.parts("f1", ["A"], ["1", "2"])
            >>> parts.tolist(), known.tolist()
            ([[[1.0, 1.0, 1.0], [0.0, 0.0, 0.0]]], [[True, False]])
        """
        there, row, column = self._laid_out(source, systems, cases)
        rows = self._rows(source)
        lists = rows.drop_nulls("value")["parts"]
        size = int(lists.list.len().to_numpy().max(initial=0))
        parts = np.zeros((len(systems), len(cases), size))
        known = np.zeros((len(systems), len(cases)), dtype=np.bool_)
        if size:
            numbers = rows["parts"].filter(there).list.to_array(size)
            np.add.at(parts, (row, column), numbers.to_numpy())
        known[row, column] = True
        return parts, known

    def reasons(self, source: str) -> dict[Reason, int]:
        """Count the missing scores of one source by reason."""
        import polars as pl

        counted = (
            self.select(source)
            .filter(pl.col("reason").is_not_null())
            .group_by("reason")
            .len()
            .sort("reason")
        )
        return {Reason(reason): count for reason, count in counted.iter_rows()}


class Axis:
    """Where the rows of a table stand along a list of systems, or of cases.

    Example:
        >>> import polars as pl
        >>> Axis(pl.Series(["b", "a", "b"])).places(["a", "c", "b"]).tolist()
        [2, 0, 2]
        >>> Axis(pl.Series(["b", "a", "b"])).places(["a"]).tolist()
        [-1, 0, -1]
    """

    def __init__(self, column: "pl.Series") -> None:
        import polars as pl

        names = column.unique().sort()
        self._number = {name: i for i, name in enumerate(names.to_list())}
        self._numbers = column.cast(pl.Enum(names)).to_physical().to_numpy()
        self._latest: tuple[tuple[str, ...], NDArray[np.int32]] | None = None

    def places(self, names: Sequence[str]) -> NDArray[np.int32]:
        """Give for each row the place of its name in a list; -1 where the list lacks it.

        Asked for the same list again, as every source of a table is, it answers at once.
        """
        asked = tuple(names)
        if self._latest is None or self._latest[0] != asked:
            place = np.full(len(self._number), -1, dtype=np.int32)
            for i, name in enumerate(asked):
                number = self._number.get(name)
                if number is not None:
                    place[number] = i
            self._latest = asked, place[self._numbers]
        return self._latest[1]


@dataclass(frozen=True, slots=True)
class _Axes:
    """The systems and cases of some rows, numbered."""

    system: "pl.Series"
    case: "pl.Series"
    systems: Axis
    cases: Axis


def _slim(rows: "pl.DataFrame") -> "pl.DataFrame":
    """Leave out what every row of a source has in common: of 30 columns of scores, the most."""
    kept = without_defaults(rows).drop("source", strict=False)
    there = [name for name in _MAY_BE_LEFT_OUT if name in kept.columns]
    return kept.drop(name for name in there if kept[name].null_count() == kept.height)


def _in_order(pairs: "pl.DataFrame", keys: Sequence[str]) -> bool:
    """Say whether rows are in order by these columns."""
    columns = [pairs[name] for name in keys]
    later = columns[0] != columns[0]  # of no row is it known yet
    after = later.slice(1)
    for column in columns:
        before, here = column.slice(0, column.len() - 1), column.slice(1)
        if bool((~after & (here < before)).any()):
            return False
        after |= here > before
    return True


class ScoreColumns(NamedTuple):
    """Scores as four lists side by side: small to hold, and quick to hand to another process.

    Attributes:
        value: The values; None where there is a reason instead.
        reason: The reasons; None where there is a value.
        detail: The words beside the reasons; None where there is a value.
        parts: The parts of the values, not all of one length; empty where there is a reason.

    Example:
        >>> columns = ScoreColumns.of([Score(0.5, (1.0, 2.0)), Score(1.0)])
        >>> columns.value, columns.parts
        ([0.5, 1.0], [(1.0, 2.0), ()])
    """

    value: list[float | None]
    reason: list[str | None]
    detail: list[str | None]
    parts: list[tuple[float, ...]]

    @classmethod
    def of(cls, scores: Sequence[Score | Unscored]) -> "ScoreColumns":
        """Lay scores out, in their order."""
        return cls(
            [score.value if isinstance(score, Score) else None for score in scores],
            [str(score.reason) if isinstance(score, Unscored) else None for score in scores],
            [score.detail if isinstance(score, Unscored) else None for score in scores],
            [score.parts if isinstance(score, Score) else () for score in scores],
        )

    def frame(self) -> "pl.DataFrame":
        """Give the columns as a data frame.

        Example:
            >>> frame = ScoreColumns.of([Score(0.5, (1.0, 2.0)), Score(1.0)]).frame()
            >>> frame["value"].to_list(), frame["parts"].to_list()
            ([0.5, 1.0], [[1.0, 2.0], []])
        """
        import polars as pl

        return pl.DataFrame(
            {
                "value": pl.Series("value", self.value, dtype=pl.Float64()),
                "reason": pl.Series("reason", self.reason, dtype=pl.String()),
                "detail": pl.Series("detail", self.detail, dtype=pl.String()),
                "parts": _lists(self.parts),
            }
        )


def _lists(parts: Sequence[tuple[float, ...]]) -> "pl.Series":
    """Make a column of lists by way of one padded matrix, cut to each row's own length."""
    import polars as pl

    if not any(parts):
        return _empty_lists(len(parts))
    lengths = np.fromiter(map(len, parts), dtype=np.int64, count=len(parts))
    width = max(1, int(lengths.max(initial=0)))
    matrix = np.zeros((len(parts), width))
    for length in np.unique(lengths).tolist():
        rows = np.flatnonzero(lengths == length)
        if length and rows.size:
            matrix[rows, :length] = [parts[i] for i in rows.tolist()]
    padded = pl.Series("parts", matrix, dtype=pl.Array(pl.Float64(), width))
    frame = pl.DataFrame({"parts": padded, "length": lengths})
    cut = pl.col("parts").arr.to_list().list.head(pl.col("length"))
    return frame.select(cut)["parts"]


@lru_cache(maxsize=4)  # most metrics have no parts, and batches are of a few sizes
def _empty_lists(rows: int) -> "pl.Series":
    import polars as pl

    return pl.Series("parts", [[]], dtype=pl.List(pl.Float64())).new_from_index(0, rows)


def scores_from_sheet(
    sheet: Sheet, source: str | None = None, *, whole: bool = False
) -> ScoreTable:
    """Read a sheet of scores: system, case, value; optionally sample, source, reason, detail.

    An empty value without a reason is a score that is not in the file, and stays one. `sample` says
    which of a system's answers to the case it is of, from 0; the first where nothing is said.

    Args:
        sheet: One row a score.
        source: The metric's name, where the sheet has no column `source`.
        whole: Whether it may say as well what a score is about, and have the parts that it pools.

    Raises:
        InvalidInput: Every problem of the sheet, with row and column.

    Example:
        >>> sheet = Sheet("mine.csv", [2, 3], {"system": ["A", "A"], "case": ["1", "2"],
        ...                                    "value": ["0.5", None]})
        >>> table = scores_from_sheet(sheet, source="mine")
        >>> table.frame.select("case", "value", "reason").rows()
        [('1', 0.5, None), ('2', None, 'not_imported')]
    """
    table = _plain(sheet, source)
    if table is not None:
        return table
    problems: list[Problem] = []
    required = _REQUIRED if source else (*_REQUIRED, "source")
    known = (*_KNOWN, *_WHOLE) if whole else _KNOWN
    sheet = check_columns(sheet, known, required, problems)
    if not len(sheet):
        problems.append(Problem(sheet.file, "hold at least one score", "none"))
    rows: list[tuple[Unit, str, Score | Unscored]] = []
    seen: dict[tuple[Unit, str], int] = {}
    names: dict[str, str] = {}
    for number, cells in sheet.records():
        system, case = (_id(cells, column, sheet.file, number, problems) for column in _IDS)
        sample, about = _sample(cells, sheet.file, number, problems), str(cells.get("about", ""))
        unit = Unit(system, case, sample, about)
        written = str(cells.get("source", source or ""))
        of, before = names.get(written, ""), len(problems)
        if not of:
            of = _source(written, sheet.file, number, problems)
            names |= {written: of} if len(problems) == before else {}
        if (unit, of) in seen:
            got = f'"{system}" and "{case}" again, as in row {seen[unit, of]}'
            must = "hold one score for a system and case"
            hint = ""
            if "sample" not in sheet.columns:
                hint = "Of repeated answers, a column sample says which: 0, 1, 2 ..."
            problems.append(Problem(sheet.file, must, got, hint, number))
        seen.setdefault((unit, of), number)
        score = _score(cells, sheet.file, number, problems)
        if score is not None:
            rows.append((unit, of, score))
    if problems:
        raise InvalidInput(problems)
    return ScoreTable.from_units(rows)


def _plain(sheet: Sheet, source: str | None) -> ScoreTable | None:
    """Give columns of names and numbers as a table at once; None where a row has to be looked at.

    Example:
        >>> columns = {"system": ["A", "A"], "case": ["1", "2"], "value": [0.5, None]}
        >>> _plain(Sheet("mine.csv", [2, 3], columns), "mine").frame["reason"].to_list()
        [None, 'not_imported']
        >>> _plain(Sheet("mine.csv", [2, 3], columns | {"case": ["1", "1"]}), "mine") is None
        True
    """
    import polars as pl

    columns, rows = sheet.columns, len(sheet)
    if not source or not rows or not {*_REQUIRED} <= columns.keys() <= {*_REQUIRED, "source"}:
        return None
    if "source" in columns and set(columns["source"]) != {source}:
        return None
    names = [*columns["system"], *columns["case"]]
    if not set(map(type, names)) <= {str} or any(name != name.strip() or not name
                                                 for name in set(map(str, names))):  # fmt: skip
        return None
    values = columns["value"]
    if not set(map(type, values)) <= {float, type(None)} or str(Name.parse(source)) != source:
        return None
    if len(set(zip(columns["system"], columns["case"], strict=True))) < rows:
        return None
    frame = pl.DataFrame(
        {"system": columns["system"], "case": columns["case"], "value": values},
        schema_overrides={"value": pl.Float64()},
    ).with_columns(
        sample=pl.lit(0, pl.Int64()), about=pl.lit(""), source=pl.lit(source),
        reason=pl.when(pl.col("value").is_null()).then(pl.lit(str(Reason.NOT_IMPORTED))),
        detail=pl.when(pl.col("value").is_null()).then(pl.lit("")), parts=_empty_lists(rows),
    )  # fmt: skip
    return ScoreTable(frame) if frame["value"].is_finite().all() else None


def _sample(cells: dict[str, object], file: str, row: int, problems: list[Problem]) -> int:
    cell = cells.get("sample")
    whole = isinstance(cell, float) and cell.is_integer()  # pandas holds no whole number with holes
    text = "" if cell is None else f"{cell:.0f}" if whole else str(cell).strip()
    if not text or text.isdecimal():
        return int(text or 0)
    problems.append(Problem(file, "be a whole number from 0", f'"{text}"', "", row, "sample"))
    return 0


def _id(cells: dict[str, object], column: str, file: str, row: int, problems: list[Problem]) -> str:
    cell = cells.get(column)
    if isinstance(cell, str) and cell.strip():
        return cell.strip()
    if isinstance(cell, int) and not isinstance(cell, bool):
        return str(cell)
    got = "nothing" if cell is None or isinstance(cell, str) else repr(cell)
    hint = "" if got == "nothing" else "Ids are text, or whole numbers that become text."
    problems.append(Problem(file, "be text or a whole number", got, hint, row, column))
    return ""


def _source(written: str, file: str, row: int, problems: list[Problem]) -> str:
    """Give the source in its canonical form."""
    text = written.strip()
    try:
        return str(Name.parse(text))
    except InvalidInput as error:
        problems += [
            Problem(file, problem.must, problem.got, problem.try_, row, "source")
            for problem in error.problems
        ]
        return text


def _score(
    cells: dict[str, object], file: str, row: int, problems: list[Problem]
) -> Score | Unscored | None:
    raw, reason = cells.get("value"), str(cells.get("reason") or "").strip()
    if raw is None:
        try:
            return Unscored(Reason(reason or "not_imported"), str(cells.get("detail") or ""))
        except ValueError:
            known = [str(code) for code in Reason]
            must, hint = f"be one of {', '.join(known)}", nearest(reason, known)
            problems.append(Problem(file, must, f'"{reason}"', hint, row, "reason"))
            return None
    if reason:
        must = "have a value or a reason, not both"
        problems.append(Problem(file, must, "both", "", row, "reason"))
        return None
    try:
        value = float(str(raw).strip())
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        hint = number_hint(str(raw)) or "Leave the cell empty where there is no score."
        problems.append(Problem(file, "be a finite number", f'"{raw}"', hint, row, "value"))
        return None
    return Score(value, _parts(cells, file, row, problems))


def _parts(
    cells: dict[str, object], file: str, row: int, problems: list[Problem]
) -> tuple[float, ...]:
    parts = cells.get("parts", [])
    if isinstance(parts, list) and all(
        isinstance(part, int | float) and math.isfinite(part) for part in parts
    ):
        return tuple(map(float, parts))
    problems.append(Problem(file, "be a list of finite numbers", f'"{parts}"', "", row, "parts"))
    return ()

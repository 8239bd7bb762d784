"""The score table: what metrics measured and what raters jointly say, in one shape."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from medassay.errors import UnknownName
from medassay.scores.axis import Axis
from medassay.scores.columns import ScoreColumns
from medassay.scores.score import Reason, Score, Unscored
from medassay.scores.unit import DEFAULTS, UNIT, Unit, without_defaults
from medassay.surface import Brief, frame_html, frame_words

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Grid", "ScoreTable"]


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


class ScoreTable:
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
            asked: What was asked (`Asked.mask`); everything if not given.
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


@dataclass(frozen=True, slots=True)
class _Axes:
    """The systems and cases of some rows, numbered."""

    system: "pl.Series"
    case: "pl.Series"
    systems: Axis
    cases: Axis


_MOST_AXES: Final = 4
_ROW_GROUP: Final = 262_144
_MAY_BE_LEFT_OUT: Final = ("reason", "detail")


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

"""What raters said, one row a judgement."""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeVar, cast

from medassay.api_checks import checked, frame_html, frame_words
from medassay.errors import InvalidInput, Problem, nearest
from medassay.judgements.rows import (
    COUNTED,
    PHASES,
    RATER_KINDS,
    REASONS,
    earliest_first,
    first_display,
    frame_to_csv,
    last_of_phases,
    latest,
    refuse_twice,
    refuse_two_kinds,
    without_empty,
)
from medassay.judgements.rubric import Rubric
from medassay.scores import UNIT, without_defaults
from medassay.tables import (
    Framed,
    Sheet,
    Wide,
    read_sheet,
    refuse_wide,
    same_when_folded,
    sheet_of_frame,
)

if TYPE_CHECKING:
    import polars as pl

_IDS: Final = ("rater", "system", "case", "dimension")
_OPTIONAL: Final = (
    "rater_kind", "reason", "phase", "position", "time", "seconds", "comment", "sample", "about",
    "number", "kind", "severity", "confidence", "display", "guess", "probabilities", "rationale",
    "carried", "language",
)  # fmt: skip
_NEWER: Final = _OPTIONAL[9:]
"""Columns that are left out on writing where no row fills them."""
_KEY: Final = ("dimension", *UNIT, "rater", "phase")
_KEPT_ROWS: Final = 100_000
"""Judgements of which each layout is kept: a few megabytes; a dozen questions share each."""
Made = TypeVar("Made")


class Judgements(Framed):
    """The judgements of one study and the rubric they follow. Append-only.

    Columns: rater, rater_kind (person, model), system, case, sample, about, dimension, label XOR
    number XOR kind (with severity, of a span) XOR reason (cannot_judge, not_applicable; of a model
    off_menu, refused, cut_off, failed), as the dimension asks, phase (calibration, main, repeat,
    adjudication), position (in the order that the rater saw), time (UTC), seconds, comment,
    confidence (a word, or 0 to 1), display (how the answer was shown), guess (whose answer the
    rater takes it for), probabilities (JSON, label to probability) and rationale, both of model
    judges, carried (yes: the rater's label of the same document beside another system's answer),
    language (in which the labels were shown to the rater).

    A later row for the same rater, system, case, sample, about, dimension, phase and display
    corrects an earlier one; the earlier one stays as history. Later means: by `time` where all
    these rows have one, else (and at equal times) in the order of the file. Apart from that the
    order of rows means nothing: they are kept sorted by dimension, system, case, sample, about,
    rater, phase.

    Args:
        frame: Rows that have been checked; use `read`, `from_frame`, `from_rows` or
            `from_sheet` for others.
        rubric: What the labels mean.
        counts: The phases whose labels count where nobody asks for others.

    Example:
        >>> from medassay.judgements import load_rubric
        >>> rows = [
        ...     {"rater": "r1", "system": "A", "case": "1", "dimension": "quality", "label": "4"},
        ...     {"rater": "r1", "system": "A", "case": "1", "dimension": "quality", "label": "5"},
        ... ]
        >>> judgements = Judgements.from_rows(rows, load_rubric("likert5"))
        >>> len(judgements), judgements.current()["label"].to_list()
        (2, ['5'])
    """

    def __init__(
        self, frame: "pl.DataFrame", rubric: Rubric, counts: tuple[str, ...] = COUNTED
    ) -> None:
        self.counts = counts
        self.frame = earliest_first(frame.select(list(self.schema())), _KEY)
        self.rubric = rubric
        self._made: dict[Hashable, object] = {}

    def __repr__(self) -> str:
        """Say how much it holds."""
        return frame_words("Judgements", self.frame, "dimension", "rater", "system", "case")

    def _repr_html_(self) -> str:
        return frame_html(repr(self), self.frame)

    @staticmethod
    def schema() -> "dict[str, pl.DataType]":
        """Give the columns and their types."""
        import polars as pl

        return {
            "rater": pl.String(),
            "rater_kind": pl.String(),
            "system": pl.String(),
            "case": pl.String(),
            "sample": pl.Int64(),
            "about": pl.String(),
            "dimension": pl.String(),
            "label": pl.String(),
            "number": pl.Float64(),
            "kind": pl.String(),
            "severity": pl.String(),
            "reason": pl.String(),
            "phase": pl.String(),
            "position": pl.Int64(),
            "time": pl.Datetime("us", "UTC"),
            "seconds": pl.Float64(),
            "comment": pl.String(),
            "confidence": pl.String(),
            "display": pl.String(),
            "guess": pl.String(),
            "probabilities": pl.String(),
            "rationale": pl.String(),
            "carried": pl.String(),
            "language": pl.String(),
        }

    @classmethod
    def read(cls, path: Path, rubric: Rubric, shown_as: str | None = None) -> "Judgements":
        """Read a CSV, JSONL or Parquet file.

        Raises:
            InvalidInput: With every problem of the file.
        """
        return cls.from_sheet(read_sheet(path, shown_as), rubric)

    @classmethod
    def from_rows(
        cls,
        rows: Iterable[Mapping[str, object]],
        rubric: Rubric,
        shown_as: str = "judgements",
    ) -> "Judgements":
        """Check rows that are already in memory; messages count them from 1.

        Raises:
            InvalidInput: With every problem of the rows.
        """
        return cls.from_sheet(Sheet.of_records(rows, shown_as, _required(rubric, ())), rubric)

    @classmethod
    @checked
    def from_frame(
        cls,
        frame: object,
        rubric: Rubric,
        *,
        across: Literal["dimension", "rater", "system"] | None = None,
        shown_as: str = "judgements",
    ) -> "Judgements":
        """Check a frame of pandas or polars; messages count its rows from 1.

        A long frame has a row a judgement, with the columns above. In a wide one each column that
        is none of those is a dimension, a rater or a system, and a cell is the label there; an
        empty cell is nothing said. Where the rubric has one dimension the column may be left out.

        Args:
            frame: A frame of pandas or polars, or a table that speaks Arrow. A named index of
                pandas is read as a column.
            rubric: What the labels mean.
            across: What the other columns of a wide frame are; None for a long frame.
            shown_as: What messages call the frame.

        Raises:
            InvalidInput: With every problem of the frame, its row and its column; or a rater judged
                one thing twice, and not every row of it has a time.

        Example:
            >>> import polars as pl
            >>> from medassay.judgements import load_rubric
            >>> frame = pl.DataFrame({"system": "A", "case": [1, 2], "anna": [4, 5], "ben": [4, 3]})
            >>> judgements = Judgements.from_frame(frame, load_rubric("likert5"), across="rater")
            >>> judgements.frame.select("rater", "case", "dimension", "label").row(0)
            ('anna', '1', 'quality', '4')
        """
        sheet = sheet_of_frame(frame, shown_as, _IDS)
        known = (*_IDS, "label", *_OPTIONAL)
        if across is None:
            _refuse_wide(sheet, rubric, known)
            return cls._once_each(_with_the_dimension(sheet, rubric), rubric)
        if across == "dimension":
            _refuse_other_dimensions(sheet, rubric, known)
        else:
            sheet = _with_the_dimension(sheet, rubric)
        wide = Wide.of(sheet, across, known, lambda row: _column_of(row, rubric))
        with wide.said_of_cells():
            return cls._once_each(wide.long, rubric)

    @classmethod
    def _once_each(cls, sheet: Sheet, rubric: Rubric) -> "Judgements":
        frame = cls.checked(sheet, rubric)
        refuse_twice(frame, _KEY, sheet)
        return cls(frame, rubric)

    @classmethod
    def from_sheet(cls, sheet: Sheet, rubric: Rubric) -> "Judgements":
        """Check a sheet: required are rater, system, case, dimension and what the rubric asks.

        That is a label, a number, or the kind of a span.

        Raises:
            InvalidInput: With every problem of the sheet.
        """
        return cls(cls.checked(sheet, rubric), rubric)

    @staticmethod
    def checked(sheet: Sheet, rubric: Rubric) -> "pl.DataFrame":
        """Check a sheet as `from_sheet` does, and keep its rows in their order.

        Raises:
            InvalidInput: With every problem of the sheet.
        """
        import polars as pl

        from medassay.judgements.answer_columns import AnswerColumns
        from medassay.judgements.intake import Intake

        required = _required(rubric, sheet.columns)
        optional = ("label", *_OPTIONAL)
        intake = Intake(sheet, required, [name for name in optional if name not in required])
        if not len(sheet):
            intake.finish()
            return pl.DataFrame(schema=Judgements.schema())
        ids = [intake.ids(name) for name in _IDS]
        ids[3] = intake.like(ids[3], rubric.ids)
        answers = AnswerColumns(intake, rubric, ids[3])
        frame = pl.DataFrame(
            [
                *ids,
                *answers.rated(intake.closed("reason", REASONS)),
                intake.closed("rater_kind", RATER_KINDS, "person"),
                intake.closed("phase", PHASES, "main"),
                intake.whole("position"),
                intake.time("time"),
                intake.number("seconds"),
                intake.comment("comment"),
                intake.whole("sample").fill_null(0),
                answers.confidence(),
                intake.text("display"),
                intake.text("guess"),
                answers.probabilities(),
                intake.comment("rationale"),
                intake.closed("carried", ("yes",)),
                intake.text("language"),
            ]
        )
        refuse_two_kinds(intake, frame)
        intake.finish()
        return frame.select(list(Judgements.schema()))

    def __len__(self) -> int:
        """Count the rows, corrected ones included."""
        return int(self.frame.height)

    def current(self) -> "pl.DataFrame":
        """Give what holds now: of each rater, answer, display, dimension and phase the last row."""
        return self._current

    @cached_property
    def _current(self) -> "pl.DataFrame":
        return latest(self.frame, _KEY)

    @property
    def corrected(self) -> int:
        """Count the rows that a later row corrects."""
        return len(self) - int(self._current.height)

    def counting(self, phases: tuple[str, ...]) -> "Judgements":
        """Say which phases count; `phases_that_count` gives them."""
        if phases == self.counts:
            return self
        return Judgements(self.frame, self.rubric, phases)

    @property
    def counted(self) -> "pl.DataFrame":
        """Give what holds now in the phases that count."""
        import polars as pl

        return self.current().filter(pl.col("phase").is_in(self.counts))

    def in_phases(self, phases: Sequence[str] | None = None) -> "pl.DataFrame":
        """Give what holds now in these phases, one row a dimension, answer and rater.

        Without phases it is those that count that are read.
        Where one rater judged one answer in several of the phases, the phase named last counts; of
        two arms of display the one that the rater met first.

        Raises:
            InvalidInput: A phase is not known, or none is named.
        """
        read = self.counts if phases is None else phases
        return self.once(
            ("in_phases", *read),
            lambda: last_of_phases(first_display(self.current(), _KEY), read, _KEY[:-1]),
        )

    def once(self, key: Hashable, make: "Callable[[], Made]") -> "Made":
        """Make something of these judgements that many ask for; large ones are made each time."""
        if len(self) > _KEPT_ROWS:
            return make()
        if key not in self._made:
            self._made[key] = make()
        return cast("Made", self._made[key])

    def of_rows(self, frame: "pl.DataFrame") -> "Judgements":
        """Give judgements of the same rubric, of which the same phases count."""
        return Judgements(frame, self.rubric, self.counts)

    def without_raters(self, raters: Iterable[str]) -> "Judgements":
        """Leave out everything that these raters said."""
        import polars as pl

        rows = self.frame.filter(~pl.col("rater").is_in(list(raters)))
        return self.of_rows(rows)

    def without(self, raters_of: Mapping[str, Iterable[str]]) -> "Judgements":
        """Leave out what some raters said on some dimensions: dimension to raters."""
        import polars as pl

        rows = self.frame
        for dimension, raters in raters_of.items():
            gone = (pl.col("dimension") == dimension) & pl.col("rater").is_in(list(raters))
            rows = rows.filter(~gone)
        return self.of_rows(rows)

    def append(self, later: "Judgements") -> "Judgements":
        """Add rows that came later; where a time is missing, or equal, they correct these."""
        import polars as pl

        if not len(self) and (self.rubric, self.counts) == (later.rubric, later.counts):
            return later  # in order already
        return self.of_rows(pl.concat([self.frame, later.frame]) if len(self) else later.frame)

    def to_csv(self) -> bytes:
        """Write all rows as CSV; reading it back gives the same table.

        Columns that say nothing beyond their default in any row are left out.
        """
        return frame_to_csv(without_empty(without_defaults(self.frame), _NEWER))


def _with_the_dimension(sheet: Sheet, rubric: Rubric) -> Sheet:
    """Name the dimension of every row where there is but one."""
    if len(rubric.ids) != 1 or "dimension" in sheet.columns:
        return sheet
    return replace(sheet, columns={**sheet.columns, "dimension": [rubric.ids[0]] * len(sheet)})


def _refuse_wide(sheet: Sheet, rubric: Rubric, known: Collection[str]) -> None:
    """Say what to type where a frame without a column of labels has one a rater, or a dimension."""
    others = [name for name in sheet.columns if name not in known]
    if not others or any(name in sheet.columns for name in ("label", "number", "kind")):
        return
    dimensions = same_when_folded(others, rubric.ids).keys() | {*others} & {*rubric.ids}
    lacking = next((name for name in ("rater", "system") if name not in sheet.columns), "dimension")
    across = "dimension" if dimensions else lacking
    if across == "dimension" and not dimensions and len(rubric.ids) == 1:
        return  # what is lacking is a label, and its column may be misspelt
    refuse_wide(sheet, "label", others, across)


def _column_of(row: Mapping[str, object], rubric: Rubric) -> str:
    """Say in which column of a long table stands what was said on a row's dimension."""
    named = str(row.get("dimension"))
    dimension = same_when_folded({named}, rubric.ids).get(named, named)
    return rubric.dimension(dimension).column if dimension in rubric.ids else "label"


def _refuse_other_dimensions(sheet: Sheet, rubric: Rubric, known: Collection[str]) -> None:
    """Refuse columns of a wide frame that are neither known nor a dimension, each once."""
    others = [name for name in sheet.columns if name not in {*known, *rubric.ids}]
    alike = same_when_folded(others, rubric.ids)
    must = f"be a dimension ({', '.join(rubric.ids)}) or a known column"
    problems = [
        Problem(
            sheet.file, must, f'"{name}"',
            nearest(name, [*rubric.ids, *known]) or "Leave the column out of the frame.",
            column=name,
        )
        for name in others
        if name not in alike
    ]  # fmt: skip
    if problems:
        raise InvalidInput(problems)


def _required(rubric: Rubric, columns: Collection[str]) -> tuple[str, ...]:
    """Name the columns that must be there: one that holds what was said, and the ids."""
    in_use = list(dict.fromkeys(dimension.column for dimension in rubric.dimensions))
    there = len(in_use) > 1 and any(name in columns for name in in_use)
    return _IDS if there else (*_IDS, in_use[0])

"""What raters said, one row a judgement."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from medassay.errors import nearest
from medassay.judgements.about import About
from medassay.judgements.rows import (
    PHASES,
    RATER_KINDS,
    REASONS,
    earliest_first,
    frame_to_csv,
    last_of_phases,
    refuse_both_or_neither,
    refuse_two_kinds,
)
from medassay.judgements.rubric import Rubric
from medassay.scores import UNIT, without_defaults
from medassay.surface import frame_html, frame_words
from medassay.tables import Sheet, read_sheet, same_when_folded

if TYPE_CHECKING:
    import polars as pl

    from medassay.judgements.intake import Intake

__all__ = ["Judgements"]

_REQUIRED: Final = ("rater", "system", "case", "dimension", "label")
_OPTIONAL: Final = (
    "rater_kind", "reason", "phase", "position", "time", "seconds", "comment", "sample", "about",
)  # fmt: skip
_KEY: Final = ("dimension", *UNIT, "rater", "phase")


class Judgements:
    """The judgements of one study and the rubric they follow. Append-only.

    Columns: rater, rater_kind (person, model), system, case, dimension, label XOR reason
    (cannot_judge, not_applicable), phase (calibration, main, repeat, adjudication), position (in
    the order that the rater saw), time (UTC), seconds, comment.

    A later row for the same rater, system, case, dimension and phase corrects an earlier one; the
    earlier one stays as history. Later means: by `time` where all these rows have one, else (and at
    equal times) in the order of the file. Apart from that the order of rows means nothing: they are
    kept sorted by dimension, system, case, rater, phase.

    Args:
        frame: Rows that have been checked; use `read`, `from_sheet` or `from_rows` for others.
        rubric: What the labels mean.

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

    def __init__(self, frame: "pl.DataFrame", rubric: Rubric) -> None:
        self.frame = earliest_first(frame.select(list(self.schema())), _KEY)
        self.rubric = rubric

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
            "reason": pl.String(),
            "phase": pl.String(),
            "position": pl.Int64(),
            "time": pl.Datetime("us", "UTC"),
            "seconds": pl.Float64(),
            "comment": pl.String(),
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
        records = list(rows)
        names = dict.fromkeys(name for record in records for name in record) or _REQUIRED
        columns = {name: [record.get(name) for record in records] for name in names}
        return cls.from_sheet(Sheet(shown_as, list(range(1, len(records) + 1)), columns), rubric)

    @classmethod
    def from_sheet(cls, sheet: Sheet, rubric: Rubric) -> "Judgements":
        """Check a sheet: required are rater, system, case, dimension and label.

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

        from medassay.judgements.intake import Intake

        intake = Intake(sheet, _REQUIRED, _OPTIONAL)
        ids = [intake.ids(name) for name in ("rater", "system", "case", "dimension")]
        ids[3] = intake.like(ids[3], rubric.ids)
        label = intake.text("label")
        reason = intake.closed("reason", REASONS)
        frame = pl.DataFrame(
            [
                *ids,
                _canonical_labels(intake, rubric, ids[3], label),
                reason,
                intake.closed("rater_kind", RATER_KINDS, "person"),
                intake.closed("phase", PHASES, "main"),
                intake.whole("position"),
                intake.time("time"),
                intake.number("seconds"),
                intake.comment("comment"),
                intake.whole("sample").fill_null(0),
                intake.text("about").fill_null(""),
            ]
        )
        _refuse_wrong_about(intake, rubric, frame)
        if "label" in sheet.columns:
            refuse_both_or_neither(intake, label, reason)
        refuse_two_kinds(intake, frame)
        intake.finish()
        return frame.select(list(Judgements.schema()))

    def __len__(self) -> int:
        """Count the rows, corrected ones included."""
        return int(self.frame.height)

    def current(self) -> "pl.DataFrame":
        """Give what holds now: of each rater, answer, dimension and phase the latest row."""
        return self._current

    @cached_property
    def _current(self) -> "pl.DataFrame":
        return self.frame.unique(_KEY, keep="last", maintain_order=True)

    @property
    def corrected(self) -> int:
        """Count the rows that a later row corrects."""
        return len(self) - int(self._current.height)

    def in_phases(self, phases: Sequence[str]) -> "pl.DataFrame":
        """Give what holds now in these phases, one row a dimension, answer and rater.

        Where one rater judged one answer in several of the phases, the phase named last counts.

        Raises:
            InvalidInput: A phase is not known, or none is named.
        """
        return last_of_phases(self.current(), phases, _KEY[:-1])

    def without_raters(self, raters: Iterable[str]) -> "Judgements":
        """Leave out everything that these raters said."""
        import polars as pl

        return Judgements(self.frame.filter(~pl.col("rater").is_in(list(raters))), self.rubric)

    def without(self, raters_of: Mapping[str, Iterable[str]]) -> "Judgements":
        """Leave out what some raters said on some dimensions: dimension to raters."""
        import polars as pl

        kept = self.frame
        for dimension, raters in raters_of.items():
            gone = (pl.col("dimension") == dimension) & pl.col("rater").is_in(list(raters))
            kept = kept.filter(~gone)
        return Judgements(kept, self.rubric)

    def append(self, later: "Judgements") -> "Judgements":
        """Add rows that came later; where a time is missing, or equal, they correct these."""
        import polars as pl

        return Judgements(pl.concat([self.frame, later.frame]), self.rubric)

    def to_csv(self) -> bytes:
        """Write all rows as CSV; reading it back gives the same table.

        Columns that say nothing beyond their default in any row are left out.
        """
        return frame_to_csv(without_defaults(self.frame))


def _refuse_wrong_about(intake: "Intake", rubric: Rubric, frame: "pl.DataFrame") -> None:
    """Refuse rows that are about something else than their dimension asks."""
    import polars as pl

    asked = {dimension.id: dimension.about for dimension in rubric.dimensions}
    known = pl.col("dimension").is_in(list(asked))
    pairs = frame.filter(known).select("dimension", "about").unique()
    wrong = [
        (dimension, about)
        for dimension, about in pairs.iter_rows()
        if (read := About.read(about)) is None or read.kind != asked[dimension]
    ]
    for dimension, about in sorted(wrong):
        bad = (frame["dimension"] == dimension) & (frame["about"] == about)
        must = About.must(asked[dimension])
        got = f'"{about}"' if about else "an empty cell"
        intake.refuse(bad.fill_null(value=False), "about", must, got)


def _canonical_labels(
    intake: "Intake", rubric: Rubric, dimension: "pl.Series", label: "pl.Series"
) -> "pl.Series":
    """Map aliases to labels; refuse what is outside the rubric, with the nearest label."""
    import polars as pl

    frame = pl.DataFrame([dimension, _as_written(rubric, dimension, label)])
    known = dimension.is_in(rubric.ids).fill_null(value=False)
    strange = dimension.is_not_null() & ~known
    for row in strange.arg_true().to_list():
        must = f"be a dimension of {rubric.name}: {', '.join(rubric.ids)}"
        intake.refuse_one(
            row, "dimension", must, dimension[row], nearest(dimension[row], rubric.ids)
        )
    words = pl.DataFrame(
        [
            (this_dimension.id, word, canonical)
            for this_dimension in rubric.dimensions
            for word, canonical in this_dimension.words.items()
        ],
        schema=["dimension", "label", "canonical"],
        orient="row",
    )
    canonical = frame.join(words, on=["dimension", "label"], how="left", maintain_order="left")
    outside = label.is_not_null() & canonical["canonical"].is_null() & known
    for row in outside.arg_true().to_list():
        one = rubric.dimension(dimension[row])
        hint = nearest(label[row], one.words)
        if label[row] in REASONS:
            hint = "It is a reason: put it in the column reason and leave the label empty."
        must = f"be one of {', '.join(one.names)}"
        intake.refuse_one(row, "label", must, label[row], hint)
    return canonical["canonical"].alias("label")


def _as_written(rubric: Rubric, dimension: "pl.Series", label: "pl.Series") -> "pl.Series":
    """Give labels that only look like one of the rubric's as the rubric writes them."""
    import polars as pl

    pairs = pl.DataFrame([dimension, label]).unique().drop_nulls()
    strange = [
        (this_dimension.id, word, meant)
        for this_dimension in rubric.dimensions
        for word, meant in same_when_folded(
            pairs.filter(dimension=this_dimension.id).filter(
                ~pl.col("label").is_in(list(this_dimension.words))
            )["label"],
            this_dimension.words,
        ).items()
    ]
    if not strange:
        return label
    meant = pl.DataFrame(strange, schema=["dimension", "label", "meant"], orient="row")
    frame = pl.DataFrame([dimension, label])
    joined = frame.join(meant, on=["dimension", "label"], how="left", maintain_order="left")
    return joined.select(pl.coalesce("meant", "label").alias("label")).to_series()

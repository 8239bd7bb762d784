"""What raters preferred, one row a comparison of two answers."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from medassay.api_checks import checked, frame_html, frame_words
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
    refuse_both_or_neither,
    refuse_twice,
    refuse_two_kinds,
    without_empty,
)
from medassay.tables import Framed, Sheet, Wide, read_sheet, sheet_of_frame

if TYPE_CHECKING:
    import polars as pl

CHOICES: Final = ("a", "b", "tie")

_REQUIRED: Final = ("rater", "case", "system_a", "system_b", "choice")
_OPTIONAL: Final = (
    "dimension",
    "rater_kind",
    "reason",
    "phase",
    "position",
    "time",
    "seconds",
    "comment",
    "confidence",
    "display",
    "probabilities",
    "rationale",
    "language",
)
_NEWER: Final = _OPTIONAL[8:]
"""Columns that are left out on writing where no row fills them."""
_NUMBER: Final = r"^[+-]?[\d.]"
"""How a confidence begins that is meant as a number."""
_KEY: Final = ("dimension", "case", "first", "second", "rater", "phase")


class Preferences(Framed):
    """Which of two answers raters preferred. Append-only, with the rules of `Judgements`.

    Columns: rater, rater_kind, case, system_a, system_b (as shown: the order is kept), dimension
    ("overall" where the file has none), choice (a, b, tie) XOR reason, phase, position, time,
    seconds, comment, confidence (0 to 1, or a word), display (how both answers were shown),
    probabilities (JSON of a, b and tie) and rationale, both of model judges, language (in which
    the choice was shown to the rater). A later row of the same rater on the same pair of systems in
    the same display, in whichever order it was shown, corrects an earlier one.

    Args:
        frame: Rows that have been checked; use `read`, `from_frame`, `from_rows` or
            `from_sheet` for others.
        counts: The phases whose choices count where nobody asks for others.

    Example:
        >>> preferences = Preferences.from_rows([
        ...     {"rater": "r1", "case": "1", "system_a": "B", "system_b": "A", "choice": "A"},
        ... ])
        >>> preferences.current().select("first", "second", "winner").rows()
        [('A', 'B', 'B')]
    """

    def __init__(self, frame: "pl.DataFrame", counts: tuple[str, ...] = COUNTED) -> None:
        self._paired = earliest_first(_in_one_order(frame.select(list(self.schema()))), _KEY)
        self.counts = counts

    def __repr__(self) -> str:
        """Say how much it holds."""
        return frame_words("Preferences", self.frame, "rater", "case")

    def _repr_html_(self) -> str:
        return frame_html(repr(self), self.frame)

    @staticmethod
    def schema() -> "dict[str, pl.DataType]":
        """Give the columns and their types."""
        import polars as pl

        return {
            "rater": pl.String(),
            "rater_kind": pl.String(),
            "case": pl.String(),
            "system_a": pl.String(),
            "system_b": pl.String(),
            "dimension": pl.String(),
            "choice": pl.String(),
            "reason": pl.String(),
            "phase": pl.String(),
            "position": pl.Int64(),
            "time": pl.Datetime("us", "UTC"),
            "seconds": pl.Float64(),
            "comment": pl.String(),
            "confidence": pl.String(),
            "display": pl.String(),
            "probabilities": pl.String(),
            "rationale": pl.String(),
            "language": pl.String(),
        }

    @classmethod
    def read(cls, path: Path, shown_as: str | None = None) -> "Preferences":
        """Read a CSV, JSONL or Parquet file.

        Raises:
            InvalidInput: With every problem of the file.
        """
        return cls.from_sheet(read_sheet(path, shown_as))

    @classmethod
    def from_rows(
        cls, rows: Iterable[Mapping[str, object]], shown_as: str = "preferences"
    ) -> "Preferences":
        """Check rows that are already in memory; messages count them from 1.

        Raises:
            InvalidInput: With every problem of the rows.
        """
        return cls.from_sheet(Sheet.of_records(rows, shown_as, _REQUIRED))

    @classmethod
    @checked
    def from_frame(
        cls,
        frame: object,
        *,
        across: Literal["rater", "dimension"] | None = None,
        shown_as: str = "preferences",
    ) -> "Preferences":
        """Check a frame of pandas or polars; messages count its rows from 1.

        A long frame has a row a comparison, with the columns above. In a wide one each column that
        is none of those is a rater or a dimension, and a cell is the choice there; an empty cell is
        nothing said.

        Args:
            frame: A frame of pandas or polars, or a table that speaks Arrow. A named index of
                pandas is read as a column.
            across: What the other columns of a wide frame are; None for a long frame.
            shown_as: What messages call the frame.

        Raises:
            InvalidInput: With every problem of the frame, its row and its column.

        Example:
            >>> import polars as pl
            >>> frame = pl.DataFrame({"case": [1, 2], "system_a": "A", "system_b": "B",
            ...                       "anna": ["a", "tie"], "ben": ["b", None]})
            >>> len(Preferences.from_frame(frame, across="rater"))
            3
        """
        ids = (*_REQUIRED[:4], "dimension")
        sheet = sheet_of_frame(frame, shown_as, ids)
        if across is None:
            return cls._once_each(sheet)
        wide = Wide.of(sheet, across, (*_REQUIRED, *_OPTIONAL), lambda _: "choice")
        with wide.said_of_cells():
            return cls._once_each(wide.long)

    @classmethod
    def _once_each(cls, sheet: Sheet) -> "Preferences":
        frame = cls.checked(sheet)
        refuse_twice(_in_one_order(frame), _KEY, sheet)
        return cls(frame)

    @classmethod
    def from_sheet(cls, sheet: Sheet) -> "Preferences":
        """Check a sheet: required are rater, case, system_a, system_b and choice.

        Raises:
            InvalidInput: With every problem of the sheet.
        """
        return cls(cls.checked(sheet))

    @staticmethod
    def checked(sheet: Sheet) -> "pl.DataFrame":
        """Check a sheet as `from_sheet` does, and keep its rows in their order.

        Raises:
            InvalidInput: With every problem of the sheet.
        """
        import polars as pl

        from medassay.judgements.intake import Intake, read_probabilities

        intake = Intake(sheet, _REQUIRED, _OPTIONAL)
        if not len(sheet):
            intake.finish()
            return pl.DataFrame(schema=Preferences.schema())
        ids = [intake.ids(name) for name in ("rater", "case", "system_a", "system_b")]
        choice = intake.closed("choice", CHOICES, fold=True)
        reason = intake.closed("reason", REASONS)
        confidence = intake.text_of("confidence")
        numbers = confidence.str.contains(_NUMBER).fill_null(value=False)
        every = pl.repeat(value=True, n=len(sheet), eager=True)
        choices = {name: name for name in CHOICES}
        likely = read_probabilities(intake, "probabilities", every, choices)
        frame = pl.DataFrame(
            [
                *ids,
                choice,
                reason,
                intake.text("dimension").fill_null("overall"),
                intake.closed("rater_kind", RATER_KINDS, "person"),
                intake.closed("phase", PHASES, "main"),
                intake.whole("position"),
                intake.time("time"),
                intake.number("seconds"),
                intake.comment("comment"),
                intake.share("confidence", confidence, numbers),
                intake.text("display"),
                pl.Series("probabilities", likely, dtype=pl.String),
                intake.comment("rationale"),
                intake.text("language"),
            ]
        )
        intake.refuse(ids[2] == ids[3], "system_b", "be another system than system_a", ids[3])
        if "choice" in sheet.columns:
            refuse_both_or_neither(intake, choice, reason)
        refuse_two_kinds(intake, frame)
        intake.finish()
        return frame.select(list(Preferences.schema()))

    @cached_property
    def frame(self) -> "pl.DataFrame":
        """All rows, sorted by dimension, case, pair, rater and phase."""
        return self._paired.drop("first", "second")

    def __len__(self) -> int:
        """Count the rows, corrected ones included."""
        return int(self._paired.height)

    def current(self) -> "pl.DataFrame":
        """Give what holds now, with three columns more.

        first and second are the two systems in alphabetical order; winner is the system preferred,
        null at a tie or where there is a reason instead of a choice.
        """
        import polars as pl

        chosen = pl.when(pl.col("choice") == "a").then("system_a")
        return latest(self._paired, _KEY).with_columns(
            winner=chosen.when(pl.col("choice") == "b").then("system_b").otherwise(None)
        )

    def counting(self, phases: tuple[str, ...]) -> "Preferences":
        """Say which phases count; `phases_that_count` gives them."""
        if phases == self.counts:
            return self
        return Preferences(self.frame, phases)

    @property
    def counted(self) -> "pl.DataFrame":
        """Give what holds now in the phases that count."""
        import polars as pl

        return self.current().filter(pl.col("phase").is_in(self.counts))

    def in_phases(self, phases: Sequence[str] | None = None) -> "pl.DataFrame":
        """Give what holds now in these phases, one row a dimension, pair and rater.

        Without phases it is those that count that are read.
        Where one rater judged one pair in several of the phases, the phase named last counts; of
        two arms of display the one that the rater met first.

        Raises:
            InvalidInput: A phase is not known, or none is named.
        """
        read = self.counts if phases is None else phases
        return last_of_phases(first_display(self.current(), _KEY), read, _KEY[:-1])

    def of_rows(self, frame: "pl.DataFrame") -> "Preferences":
        """Give preferences of which the same phases count."""
        return Preferences(frame, self.counts)

    def without_raters(self, raters: Iterable[str]) -> "Preferences":
        """Leave out everything that these raters said."""
        import polars as pl

        return self.of_rows(self.frame.filter(~pl.col("rater").is_in(list(raters))))

    def append(self, later: "Preferences") -> "Preferences":
        """Add rows that came later; where a time is missing, or equal, they correct these."""
        import polars as pl

        return self.of_rows(pl.concat([self.frame, later.frame]))

    def to_csv(self) -> bytes:
        """Write all rows as CSV; reading it back gives the same table."""
        return frame_to_csv(without_empty(self.frame, _NEWER))


def _in_one_order(frame: "pl.DataFrame") -> "pl.DataFrame":
    """Name the two systems of a pair in one order, whichever was shown first."""
    import polars as pl

    return frame.with_columns(
        first=pl.min_horizontal("system_a", "system_b"),
        second=pl.max_horizontal("system_a", "system_b"),
    )

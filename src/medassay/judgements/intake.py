"""Take a sheet in, column by column, and collect everything that is wrong with it."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from math import isfinite
from typing import Final, TypeGuard

import polars as pl

from medassay.errors import InvalidInput, Problem, nearest
from medassay.tables import (
    MOST_NAMED,
    Sheet,
    hidden_signs,
    holds_halves,
    json_bytes,
    json_fault,
    listed,
    number_hint,
    parse_strictly,
    same_when_folded,
    unguarded,
    without_halves,
)

_LONGEST_QUOTE = 200
_MOMENT = pl.Datetime("us", "UTC")
_SLACK: Final = 0.01
"""How far from 1 rounded probabilities may add up."""
_EXAMPLE: Final = 'Such as {"yes": 0.8, "no": 0.2}.'


class Intake:
    """Typed columns out of a sheet's cells; the problems wait until all have been found.

    Args:
        sheet: The cells.
        required: Columns that must be there.
        optional: Columns that may be.
    """

    def __init__(self, sheet: Sheet, required: Sequence[str], optional: Sequence[str]) -> None:
        self.sheet = sheet
        self._columns = [*required, *optional]
        self._found: list[tuple[int, int, Problem]] = []
        lacking = [name for name in required if name not in sheet.columns]
        unknown = [name for name in sheet.columns if name not in self._columns]
        must = f"be one of the columns {', '.join(self._columns)}"
        for name in unknown[:MOST_NAMED]:
            hint = nearest(name, lacking) or nearest(name, self._columns)
            self._note(None, name, must, f'"{name}"', hint)
        if unknown[MOST_NAMED:]:
            more = f"{len(unknown) - MOST_NAMED:,} more that are not"
            self._note(None, None, f"have columns among {', '.join(self._columns)}", more)
        suggested = [problem.try_ for *_, problem in self._found]
        for name in required:
            if name not in sheet.columns and not any(f'"{name}"' in hint for hint in suggested):
                got = listed([*sheet.columns]) or "no columns"
                self._note(None, name, "be there as a column", got)

    def text(self, name: str) -> pl.Series:
        """Read words: blanks around them are dropped, whole numbers become their digits."""
        if name not in self.sheet.columns:
            return self._constant(name, None)
        cells = self._cells(name)
        if not set(map(type, cells)) <= {str, type(None)}:
            cells = [self._word(row, name, cell) for row, cell in enumerate(cells)]
        return self._words(name, cells)

    def comment(self, name: str) -> pl.Series:
        """Read a rater's words; the sign that keeps them from running as a formula is taken off."""
        words = self.text(name)
        if not self.sheet.empty_is_none or name not in self.sheet.columns:
            return words
        return pl.Series(
            name, [None if word is None else unguarded(word) for word in words], dtype=pl.String
        )

    def ids(self, name: str) -> pl.Series:
        """Read ids: as text, and none may be empty or hold a sign that nobody sees."""
        words = self.text(name)
        if name not in self.sheet.columns:
            return words
        self.refuse(words.is_null(), name, "be filled", "an empty cell")
        hints = {word: hidden_signs(word) for word in words.drop_nulls().unique().to_list()}
        hidden = [word for word, hint in hints.items() if hint]
        for row in words.is_in(hidden).fill_null(value=False).arg_true() if hidden else ():
            self.refuse_one(row, name, "be a name on one line", words[row], hints[words[row]])
        return words

    def closed(
        self, name: str, known: Sequence[str], default: str | None = None, *, fold: bool = False
    ) -> pl.Series:
        """Read words of a closed list; an empty cell means the default."""
        if name not in self.sheet.columns:
            return self._constant(name, default)
        words = self.like(self.text(name), known)
        if fold:
            words = words.str.to_lowercase()
        strange = words.is_not_null() & ~words.is_in(known)
        for row in strange.arg_true().to_list():
            must = f"be one of {', '.join(known)}"
            self.refuse_one(row, name, must, words[row], nearest(words[row], known))
        return words if default is None else words.fill_null(default)

    @staticmethod
    def like(words: pl.Series, known: Sequence[str]) -> pl.Series:
        """Give words that only look like a known one as that one; the others as they are."""
        strange = {word for word in words.drop_nulls().unique().to_list() if word not in known}
        named = same_when_folded(strange, known)
        return words.replace(named) if named else words

    def number(self, name: str) -> pl.Series:
        """Read numbers that are not negative."""
        return self._numbers(name, pl.Float64, "be a number, 0 or more")

    def real(self, name: str) -> pl.Series:
        """Read numbers, negative ones too."""
        return self._numbers(name, pl.Float64, "be a number", negative=True)

    def share(self, name: str, words: pl.Series, rows: pl.Series) -> pl.Series:
        """Hold the words of some rows to numbers from 0 to 1, and write those in one way."""
        if not rows.any():
            return words.alias(name)
        numbers = words.cast(pl.Float64, strict=False)
        wrong = rows & ~numbers.is_between(0, 1).fill_null(value=False)
        for row in wrong.arg_true().to_list():
            hint = number_hint(words[row])
            self.refuse_one(row, name, "be a number from 0 to 1", words[row], hint)
        shorter = numbers.map_elements(_as_written, return_dtype=pl.String)
        return pl.select(pl.when(rows).then(shorter).otherwise(words)).to_series().alias(name)

    def objects(self, name: str) -> pl.Series:
        """Read JSON objects, as text or as such."""
        if name not in self.sheet.columns:
            return self._constant(name, None)
        cells = [
            json_bytes(cell, compact=True).decode() if isinstance(cell, dict) else cell
            for cell in self._cells(name)
        ]
        return self._words(name, [None if cell is None else str(cell) for cell in cells])

    def whole(self, name: str) -> pl.Series:
        """Read whole numbers that are not negative."""
        return self._numbers(name, pl.Int64, "be a whole number, 0 or more", r"\.0+$")

    def time(self, name: str) -> pl.Series:
        """Read moments in ISO 8601; one without an offset is taken as UTC."""
        if name not in self.sheet.columns:
            return self._constant(name, None, _MOMENT)
        words = self.text_of(name)
        moments = {word: _moment(word) for word in words.drop_nulls().unique().to_list()}
        wrong = words.is_in([word for word, moment in moments.items() if moment is None])
        self.refuse(wrong, name, "be a moment such as 2025-01-31T14:05:00Z", words)
        return words.replace_strict(
            list(moments), list(moments.values()), default=None, return_dtype=_MOMENT
        )

    def refuse(
        self, bad: pl.Series, name: str, must: str, got: str | pl.Series, try_: str = ""
    ) -> None:
        """Note a problem at every row where `bad` is true."""
        for row in bad.arg_true().to_list():
            self._note(row, name, must, got if isinstance(got, str) else f'"{got[row]}"', try_)

    def refuse_one(self, row: int, name: str, must: str, got: str, try_: str = "") -> None:
        """Note a problem with what one row holds."""
        self._note(row, name, must, f'"{got}"', try_)

    def refuse_rows(self, first: int, name: str, must: str, got: str, try_: str) -> None:
        """Note in one problem what several rows hold, at the first of them."""
        self._note(first, name, must, got, try_)

    def finish(self) -> None:
        """Raise everything that was found, in the order of the rows.

        Raises:
            InvalidInput: There was at least one problem.
        """
        if self._found:
            in_order = sorted(self._found, key=lambda item: item[:2])
            raise InvalidInput(problem for *_, problem in in_order)

    def _cells(self, name: str) -> list[object]:
        return self.sheet.columns.get(name, [None] * len(self.sheet))

    def _note(self, row: int | None, name: str | None, must: str, got: str, try_: str = "") -> None:
        number = self.sheet.header if row is None else self.sheet.rows[row]
        place = self._columns.index(name) if name in self._columns else -1
        shown = got if len(got) <= _LONGEST_QUOTE else f'{got[:_LONGEST_QUOTE]}…"'
        problem = Problem(self.sheet.file, must, shown, try_, row=number, column=name)
        self._found.append((-1 if row is None else row, place, problem))

    def _word(self, row: int, name: str, cell: object) -> str | None:
        if cell is None or isinstance(cell, str):
            return cell
        if isinstance(cell, int) and not isinstance(cell, bool):
            return str(cell)
        # A table with holes, saved by a tool that knows no whole numbers with holes, holds 2.0.
        if isinstance(cell, float) and cell.is_integer() and name in {"label", "choice"}:
            return str(int(cell))
        self._note(row, name, "be text", repr(cell))
        return None

    def _numbers(
        self,
        name: str,
        dtype: type[pl.Int64 | pl.Float64],
        must: str,
        ends: str = "^$",
        *,
        negative: bool = False,
    ) -> pl.Series:
        if name not in self.sheet.columns:
            return self._constant(name, None, dtype)
        words = self.text_of(name)
        numbers = words.str.replace(ends, "").cast(dtype, strict=False)
        right = numbers.cast(pl.Float64).is_finite().fill_null(value=False)
        if not negative:
            right &= (numbers >= 0).fill_null(value=False)
        for row in (words.is_not_null() & ~right).arg_true().to_list():
            self.refuse_one(row, name, must, words[row], number_hint(words[row]))
        return numbers

    def text_of(self, name: str) -> pl.Series:
        """Give cells of any kind as a table would write them."""
        if name not in self.sheet.columns:
            return self._constant(name, None)
        cells = self._cells(name)
        if not set(map(type, cells)) <= {str, type(None)}:
            cells = [None if cell is None else _as_written(cell) for cell in cells]
        return self._words(name, cells)

    def _words(self, name: str, cells: Sequence[object]) -> pl.Series:
        try:
            words = pl.Series(name, cells, dtype=pl.String)
        except UnicodeEncodeError:  # of rows that were made in Python: no file can hold it
            for row, cell in enumerate(cells):
                if isinstance(cell, str) and holds_halves(cell):
                    got = without_halves(cell)
                    hint = "It holds half of a surrogate pair, which is none."
                    self.refuse_one(row, name, "hold whole characters", got, hint)
            shown = [without_halves(cell) if isinstance(cell, str) else None for cell in cells]
            words = pl.Series(name, shown, dtype=pl.String)
        # One pass: polars takes longer to begin than to go through a table of a few hundred rows.
        return words.to_frame().select(pl.all().str.strip_chars().replace("", None)).to_series()

    def _constant(
        self,
        name: str,
        value: str | None,
        dtype: pl.DataType | type[pl.DataType] = pl.String,
    ) -> pl.Series:
        """Give the cells of a column that the sheet does not have: most of what is optional."""
        return pl.Series(name, [value], dtype=dtype).new_from_index(0, len(self.sheet))


def _moment(word: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(word)
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def _as_written(cell: object) -> str:
    """Write a cell as a table would: a whole number without its fraction."""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell)


def read_probabilities(
    intake: "Intake", name: str, rows: pl.Series, words: Mapping[str, str]
) -> list[str | None]:
    """Read how likely each label is: of these rows, written in one way; None for other rows.

    A label that is not named has a probability of 0.

    Args:
        intake: The sheet, and where problems go.
        name: The column.
        rows: Which rows to read.
        words: Every accepted word, to its label, in the labels' order.
    """
    cells = intake.objects(name)
    read: list[str | None] = [None] * len(cells)
    known: dict[str, str | tuple[str, str, str]] = {}
    for row in (rows & cells.is_not_null()).arg_true().to_list():
        text = cells[row]
        if text not in known:
            known[text] = _canonical(text, words)
        outcome = known[text]
        if isinstance(outcome, str):
            read[row] = outcome
        else:
            must, got, hint = outcome
            intake.refuse_one(row, name, must, got, hint)
    return read


def _canonical(text: str, words: Mapping[str, str]) -> str | tuple[str, str, str]:
    """Write the object in one way, or say what must be, what was got and what to try."""
    labels = list(dict.fromkeys(words.values()))
    try:
        value = parse_strictly(text)
    except (ValueError, RecursionError) as error:
        return "be JSON from label to probability", json_fault(error), _EXAMPLE
    if not isinstance(value, dict) or not value:
        return "be JSON from label to probability", text, _EXAMPLE
    fault = _fault(value, words, labels)
    if fault is not None:
        return fault
    of = {words[word]: share for word, share in value.items()}
    return json_bytes(of, compact=True).decode().strip()


def _fault(
    value: Mapping[str, object], words: Mapping[str, str], labels: Sequence[str]
) -> tuple[str, str, str] | None:
    strange = [word for word in value if word not in words]
    if strange:
        return f"name labels: {', '.join(labels)}", strange[0], nearest(strange[0], words)
    if len({words[word] for word in value}) < len(value):
        return "name each label once", ", ".join(value), ""
    shares = [share for share in value.values() if _is_probability(share)]
    if len(shares) < len(value):
        bad = next(share for share in value.values() if not _is_probability(share))
        return "hold probabilities from 0 to 1", str(bad), ""
    total = sum(shares)
    return (
        ("hold probabilities that add up to 1", f"{total:g}", "")
        if abs(total - 1) > _SLACK
        else None
    )


def _is_probability(value: object) -> TypeGuard[float]:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return isfinite(value) and 0 <= value <= 1

"""Rows of one file that say something of the same answer twice."""

from collections.abc import Sequence
from itertools import compress
from typing import TYPE_CHECKING, Final

from medassay.errors import InvalidInput, Problem
from medassay.judgements import SAID
from medassay.tables import Sheet
from medassay.text import count_of

if TYPE_CHECKING:
    import polars as pl

__all__ = ["refuse_contradictions", "said_once"]

_MOST: Final = 20
_HINT: Final = (
    "Keep one of them. A correction needs its time in the column time, or comes in a later file."
)


def said_once(
    frame: "pl.DataFrame", sheet: Sheet, key: Sequence[str]
) -> tuple["pl.DataFrame", list[int], list[str]]:
    """Keep one of rows that repeat, word for word, what the file said last of the same answer.

    Args:
        frame: The rows, in the order of the sheet.
        sheet: Where they stood.
        key: What makes two rows be about the same thing.

    Returns:
        The rows that are kept, where in the sheet each stands, and a note for each other row.
    """
    import polars as pl

    if frame.select(key).n_unique() == frame.height:
        return frame, list(range(frame.height)), []
    places = [frame.columns.index(name) for name in key]
    last: dict[tuple[object, ...], tuple[int, tuple[object, ...]]] = {}
    rows_kept: list[int] = []
    twice: list[tuple[int, int]] = []
    for place, cells in enumerate(frame.rows()):
        about = tuple(cells[i] for i in places)
        earlier = last.get(about)
        if earlier is not None and earlier[1] == cells:
            twice.append((place, earlier[0]))
            continue
        last[about] = (place, cells)
        rows_kept.append(place)
    notes = [
        str(
            Problem(
                sheet.file, "stand once", f"the same as in row {sheet.rows[first]}",
                "It counts once.", sheet.rows[again],
            )
        )
        for again, first in twice[:_MOST]
    ]  # fmt: skip
    if twice[_MOST:]:
        more = f"{count_of(len(twice) - _MOST, 'row')} more, the same as an earlier one"
        notes.append(str(Problem(sheet.file, "say each thing once", more, "Each counts once.")))
    return frame[pl.Series(rows_kept, dtype=pl.UInt32)], rows_kept, notes


def refuse_contradictions(
    frame: "pl.DataFrame", rows: Sequence[int], file: str, key: Sequence[str]
) -> None:
    """Refuse rows that say two things of one answer, where nothing tells which came later.

    Args:
        frame: The rows that are new, in the order of the file.
        rows: The row of each, as a spreadsheet numbers it.
        file: What messages call the file.
        key: What makes two rows be about the same thing; the position is added to it.

    Raises:
        InvalidInput: With every such row.
    """
    again = frame.select(*key, "position").is_duplicated()
    rows, frame = list(compress(rows, again)), frame.filter(again)
    first: dict[tuple[object, ...], tuple[int, dict[str, object]]] = {}
    times: dict[tuple[object, ...], set[object]] = {}
    problems = []
    columns = [name for name in SAID if name in frame.columns]
    for row, cells in zip(rows, frame.iter_rows(named=True), strict=True):
        about = tuple(cells[name] for name in (*key, "position"))
        at, there = first.setdefault(about, (row, cells))
        told_apart = cells["time"] is not None and cells["time"] not in times.get(about, set())
        times.setdefault(about, set()).add(cells["time"])
        now, before = ([values[name] for name in columns] for values in (cells, there))
        if at == row or now == before:
            continue
        if told_apart and None not in times[about]:
            continue
        must = f"say what row {at} says of the same answer"
        got = f"{_quoted(now)}, not {_quoted(before)}"
        by_column = zip(columns, now, before, strict=True)
        column = next(name for name, *both in by_column if both != [None, None])
        problems.append(Problem(file, must, got, _HINT, row, column))
    if problems:
        raise InvalidInput(problems)


def _quoted(values: Sequence[object]) -> str:
    words = (
        f"{value:g}" if isinstance(value, float) else str(value)
        for value in values
        if value is not None
    )
    return f'"{", ".join(words)}"'

"""What rows of judgements and of preferences have in common, and labels that no dimension has."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from medassay.errors import InvalidInput, Problem
from medassay.tables import csv_bytes, guarded
from medassay.text import count_of

if TYPE_CHECKING:
    import polars as pl

    from medassay.judgements.intake import Intake

__all__ = [
    "MANY",
    "NO_VERDICT",
    "OWN_WORDS",
    "PHASES",
    "RATER_KINDS",
    "REASONS",
    "SAID",
    "earliest_first",
    "first_display",
    "frame_to_csv",
    "last_of_phases",
    "latest",
    "off_scale",
    "phases_that_count",
    "refuse_both_or_neither",
    "refuse_two_kinds",
    "without_empty",
]

RATER_KINDS: Final = ("person", "model")
NO_VERDICT: Final = ("off_menu", "refused", "cut_off", "failed")
"""How a model that was asked gave no verdict: nothing of what was offered, a refusal, half a reply,
or none at all. Never a verdict, and never the rater's own `cannot_judge`."""
_OWN_REASONS: Final = ("cannot_judge", "not_applicable")
REASONS: Final = (*_OWN_REASONS, *NO_VERDICT)
OWN_WORDS: Final = ("comment", "rationale")
"""What raters wrote in words of their own."""
SAID: Final = ("label", "number", "kind", "severity", "choice", "reason")
"""What a judgement or a preference says, or why it says nothing."""
COUNTED: Final = ("main",)
"""The phases that count where nobody says that calibration does."""
PHASES: Final = ("calibration", "main", "repeat", "adjudication")
MANY: Final = 4
"""From so many rows on, one line says it of all of them."""
_FIRST: Final = 3
_SHOWN: Final = 4


def earliest_first(frame: "pl.DataFrame", key: Sequence[str]) -> "pl.DataFrame":
    """Sort by key, and the rows of one key by time where all of them have one.

    Where one lacks a time the order of the rows decides, so that a correction typed into the end of
    a file is never taken for something older.
    """
    import polars as pl

    if frame["time"].null_count() in {0, frame.height}:
        return frame.sort(*key, "time", maintain_order=True)
    timed = pl.col("time").is_not_null().all().over(key)
    return frame.sort(*key, pl.when(timed).then("time"), maintain_order=True)


def latest(sorted_rows: "pl.DataFrame", key: Sequence[str]) -> "pl.DataFrame":
    """Keep the last row of each key, and of each arm of display in which it was judged."""
    arms = ["display"] if sorted_rows["display"].is_not_null().any() else []
    return sorted_rows.unique([*key, *arms], keep="last", maintain_order=True)


def first_display(current: "pl.DataFrame", key: Sequence[str]) -> "pl.DataFrame":
    """Keep one row of each key: of the same thing in two arms of display the one met first.

    The second time a rater knows what they saw before. First means: by `position`, else in the
    order of the rows.
    """
    if current["display"].is_null().all():
        return current
    met = current.sort(*key, "position", nulls_last=True, maintain_order=True)
    return met.unique(key, keep="first", maintain_order=True)


def frame_to_csv(frame: "pl.DataFrame") -> bytes:
    """Write a frame as CSV with moments in ISO 8601 and no comment that could run as a formula."""
    import polars as pl

    moments = pl.col("time").dt.strftime("%Y-%m-%dT%H:%M:%S%.fZ")
    own = [name for name in OWN_WORDS if name in frame.columns]
    safe = {name: {c: guarded(c) for c in frame[name].unique().drop_nulls()} for name in own}
    written = [
        pl.col(name).replace({c: to for c, to in safe[name].items() if c != to}) for name in own
    ]
    whole = frame.with_columns(moments, *written)
    if _is_plain(whole):
        return whole.write_csv().encode()  # the same bytes at a tenth of the time
    return csv_bytes(whole.columns, _Rows(whole))


def _is_plain(frame: "pl.DataFrame") -> bool:
    """Say whether polars and the csv module write the same: words, none of them empty, and counts.

    They write fractions, empty words and lone carriage returns in ways of their own.
    """
    import polars as pl

    if frame.width <= 1 or frame.is_empty():
        return False
    words = [name for name, kind in frame.schema.items() if kind == pl.String]
    others = frame.drop(words)
    if any(not kind.is_integer() and others[n].count() for n, kind in others.schema.items()):
        return False
    odd = [(pl.col(name) == "") | pl.col(name).str.contains("\r", literal=True) for name in words]
    return not frame.select(pl.any_horizontal(*odd).any()).item()


class _Rows:
    """The rows of a frame, to be gone through again and again without being held."""

    def __init__(self, frame: "pl.DataFrame") -> None:
        self._frame = frame

    def __iter__(self) -> Iterator[tuple[object, ...]]:
        return self._frame.iter_rows()


def without_empty(frame: "pl.DataFrame", columns: Sequence[str]) -> "pl.DataFrame":
    """Leave out those of the columns that no row fills."""
    return frame.drop(
        name for name in columns if name in frame.columns and frame[name].is_null().all()
    )


def refuse_both_or_neither(
    intake: "Intake", series: "pl.Series", reason: "pl.Series", rows: "pl.Series | None" = None
) -> None:
    """Refuse rows that hold both a label (a number, a choice) and a reason, or none of them.

    Args:
        intake: Where problems go.
        series: What was said, as written.
        reason: Why nothing was said.
        rows: Which rows are meant; all if not given.
    """
    what = series.name
    hint = f"Leave one of them empty: a reason says why there is no {what}."
    both = series.is_not_null() & reason.is_not_null()
    both = both if rows is None else both & rows
    intake.refuse(both, what, f"hold a {what} or a reason, not both", series, hint)
    neither = series.is_null() & reason.is_null()
    neither = neither if rows is None else neither & rows
    hint = f"Say why in the column reason: {' or '.join(_OWN_REASONS)}."
    intake.refuse(neither, what, f"hold a {what} or a reason", "neither", hint)


def refuse_two_kinds(intake: "Intake", frame: "pl.DataFrame") -> None:
    """Refuse a rater who is a person in one row and a model in another."""
    import polars as pl

    first = pl.col("rater_kind").first().over("rater")
    changes = frame.select(pl.col("rater_kind") != first).to_series() & frame["rater"].is_not_null()
    intake.refuse(changes, "rater_kind", "be the same in every row of a rater", frame["rater_kind"])


def phases_that_count(*, calibration: bool) -> tuple[str, ...]:
    """Give the phases whose labels count in a study: one rule for every number and every export.

    An answer judged again is read for agreement with oneself alone, and adjudication settles what
    raters differ on: both stand beside what counts.

    Example:
        >>> phases_that_count(calibration=True), phases_that_count(calibration=False)
        (('calibration', 'main'), ('main',))
    """
    return ("calibration", *COUNTED) if calibration else COUNTED


def last_of_phases(
    current: "pl.DataFrame", phases: Sequence[str], key: Sequence[str]
) -> "pl.DataFrame":
    """Keep the rows of these phases; of each key only the row of the phase named last.

    Raises:
        InvalidInput: A phase is not known, or none is named.
    """
    import polars as pl

    strange = [phase for phase in phases if phase not in PHASES]
    if strange or not phases:
        must = f"be some of {', '.join(PHASES)}"
        raise InvalidInput(Problem("phases", must, ", ".join(strange) or "none"))
    order = {phase: i for i, phase in enumerate(phases)}
    rows = current.filter(pl.col("phase").is_in(list(phases)))
    turn = pl.col("phase").replace_strict(order, return_dtype=pl.Int64)
    rows = rows.sort(*key, turn, maintain_order=True)
    return rows.unique(key, keep="last", maintain_order=True)


def off_scale(
    said: Sequence[str], rows: Sequence[int], dimension: str, labels: Sequence[str], who: str = ""
) -> tuple[str, str]:
    """Say what stands there in place of labels, and what may have happened.

    Args:
        said: What stands there, row by row.
        rows: The rows.
        dimension: What was rated.
        labels: The labels that there are, in their order.
        who: Who said it, where the file does not say.

    Returns:
        What was found, and what to try.

    Example:
        >>> found, hint = off_scale(["7", "10", "9", "7"], [2, 3, 5, 8], "accuracy", "15", "anna")
        >>> print(found)
        values up to 10 of anna on 4 rows (2, 3, 5 ...)
        >>> print(hint)
        accuracy goes from 1 to 5: was it another scale? Then give the rubric that raters had, or \
bring the values to this one first.
        >>> off_scale(["good", "bad", "good", "bad"], [2, 3, 4, 5], "safety", ["1", "2"])[0]
        '"good", "bad" on 4 rows (2, 3, 4 ...)'
    """
    values = [_number(word) for word in said]
    scale = [_number(label) for label in labels]
    numbers = [value for value in values if value is not None]
    ends = [value for value in scale if value is not None]
    first = ", ".join(map(str, rows[:_FIRST]))
    where = f"on {count_of(len(rows), 'row')} ({first}{' ...' if rows[_FIRST:] else ''})"
    of = f" of {who}" if who else ""
    if ends and len(ends) == len(scale) and len(numbers) == len(values):
        high = max(numbers) > max(ends)
        end = f"up to {max(numbers):g}" if high else f"down to {min(numbers):g}"
        between = min(ends) <= min(numbers) and not high
        found = "values between the labels" if between else f"values {end}"
        scaled = f"{dimension} goes from {min(ends):g} to {max(ends):g}: was it another scale?"
    else:
        words = list(dict.fromkeys(f'"{word}"' for word in said))
        more = f" and {len(words) - _SHOWN} more" if words[_SHOWN:] else ""
        found = ", ".join(words[:_SHOWN]) + more
        scaled = f"Are these the labels of another rubric than the one in use for {dimension}?"
    hint = "Then give the rubric that raters had, or bring the values to this one first."
    return f"{found}{of} {where}", f"{scaled} {hint}"


def _number(word: str) -> float | None:
    try:
        return float(word.replace(",", "."))
    except ValueError:
        return None

"""What the functions share that users call from Python.

What enters: arguments as somebody typed them, and results. What leaves: one clear error where an
argument cannot be used, in place of a traceback from deep inside; and a result in a few lines.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, wraps
from html import escape
from inspect import Parameter, Signature, signature
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Final,
    Literal,
    ParamSpec,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import numpy as np
import numpy.typing as npt
from typing_extensions import TypeAliasType

from medassay.annotations import Brief, brief
from medassay.errors import InvalidInput, Problem, nearest

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "ArrayLike",
    "Brief",
    "Draws",
    "Level",
    "SeedNumber",
    "brief",
    "checked",
    "frame_html",
    "frame_words",
    "plainly_signed",
    "readable",
    "refuse_others",
    "table_text",
]

_P = ParamSpec("_P")
_R = TypeVar("_R")
_K = TypeVar("_K")
_LONGEST_QUOTE = 60
_MOST_ROWS: Final = 16
_WIDE: Final = 100
_LONGEST_CELL: Final = 40


@dataclass(frozen=True)
class _Range:
    """Which numbers an argument may be, and how that is said."""

    low: float
    high: float
    words: str
    hint: str


# Signatures show these by their names: what they stand for would fill the screen.
ArrayLike = TypeAliasType("ArrayLike", npt.ArrayLike)
"""Numbers, as a list, an array or whatever numpy makes one of."""


Level = TypeAliasType(
    "Level", Annotated[float, _Range(0, 1, "lie between 0 and 1", "Write 0.95 for 95%.")]
)
"""A nominal coverage."""


SeedNumber = TypeAliasType(
    "SeedNumber", Annotated[int, _Range(-1, float("inf"), "be 0 or more", "0 will do.")]
)
"""A seed."""


Draws = TypeAliasType(
    "Draws", Annotated[int, _Range(0, float("inf"), "be 1 or more", "1000 are usual.")]
)
"""How often something is drawn."""


def checked(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Refuse arguments of a kind that the function does not take, before it begins.

    What it takes is read off its annotations: classes, unions, `Literal`, sequences of names (one
    name alone would be read letter by letter), arrays of numbers, `Level` and `Draws`. `rng` is
    held to its own rule (`stats.as_generator`).

    Raises:
        InvalidInput: Every argument that is of another kind, by its name.

    Example:
        >>> @checked
        ... def shout(words: Sequence[str], level: Level = 0.95) -> str:
        ...     return " ".join(words).upper()
        >>> shout(["fluency"])
        'FLUENCY'
        >>> shout("fluency", level=95)
        Traceback (most recent call last):
        medassay.errors.InvalidInput: words: must be a list of names; got "fluency". \
Write ["fluency"].
        level: must lie between 0 and 1; got 95. Write 0.95 for 95%.
    """

    @wraps(function)
    def call(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        taken, hints = _takes(function)
        arguments = taken.bind(*args, **kwargs).arguments
        problems = [
            problem
            for name, value in arguments.items()
            if name in hints and (problem := _problem(name, value, hints[name])) is not None
        ]
        if problems:
            raise InvalidInput(problems)
        return function(*args, **kwargs)

    call.__signature__ = readable(signature(function))  # type: ignore[attr-defined]  # of inspect
    return call


def plainly_signed(kind: type[_K]) -> type[_K]:
    """Give a class a signature that is read at a glance."""
    kind.__signature__ = readable(signature(kind))  # type: ignore[attr-defined]  # of inspect
    return kind


class ReadableHint:
    """An annotation as a signature shows it: in the words of this module, without modules."""

    def __init__(self, hint: object) -> None:
        self._words = type_words(hint)

    def __repr__(self) -> str:
        """Print the words alone: `inspect` prints what stands here."""
        return self._words


def readable(called: Signature) -> Signature:
    """Give a signature whose annotations are read at a glance.

    Example:
        >>> def mean(values: ArrayLike, level: Level = 0.95) -> npt.NDArray[np.float64]: ...
        >>> str(readable(signature(mean)))
        '(values: ArrayLike, level: Level = 0.95) -> NDArray[float64]'
    """
    parameters = [
        each.replace(annotation=_readable(each.annotation), default=_readable_default(each.default))
        for each in called.parameters.values()
    ]
    return called.replace(
        parameters=parameters, return_annotation=_readable(called.return_annotation)
    )


def _readable(hint: object) -> object:
    return hint if hint is Parameter.empty else ReadableHint(hint)


def _readable_default(default: object) -> object:
    """Give a default as it is, and three dots for one that prints its address or its maker."""
    printed = "" if default is Parameter.empty else repr(default)
    return ReadableHint("...") if printed.startswith("<") or " at 0x" in printed else default


def type_words(hint: object) -> str:
    """Say a type in a few words.

    Example:
        >>> type_words(Sequence[str] | None), type_words(Annotated[str, "of a case"] | Draws)
        ('Sequence[str] | None', 'str | Draws')
    """
    origin, inside = get_origin(hint), get_args(hint)
    if isinstance(hint, str):
        words = hint.replace("pl.", "").replace("pd.", "")
    elif hint is None or hint is NoneType:
        words = "None"
    elif hint is Ellipsis:
        words = "..."
    elif isinstance(hint, list):
        words = f"[{', '.join(map(type_words, hint))}]"
    elif origin is Annotated:
        words = type_words(inside[0])
    elif origin in {Union, UnionType}:
        words = " | ".join(map(type_words, inside))
    elif origin is Literal:
        words = f"Literal[{', '.join(map(repr, inside))}]"
    elif origin is np.ndarray:
        words = f"NDArray[{type_words(get_args(inside[1])[0])}]"
    else:
        name = str(getattr(origin or hint, "__name__", hint)).lstrip("_")
        words = f"{name}[{', '.join(map(type_words, inside))}]" if inside else name
    return words


def refuse_others(records: Iterable[object], kind: type, called: str) -> None:
    """Refuse what is no record of this kind, such as a dict.

    Args:
        records: What was given.
        kind: Their class.
        called: What they are together, as messages name them.

    Raises:
        InvalidInput: Every one that is something else, by its place.
    """
    hint = f"Write medassay.{kind.__name__}(...), or read a file."
    problems = [
        Problem(called, f"be {_a(kind.__name__)}", _got(record), hint, row=number)
        for number, record in enumerate(records, start=1)
        if not isinstance(record, kind)
    ]
    if problems:
        raise InvalidInput(problems)


@cache
def _takes(function: Callable[..., object]) -> tuple[Signature, dict[str, Any]]:
    hints = get_type_hints(function, include_extras=True)
    hints.pop("return", None)
    hints.pop("rng", None)
    return signature(function), hints


def _problem(name: str, value: object, hint: object) -> Problem | None:
    if _fits(value, hint):
        outside = [span for span in _ranges(hint) if not _inside(value, span)]
        return Problem(name, outside[0].words, _got(value), outside[0].hint) if outside else None
    offered = [word for word in _words(hint) if isinstance(word, str)]
    if offered:
        try_ = nearest(value, offered) if isinstance(value, str) else ""
        return Problem(name, f"be one of {', '.join(offered)}", _got(value), try_)
    listed = isinstance(value, str) and any(_is_names(each) for each in _members(hint))
    try_ = f'Write ["{value}"].' if listed else ""
    if isinstance(value, str) and "Rubric" in _kind(hint):
        try_ = f'Write medassay.load_rubric("{value}").'
    return Problem(name, f"be {_kind(hint)}", _got(value), try_)


def _fits(value: object, hint: object) -> bool:
    """Say whether a value is of a kind; of an annotation not read here, that it is."""
    if hint is ArrayLike:
        return _are_numbers(value)
    hint = _meant(hint)
    if get_origin(hint) is Annotated:
        return _fits(value, get_args(hint)[0])
    if isinstance(hint, UnionType) or get_origin(hint) is Union:
        return any(_fits(value, member) for member in get_args(hint))
    if get_origin(hint) is Literal:
        return value in get_args(hint)
    if _is_names(hint) and isinstance(value, str):
        return False
    return _is_a(value, get_origin(hint) or hint)


def _is_a(value: object, kind: object) -> bool:
    if kind is float or kind is int:
        whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
        return whole or (kind is float and isinstance(value, float | np.floating))
    if not isinstance(kind, type) or getattr(kind, "_is_protocol", False):
        return True
    return isinstance(value, kind)


def _ranges(hint: object) -> list[_Range]:
    meant = [_meant(member) for member in _members(hint)]
    return [get_args(member)[1] for member in meant if get_origin(member) is Annotated]


def _meant(hint: object) -> object:
    """Give what an alias stands for; numbers for an array stay what they are called."""
    return hint.__value__ if isinstance(hint, TypeAliasType) and hint is not ArrayLike else hint


def _inside(value: object, span: _Range) -> bool:
    """Say whether a number is in its range; what is no number, such as None, is in any."""
    if isinstance(value, int | float | np.integer | np.floating):
        return span.low < float(value) < span.high
    return True


def _are_numbers(value: object) -> bool:
    try:
        np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        return False
    return True


def _is_names(hint: object) -> bool:
    return get_origin(hint) is Sequence and not isinstance(get_args(hint)[0], TypeVar)


def _members(hint: object) -> tuple[object, ...]:
    hint = _meant(hint)
    if isinstance(hint, UnionType) or get_origin(hint) is Union:
        return get_args(hint)
    return (hint,)


def _words(hint: object) -> list[object]:
    return [
        word
        for member in _members(hint)
        if get_origin(member) is Literal
        for word in get_args(member)
    ]


def _kind(hint: object) -> str:
    if hint is ArrayLike:
        return "numbers"
    names = {float: "a number", int: "a whole number", str: "text", bool: "True or False"}
    kinds_named = []
    for each in map(_meant, _members(hint)):
        member = get_args(each)[0] if get_origin(each) is Annotated else each
        kind = get_origin(member) or member
        if member is NoneType:
            continue
        if _is_names(member):
            texts = get_args(member)[0] is str
            kinds_named.append("a list of names" if texts else "a list")
        elif isinstance(kind, type):
            kinds_named.append(names.get(kind, "a path" if kind is Path else _a(kind.__name__)))
    return " or ".join(dict.fromkeys(kinds_named))


def _a(noun: str) -> str:
    return f"{'an' if noun[0] in 'AEIO' else 'a'} {noun}"


def _got(value: object) -> str:
    """Quote what is short; of anything else name the kind."""
    if isinstance(value, str):
        return f'"{value}"' if len(value) <= _LONGEST_QUOTE else f"a text of {len(value)} letters"
    short = isinstance(value, int | float | NoneType) or (
        isinstance(value, list | tuple) and len(repr(value)) <= _LONGEST_QUOTE
    )
    return repr(value) if short else _a(type(value).__name__)


def frame_words(name: str, frame: "pl.DataFrame", *counted: str) -> str:
    """Say in a line what a table holds: its rows, and how many there are of what.

    Args:
        name: What it is called.
        frame: Its rows.
        counted: Columns whose different values are counted.

    Example:
        >>> import polars as pl
        >>> frame_words("ScoreTable", pl.DataFrame({"system": ["A", "A", "B"]}), "system")
        'ScoreTable(3 rows, 2 systems)'
    """
    parts = [(frame.height, "row"), *((frame[each].n_unique(), each) for each in counted)]
    counted_words = ", ".join(
        f"{count:,} {noun}{'' if count == 1 else 's'}" for count, noun in parts
    )
    return f"{name}({counted_words})"


def table_text(
    headline: str, header: Sequence[str], rows: Sequence[Sequence[str]], more: str
) -> str:
    """Print rows as a table of at most twenty lines of a hundred characters.

    Args:
        headline: Its first line.
        header: The names of the columns.
        rows: The cells.
        more: Where all of it is, said where not all is shown.

    Example:
        >>> print(table_text("Two", ["system", "mean"], [["A", "3.2"], ["B", "1"]], ".frame"))
        Two
        system  mean
        A       3.2
        B       1
    """
    shown = rows if len(rows) <= _MOST_ROWS else rows[: _MOST_ROWS - 1]
    cells = [[_clipped(cell) for cell in row] for row in (header, *shown)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    kept = len(widths)
    while kept > 1 and sum(widths[:kept]) + 2 * (kept - 1) > _WIDE:
        kept -= 1
    lines = [
        "  ".join(
            f"{cell:{width}}" for cell, width in zip(row, widths[:kept], strict=False)
        ).rstrip()
        for row in cells
    ]
    left = [f"{len(rows) - len(shown):,} rows"] if len(shown) < len(rows) else []
    left += [f"the columns {', '.join(header[kept:])}"] if kept < len(widths) else []
    rest = [_clipped(f"... and {' and '.join(left)} in {more}", _WIDE)] if left else []
    return "\n".join([_clipped(headline, _WIDE), *lines, *rest])


def _clipped(text: str, most: int = _LONGEST_CELL) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def frame_html(headline: str, frame: "pl.DataFrame") -> str:
    """Give the headline and the first and last rows, for a notebook."""
    return f"<p>{escape(headline)}</p>{frame._repr_html_()}"

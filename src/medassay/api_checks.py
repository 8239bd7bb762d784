"""What the functions share that users call from Python.

What enters: arguments as somebody typed them, and results. What leaves: one clear error where an
argument cannot be used, in place of a traceback from deep inside; and a result in a few lines.
"""

from collections.abc import Callable, Iterable, Sequence, Sized
from dataclasses import dataclass, fields, is_dataclass
from functools import cache, wraps
from html import escape
from inspect import Signature, signature
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Final,
    Literal,
    ParamSpec,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import numpy as np
from numpy.typing import ArrayLike

from medassay.errors import InvalidInput, Problem, nearest

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "Brief",
    "Draws",
    "Level",
    "SeedNumber",
    "brief",
    "checked",
    "frame_html",
    "frame_words",
    "refuse_others",
]

_P = ParamSpec("_P")
_R = TypeVar("_R")
_LONGEST_QUOTE = 60
_LONGEST_FIELD: Final = 70
"""Characters of a field that are shown; longer ones say how many things they hold."""


@dataclass(frozen=True)
class _Range:
    """Which numbers an argument may be, and how that is said."""

    low: float
    high: float
    words: str
    hint: str


Level: TypeAlias = Annotated[float, _Range(0, 1, "lie between 0 and 1", "Write 0.95 for 95%.")]
"""A nominal coverage."""


SeedNumber: TypeAlias = Annotated[int, _Range(-1, float("inf"), "be 0 or more", "0 will do.")]
"""A seed."""


Draws: TypeAlias = Annotated[int, _Range(0, float("inf"), "be 1 or more", "1000 are usual.")]
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

    return call


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
    return Problem(name, f"be {_kind(hint)}", _got(value), f'Write ["{value}"].' if listed else "")


def _fits(value: object, hint: object) -> bool:
    """Say whether a value is of a kind; of an annotation not read here, that it is."""
    if hint == ArrayLike:
        return _are_numbers(value)
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
    return [get_args(member)[1] for member in _members(hint) if get_origin(member) is Annotated]


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
    if hint != ArrayLike and (isinstance(hint, UnionType) or get_origin(hint) is Union):
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
    if hint == ArrayLike:
        return "numbers"
    names = {float: "a number", int: "a whole number", str: "text", bool: "True or False"}
    kinds_named = []
    for each in _members(hint):
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


class Brief:
    """A result whose `repr` fits a screen.

    Its class is a dataclass with `repr=False`.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        """Say what it is and what each field holds, long fields by their length."""
        return brief(self)


def brief(record: object) -> str:
    """Print a record's fields; of a long one, what it holds how many of.

    Example:
        >>> from dataclasses import dataclass
        >>> @dataclass
        ... class Tally:
        ...     system: str
        ...     wins: tuple[int, ...]
        >>> brief(Tally("A", (1, 2))), brief(Tally("A", tuple(range(40))))
        ("Tally(system='A', wins=(1, 2))", "Tally(system='A', wins=<tuple of 40>)")
    """
    if not is_dataclass(record) or isinstance(record, type):
        message = f"brief prints dataclasses, and this is a {type(record).__name__}"
        raise TypeError(message)
    shown = (f"{field.name}={_value(getattr(record, field.name))}" for field in fields(record))
    return f"{type(record).__name__}({', '.join(shown)})"


def _value(value: object) -> str:
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple) and shape:
        return f"<{type(value).__name__} of {' x '.join(map(str, shape))}>"
    text = repr(value)
    if len(text) <= _LONGEST_FIELD:
        return text
    if isinstance(value, str):
        return f"{text[: _LONGEST_FIELD - 3]}...{text[-1]}"
    if isinstance(value, Sized):
        return f"<{type(value).__name__} of {len(value)}>"
    return f"<{type(value).__name__}>"


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


def frame_html(headline: str, frame: "pl.DataFrame") -> str:
    """Give the headline and the first and last rows, for a notebook."""
    return f"<p>{escape(headline)}</p>{frame._repr_html_()}"

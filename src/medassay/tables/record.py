"""Turn a row of cells into a checked record, and say what is wrong in the house's one form."""

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import fields as fields_of
from dataclasses import is_dataclass, replace
from typing import TYPE_CHECKING, Final, TypeVar, get_args, get_type_hints

from medassay.errors import Problem, nearest
from medassay.tables.characters import without_halves
from medassay.tables.decode import json_fault, parse_strictly

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic.fields import FieldInfo
    from pydantic_core import ErrorDetails, PydanticCustomError

    Record = TypeVar("Record", bound=BaseModel)

_LONGEST_QUOTE = 60
_MISSING = "be given"
_NUMBERS = {"float_parsing", "float_type", "int_parsing", "int_type", "int_from_float"}
_UNKNOWN_KEY = {"extra_forbidden", "unexpected_keyword_argument"}  # of a model, of a dataclass
_SHAPES = {
    **dict.fromkeys(("list_type", "tuple_type", "set_type"), "be a list"),
    **dict.fromkeys(("dict_type", "model_type", "dataclass_type"), "be keys with their values"),
}
_NAMES: Final[dict[frozenset[str], set[str]]] = {}
_Unread = Counter[tuple[str, str]]
"""How often a field of a file was filled and read by nothing: file and field to records."""
_UNREAD: Final[ContextVar[_Unread | None]] = ContextVar("unread", default=None)
_DECIMAL: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_COMMA: Final = re.compile(r"[+-]?\d*,\d+")
_THOUSANDS: Final = re.compile(
    r"[+-]?\d{1,3}(?:(?:\.\d{3})+,\d+|(?:,\d{3})+\.\d+|(?:,\d{3}){2,}|(?:\.\d{3}){2,})"
)
_PERCENT: Final = re.compile(r"([+-]?\d+(?:[.,]\d+)?)\s*%")


def wrong(must: str, got: str, try_: str = "", column: str = "") -> "PydanticCustomError":
    """Make the error that a record's own check raises; `read_record` adds the place to it.

    Args:
        must: What must be.
        got: What was found.
        try_: What to try.
        column: The column at fault, where a check of the whole record found it.
    """
    from pydantic_core import PydanticCustomError

    # pydantic cannot write half of a character into its message.
    context = {"must": must, "got": without_halves(got), "try_": try_, "column": column}
    return PydanticCustomError("medassay", "must {must}; got {got}. {try_}", context)


def wrong_in_all(problems: "Sequence[tuple[str, str, str]]") -> "PydanticCustomError":
    """Make one error of several findings, each what must be, what was got, and what to try.

    A record's own check can raise only once; `read_record` makes a problem of each finding.
    """
    first = wrong(*problems[0])
    if problems[1:]:
        return type(first)(
            "medassay", "several problems", {**(first.context or {}), "more": list(problems[1:])}
        )
    return first


def read_record(
    model: "type[Record]",
    cells: Mapping[str, object],
    *,
    file: str,
    row: int | None,
    problems: list[Problem],
) -> "Record | None":
    """Check one row against a pydantic model that forbids unknown keys.

    Args:
        model: The record's class.
        cells: The row's cells by column.
        file: The file, for messages.
        row: The row, for messages; None where the file is one record.
        problems: Where everything that is wrong with the row is added.

    Returns:
        The record, or None if anything was wrong.
    """
    from pydantic import ValidationError

    try:
        record = model.model_validate(cells)
    except ValidationError as error:
        errors = error.errors()
        named = [
            problem
            for details in errors
            if not _follows(details, errors)
            for problem in _problems(model, details, file, row)
        ]
        hints = {problem.try_ for problem in named}
        # A key that is missing because it is misspelt was named already, with what it should be.
        problems += [
            problem
            for problem in named
            if problem.must != _MISSING or f'Did you mean "{_last(problem.column)}"?' not in hints
        ]
        return None
    note_unread(model, cells, file)
    return record


def parse_json_cells(
    cells: Mapping[str, object],
    columns: Mapping[str, str],
    *,
    file: str,
    row: int,
    problems: list[Problem],
) -> dict[str, object]:
    """Read the text of these columns as JSON; cells that are no text stay as they are.

    Args:
        cells: The row.
        columns: Each column that holds JSON, and what to try where it does not.
        file: The file, for messages.
        row: The row, for messages.
        problems: Where cells that are no JSON are added.
    """
    parsed = dict(cells)
    for column, hint in columns.items():
        cell = cells.get(column)
        if not isinstance(cell, str):
            continue
        try:
            parsed[column] = parse_strictly(cell)
        except (ValueError, RecursionError) as error:
            problems.append(Problem(file, "be JSON", json_fault(error), hint, row, column))
            del parsed[column]
    return parsed


def without_nulls(value: object) -> object:
    """Drop keys whose value is None, however deep: Parquet gives every struct every key.

    Example:
        >>> without_nulls({"id": "1", "title": None, "more": [{"a": None, "b": 0}]})
        {'id': '1', 'more': [{'b': 0}]}
    """
    if not _holds_null(value):
        return value  # as nearly all of JSON: nothing is copied
    if isinstance(value, dict):
        return {key: without_nulls(inner) for key, inner in value.items() if inner is not None}
    if isinstance(value, list):
        return [without_nulls(inner) for inner in value]
    return value


def _holds_null(value: object) -> bool:
    inner: Iterable[object]
    if isinstance(value, dict):
        inner = value.values()
        if None in inner:
            return True
    elif isinstance(value, list):
        inner = value
    else:
        return False
    for part in inner:  # noqa: SIM110 - any() takes four times as long, and every row comes by
        if (type(part) is dict or type(part) is list) and _holds_null(part):
            return True
    return False


def _follows(details: "ErrorDetails", errors: "Sequence[ErrorDetails]") -> bool:
    """Say whether a list is only too short because what stands in it is wrong."""
    place = details["loc"]
    inside = (other["loc"] for other in errors if len(other["loc"]) > len(place))
    return details["type"] == "too_short" and any(loc[: len(place)] == place for loc in inside)


def _problems(
    model: "type[BaseModel]", details: "ErrorDetails", file: str, row: int | None
) -> list[Problem]:
    first = _problem(model, details, file, row)
    more = details.get("ctx", {}).get("more", ())
    return [first, *(replace(first, must=must, got=got, try_=try_) for must, got, try_ in more)]


def _problem(
    model: "type[BaseModel]", details: "ErrorDetails", file: str, row: int | None
) -> Problem:
    location = details["loc"]
    context = details.get("ctx", {})
    if details["type"] == "medassay":
        must, got, try_ = context["must"], context["got"], context["try_"]
    elif details["type"] in _UNKNOWN_KEY:
        unknown, known = str(location[-1]), _keys_at(model, location[:-1])
        home = _heading_of(model, unknown) if file.endswith(".toml") else ""
        try_ = nearest(unknown, known) or home
        must, got = f"be one of {', '.join(known)}", f'"{unknown}"'
    elif details["type"] == "missing":
        must, got, try_ = _MISSING, "nothing", ""
    elif details["type"] in _NUMBERS:
        whole = "whole " if details["type"].startswith("int") else ""
        must, got, try_ = f"be a {whole}number", _quote(details["input"]), ""
        if isinstance(details["input"], str):
            try_ = number_hint(details["input"])
    elif details["type"] == "too_short":
        must = f"hold {context['min_length']} or more"
        got = str(context["actual_length"])
        try_ = ""
    else:
        message = details["msg"].removeprefix("Input should ").removeprefix("String should ")
        message = _SHAPES.get(details["type"], message)
        must, got, try_ = message, _quote(details["input"]), ""
        if details["type"] in {"model_type", "dataclass_type"}:
            try_ = f"The keys: {', '.join(_keys_at(model, location))}."
    column = _path(location) or context.get("column") or None
    return Problem(file, must, got, try_, row=row, column=column)


def _keys_at(model: "type[BaseModel]", location: Sequence[str | int]) -> list[str]:
    """List the keys that are known where an unknown one was found."""
    fields = _fields(model) or {}
    for step in location:
        if isinstance(step, str):
            waiting = [fields[step][1]]
            while waiting:
                kind = waiting.pop()
                fields = _fields(kind) or fields
                waiting += get_args(kind)
    return [alias for alias, _ in fields.values()]


def _heading_of(model: "type[BaseModel]", key: str) -> str:
    """Say under which heading of a TOML file a key stands that was found elsewhere."""
    headings = [
        heading
        for name, (heading, _) in (_fields(model) or {}).items()
        if key in _keys_at(model, (name,)) and key not in _keys_at(model, ())
    ]
    if len(headings) != 1:
        return ""
    return f"It stands under [{headings[0]}]: is that line above it, without a # before it?"


def _fields(kind: object) -> dict[str, tuple[str, object]] | None:
    """Give each field of a record its key and its type; None for what is no record."""
    from pydantic import BaseModel
    from pydantic.dataclasses import is_pydantic_dataclass

    if not isinstance(kind, type):
        return None
    if issubclass(kind, BaseModel):
        declared = kind.model_fields
    elif is_pydantic_dataclass(kind):
        declared = kind.__pydantic_fields__
    elif is_dataclass(kind):
        hints = get_type_hints(kind)
        return {field.name: (field.name, hints[field.name]) for field in fields_of(kind)}
    else:
        return None
    return {name: (field.alias or name, field.annotation) for name, field in declared.items()}


def _last(column: str | None) -> str:
    return (column or "").rpartition(".")[2]


def _path(location: Sequence[str | int]) -> str:
    """Write a place inside a record; list items count from 1, like rows."""
    words = [f"[{step + 1}]" if isinstance(step, int) else f".{step}" for step in location]
    return "".join(words).removeprefix(".")


def _quote(value: object) -> str:
    shown = f'"{value}"' if isinstance(value, str) else json.dumps(value, default=str)
    shown = without_halves(shown)
    return shown if len(shown) <= _LONGEST_QUOTE else f"{shown[:_LONGEST_QUOTE]}…"


def with_shared_names(record: "Record") -> "Record":
    """Let a record that cannot change share the set in which pydantic keeps what was given.

    The set of its own that every record has would take a fifth of the memory of a large study.
    """
    own = record.model_fields_set
    shared = _NAMES.setdefault(frozenset(own), own)
    object.__setattr__(record, "__pydantic_fields_set__", shared)
    return record


@contextmanager
def what_is_unread() -> Iterator[_Unread]:
    """Count the filled fields that nothing reads while a block runs, by file and field.

    Example:
        >>> from typing import ClassVar
        >>> from pydantic import BaseModel
        >>> class Row(BaseModel):
        ...     tells_unread: ClassVar[bool] = True
        ...     text: str
        >>> with what_is_unread() as unread:
        ...     note_unread(Row, {"text": "a", "mood": "calm", "note": ""}, "a.json")
        >>> dict(unread)
        {('a.json', 'mood'): 1}
    """
    counts: _Unread = Counter()
    token = _UNREAD.set(counts)
    try:
        yield counts
    finally:
        _UNREAD.reset(token)


def note_unread(model: "type[BaseModel]", cells: Mapping[str, object], file: str) -> None:
    """Count what a record of a file holds and its model has no field for, where anybody asks.

    It is asked of models that are all that is read of a record: `tells_unread` says so.
    """
    counts = _UNREAD.get()
    if counts is not None and getattr(model, "tells_unread", False):
        counts.update((file, path) for path in _unread(model, cells))


def _unread(model: "type[BaseModel]", cells: Mapping[str, object]) -> Iterator[str]:
    fields = model.model_fields.items()
    known = {name: field for own, field in fields for name in _names(own, field)}
    for name, value in cells.items():
        if value in (None, "", [], {}):
            continue
        if name not in known:
            yield name
            continue
        # What a function reads of its own is not looked into.
        own = any(type(check).__name__ == "BeforeValidator" for check in known[name].metadata)
        inner = None if own else _model_in(known[name].annotation)
        if inner is not None:
            paths = (path for one in _mappings(value) for path in _unread(inner, one))
            yield from (f"{name}.{path}" for path in paths)


def _names(own: str, field: "FieldInfo") -> list[str]:
    """Give every name under which a field may stand in a file."""
    choices = getattr(field.validation_alias, "choices", [field.validation_alias, field.alias])
    return [own, *(choice for choice in choices if isinstance(choice, str))]


def _model_in(annotation: object) -> "type[BaseModel] | None":
    """Find the model that a field holds one or several of; None where it holds other things."""
    from pydantic import BaseModel

    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    found = [_model_in(part) for part in get_args(annotation)]
    return next((model for model in found if model is not None), None)


def _mappings(value: object) -> Iterator[Mapping[str, object]]:
    if isinstance(value, Mapping):
        yield value
    elif isinstance(value, Sequence) and not isinstance(value, str | bytes):
        yield from (one for one in value if isinstance(one, Mapping))


def number_hint(text: str) -> str:
    """Say what to write instead, where a text is meant as a number and is none.

    Example:
        >>> number_hint("0,5"), number_hint("85 %"), number_hint("high")
        ('Write a point before the decimals: 0.5.', 'Write 0.85 for 85 %.', '')
        >>> number_hint("1.234,5"), number_hint("1,234,567")
        ('Write no sign between thousands: 1234.5.', 'Write no sign between thousands: 1234567.')
    """
    sentence = text.strip()
    if _THOUSANDS.fullmatch(sentence):
        last = max(sentence.rfind(","), sentence.rfind("."))
        parts = sentence.count(sentence[last]) > 1
        plain = re.sub(r"[.,]", "", sentence[:last]) + ("" if parts else ".") + sentence[last + 1 :]
        return f"Write no sign between thousands: {plain}."
    if _COMMA.fullmatch(sentence):
        return f"Write a point before the decimals: {sentence.replace(',', '.')}."
    share = _PERCENT.fullmatch(sentence)
    if share:
        value = float(share[1].replace(",", ".")) / 100
        return f"Write {round(value, 12):g} for {sentence}."
    return ""


def finite(number: float) -> float | None:
    """Give a number as arithmetic takes it; nothing where it is infinite, no number, or too large.

    JSON knows whole numbers of hundreds of digits, of which there is no floating point.

    Example:
        >>> finite(2), finite(10**400), finite(float("nan"))
        (2.0, None, None)
    """
    try:
        return float(number) if math.isfinite(number) else None
    except OverflowError:
        return None


def decimal(text: str) -> float | None:
    """Read a number written with digits and a point; nothing where it is another text.

    `float` alone reads more: digits parted by `_`, digits of other scripts, `inf`.

    Example:
        >>> decimal("2.5"), decimal("1e3"), decimal("1_000"), decimal("inf"), decimal("1e999")
        (2.5, 1000.0, None, None, None)
    """
    return finite(float(text)) if _DECIMAL.fullmatch(text) else None

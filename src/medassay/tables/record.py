"""Turn a row of cells into a checked record, and say what is wrong in the house's one form."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields as fields_of
from dataclasses import is_dataclass, replace
from typing import TYPE_CHECKING, TypeVar, get_args, get_type_hints

from medassay.errors import Problem, nearest
from medassay.tables.numbers import number_hint
from medassay.tables.strict_json import json_fault, parse_strictly
from medassay.tables.unread import note_unread
from medassay.tables.visible import without_halves

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic_core import ErrorDetails, PydanticCustomError

    Record = TypeVar("Record", bound=BaseModel)

__all__ = ["parse_json_cells", "read_record", "without_nulls", "wrong", "wrong_in_all"]

_LONGEST_QUOTE = 60
_MISSING = "be given"
_NUMBERS = {"float_parsing", "float_type", "int_parsing", "int_type", "int_from_float"}
_UNKNOWN_KEY = {"extra_forbidden", "unexpected_keyword_argument"}  # of a model, of a dataclass
_SHAPES = {
    **dict.fromkeys(("list_type", "tuple_type", "set_type"), "be a list"),
    **dict.fromkeys(("dict_type", "model_type", "dataclass_type"), "be keys with their values"),
}


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

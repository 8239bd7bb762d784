"""Turn what pydantic found wrong with a record into problems that name the place."""

import json
from typing import TYPE_CHECKING, get_args

from medassay.errors import Problem, nearest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic import BaseModel, ValidationError

__all__ = ["validation_problems"]

_LONGEST_QUOTE = 80


def validation_problems(
    error: "ValidationError", model: "type[BaseModel]", file: str, row: int | None = None
) -> list[Problem]:
    """List every problem of one record.

    Args:
        error: What pydantic raised.
        model: The class that was validated, for the keys it knows.
        file: The name to show.
        row: The record's row or line.
    """
    return [_problem(dict(found), model, file, row) for found in error.errors()]


def _problem(
    found: dict[str, object], model: "type[BaseModel]", file: str, row: int | None
) -> Problem:
    place = found["loc"]
    path = [str(step) for step in place] if isinstance(place, tuple) else []
    column = ".".join(path) or None
    if found["type"] == "extra_forbidden":
        known = sorted(_keys_at(model, path[:-1]))
        hint = nearest(path[-1], known) or f"Known keys: {', '.join(known)}."
        return Problem(file, "be a known key", f'"{path[-1]}"', hint, row, column)
    if found["type"] == "missing":
        return Problem(file, "be given", "nothing", "", row, column)
    must = str(found["msg"]).removeprefix("Value error, ").removeprefix("Input should ")
    must = must if must.startswith(("be ", "have ", "hold ", "match ")) else f"hold: {must}"
    return Problem(file, must, _quoted(found["input"]), "", row, column)


def _keys_at(model: "type[BaseModel]", path: list[str]) -> set[str]:
    """Follow a path of keys into nested models and give the keys known there."""
    keys = set(model.model_fields)
    for step in path:
        if step.isdecimal() or step not in model.model_fields:
            continue
        inner = next(_models_in(model.model_fields[step].annotation), None)
        if inner is None:
            return set()
        model, keys = inner, set(inner.model_fields)
    return keys


def _models_in(annotation: object) -> "Iterator[type[BaseModel]]":
    from pydantic import BaseModel

    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _models_in(argument)


def _quoted(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _LONGEST_QUOTE else f"{text[:_LONGEST_QUOTE]}..."

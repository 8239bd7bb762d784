"""Refuse a record that does not say what its values are."""

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from pydantic import BaseModel

from medassay.marks.kinds import Kind, mark_on

__all__ = [
    "UnmarkedText",
    "WrongInference",
    "check_inference",
    "check_marked",
    "fields_of",
    "is_record",
]

_OPAQUE = (str, bytes, object, Any, list, dict, tuple, set, frozenset)
"""Types that may hold any text: refused bare, and as what a container holds."""


class UnmarkedText(TypeError):
    """A field may hold text, and its type does not say of what."""


def check_marked(record: type) -> None:
    """Refuse a record with a field that may hold text of which nothing is said.

    Records inside it are looked at when they are made themselves.

    Raises:
        UnmarkedText: The fields, each with its type and what to write.

    Example:
        >>> from dataclasses import dataclass
        >>> from medassay.marks import CaseId
        >>> @dataclass
        ... class Hardest:
        ...     case: CaseId
        ...     seen: str
        >>> check_marked(Hardest)
        Traceback (most recent call last):
            ...
        medassay.marks.declared.UnmarkedText: Hardest.seen (str) may hold text: say of what, with \
CaseId, Text, Tag, SystemName, RaterName, DesignName, Words or a Literal
    """
    wrong = [
        f"{record.__name__}.{name} ({_shown(hint)})"
        for name, hint in fields_of(record).items()
        if any(_may_hold_text(hint))
    ]
    if wrong:
        message = (
            f"{', '.join(wrong)} may hold text: say of what, with CaseId, Text, Tag, SystemName, "
            "RaterName, DesignName, Words or a Literal"
        )
        raise UnmarkedText(message)


class WrongInference(TypeError):
    """A record says that it describes, and cannot do without an inference."""


def check_inference(record: type, mark_of: Callable[[Any], object]) -> None:
    """Refuse a record that says it describes while a field of it must hold an inference.

    A field that may be missing, and a list, may hold one: what describes only is given the record
    without it.

    Args:
        record: A record with a class attribute `infers`.
        mark_of: Gives the inference that a type is; None for every other.

    Raises:
        WrongInference: The fields.
    """
    if getattr(record, "infers", True):
        return
    wrong = [
        f"{record.__name__}.{name}"
        for name, hint in fields_of(record).items()
        if mark_of(hint) is not None and not _is_text(hint)
    ]
    if wrong:
        message = (
            f"{', '.join(wrong)} must hold an inference: say infers=True of {record.__name__}, or "
            "let the field be None"
        )
        raise WrongInference(message)


def is_record(hint: object) -> bool:
    """Say whether a type is a record: a dataclass or a model of pydantic."""
    return isinstance(hint, type) and (is_dataclass(hint) or issubclass(hint, BaseModel))


def fields_of(record: type) -> dict[str, Any]:
    """Give a record's fields with their types, markers included."""
    hints = get_type_hints(record, include_extras=True)
    if issubclass(record, BaseModel):
        return {name: hints[name] for name in record.model_fields}
    if is_dataclass(record):
        return {field.name: hints[field.name] for field in fields(record)}
    message = f"{record.__name__} is no record: make it a dataclass or a model of pydantic"
    raise TypeError(message)


def _may_hold_text(hint: Any) -> Iterator[bool]:  # noqa: ANN401 - it walks through any type
    if mark_on(hint, Kind) is not None or get_origin(hint) is Literal or is_record(hint):
        return
    inside = get_args(hint)
    if get_origin(hint) is Annotated:
        inside = inside[:1]
    if hint in _OPAQUE:
        yield True
    for part in inside:
        if part is not Ellipsis and not isinstance(part, str):
            yield from _may_hold_text(part)


def _is_text(hint: Any) -> bool:  # noqa: ANN401 - as above
    return get_origin(hint) is Annotated and get_args(hint)[0] is str


def _shown(hint: object) -> str:
    return hint.__name__ if isinstance(hint, type) else str(hint).replace("typing.", "")

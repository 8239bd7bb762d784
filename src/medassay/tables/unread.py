"""Which fields of records no model reads: what a file says beside what is taken from it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final, get_args

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic.fields import FieldInfo

__all__ = ["Unread", "note_unread", "what_is_unread"]

Unread = Counter[tuple[str, str]]
"""How often a field of a file was filled and read by nothing: file and field to records."""
_UNREAD: Final[ContextVar[Unread | None]] = ContextVar("unread", default=None)


@contextmanager
def what_is_unread() -> Iterator[Unread]:
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
    counts: Unread = Counter()
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

"""Take out of a record, by the types of its fields, what a reader may not get."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from types import UnionType
from typing import Annotated, Any, Final, Protocol, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel

from medassay.marks.declared import fields_of, is_record

__all__ = ["GONE", "GONE_WITH_ITS_ROW", "Gone", "Rule", "Varied", "pruned"]

_Record = TypeVar("_Record")


@dataclass(frozen=True)
class Gone:
    """What stands, for a moment, in place of a value that is taken out."""

    with_its_row: bool = False


GONE: Final = Gone()
GONE_WITH_ITS_ROW: Final = Gone(with_its_row=True)


class Rule(Protocol):
    """What a reader may not get."""

    @classmethod
    def mark_of(cls, hint: Any) -> StrEnum | None:  # noqa: ANN401 - types of every shape
        """Give the marker that makes the rule look at values of a type; None for other types."""
        ...

    def take(self, value: object, mark: StrEnum) -> object | Gone:
        """Give what the reader gets of a value with this marker."""
        ...


class Varied(ABC):
    """Holds records whose types are known only when they are there."""

    @abstractmethod
    def each(self, change: Callable[[Any], Any]) -> "Varied":
        """Give the records as they are after a change; what becomes None or empty is left out."""


_ABSENT: Final[Mapping[type, Any]] = {str: "", list: [], tuple: (), dict: {}}
_Prune = Callable[[Any, Any], Any]


def pruned(record: _Record, rule: Rule) -> _Record:
    """Give a record without what a rule takes out.

    What is taken out is None where its field allows that, and empty where it can be. Where it can
    be neither, or a row makes no sense without it, the row goes from its list; an entry of a
    mapping goes with its key or its value.

    Raises:
        TypeError: The record itself goes, so nothing of it can be shown.
    """
    kept_or_gone = _whole(record, rule)
    if isinstance(kept_or_gone, Gone):
        message = f"{type(record).__name__} is, or is about, what this reader may not get"
        raise TypeError(message)
    made: _Record = kept_or_gone
    return made


@cache
def _pruner(rule: type[Rule], hint: Any) -> _Prune | None:  # noqa: ANN401 - as above
    """Give what prunes values of a type; None where the rule never looks at what they hold."""
    mark = rule.mark_of(hint)
    origin, inside = get_origin(hint), get_args(hint)
    made: _Prune | None = None
    if mark is not None:
        made = _leaf(mark)
    elif is_record(hint):
        made = _record(rule, hint)
    elif isinstance(hint, type) and issubclass(hint, Varied):
        made = _varied
    elif origin is Annotated:
        made = _pruner(rule, inside[0])
    elif origin in {Union, UnionType}:
        made = _union(rule, inside)
    elif origin is dict:
        made = _mapping(rule, *inside)
    elif origin in {list, tuple}:
        made = _sequence(rule, origin, inside)
    return made


def _whole(value: Any, rule: Rule) -> Any:  # noqa: ANN401 - as above
    """Prune a value that no field's type tells of: a record, or a tuple of records."""
    if isinstance(value, tuple):
        parts = (_whole(part, rule) for part in value)
        return tuple(part for part in parts if not isinstance(part, Gone))
    of: Any = type(value)
    prune = _pruner(type(rule), of)
    return value if prune is None else prune(value, rule)


def _varied(value: Varied, rule: Rule) -> Varied:
    def change(record: Any) -> Any:  # noqa: ANN401 - as above
        kept_or_gone = _whole(record, rule)
        return None if isinstance(kept_or_gone, Gone) else kept_or_gone

    return value.each(change)


def _leaf(mark: StrEnum) -> _Prune:
    return lambda value, rule: rule.take(value, mark)


def _union(rule: type[Rule], inside: tuple[Any, ...]) -> _Prune | None:
    known = [own for kind in inside if (own := _pruner(rule, kind)) is not None]
    if not known:
        return None
    if len(known) > 1:
        message = f"{inside} holds two types with marks: nothing tells which one a value is of"
        raise TypeError(message)
    optional = type(None) in inside

    def prune(value: Any, rule: Rule) -> Any:  # noqa: ANN401 - as above
        kept_or_gone = None if value is None else known[0](value, rule)
        return None if optional and isinstance(kept_or_gone, Gone) else kept_or_gone

    return prune


def _sequence(rule: type[Rule], origin: type, inside: tuple[Any, ...]) -> _Prune | None:
    each = [_pruner(rule, kind) for kind in inside if kind is not Ellipsis]
    if not any(each):
        return None

    def prune(value: Any, rule: Rule) -> Any:  # noqa: ANN401 - as above
        own = each * len(value) if len(each) == 1 else each
        parts = [
            part if prune is None else prune(part, rule)
            for prune, part in zip(own, value, strict=True)
        ]
        if all(new is old for new, old in zip(parts, value, strict=True)):
            return value
        return origin(part for part in parts if not isinstance(part, Gone))

    def prune_places(value: Any, rule: Rule) -> Any:  # noqa: ANN401 - as above
        made = prune(value, rule)
        # A tuple whose places mean something cannot lack one.
        return made if len(made) == len(value) else GONE_WITH_ITS_ROW

    return prune if len(each) == 1 else prune_places


def _mapping(rule: type[Rule], key: Any, value: Any) -> _Prune | None:  # noqa: ANN401 - as above
    of_key, of_value = _pruner(rule, key), _pruner(rule, value)
    if of_key is None and of_value is None:
        return None

    def prune(entries: Any, rule: Rule) -> Any:  # noqa: ANN401 - as above
        pairs = [
            (of_key(k, rule) if of_key else k, of_value(v, rule) if of_value else v)
            for k, v in entries.items()
        ]
        if all(k is old and v is entries[old] for (k, v), old in zip(pairs, entries, strict=True)):
            return entries
        return {k: v for k, v in pairs if not isinstance(k, Gone) and not isinstance(v, Gone)}

    return prune


def _record(rule: type[Rule], record: type) -> _Prune | None:
    hints = fields_of(record).items()
    inside = [(name, hint, own) for name, hint in hints if (own := _pruner(rule, hint)) is not None]
    if not inside:
        return None

    def prune(value: Any, rule: Rule) -> Any:  # noqa: ANN401 - as above
        changed = {}
        for name, hint, own in inside:
            old = getattr(value, name)
            new = own(old, rule)
            if isinstance(new, Gone):
                if type(None) in get_args(hint):
                    new = None
                elif new.with_its_row or type(old) not in _ABSENT:
                    return new
                else:
                    new = _ABSENT[type(old)]
            if new is not old:
                changed[name] = new
        if not changed:
            return value
        if isinstance(value, BaseModel):
            return value.model_copy(update=changed)
        return replace(value, **changed)

    return prune

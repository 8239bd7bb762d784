"""Take out of a record, by the types of its fields, what its audience may not see."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from types import UnionType
from typing import Annotated, Any, Final, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel

from medassay.privacy.audience import Audience
from medassay.privacy.kinds import Kind
from medassay.privacy.marked import fields_of, is_record, kind_of

__all__ = ["sealed"]

_Record = TypeVar("_Record")


class _Gone:
    """What stands, for a moment, in place of a value that may not be seen."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind


_ABSENT: Final[Mapping[type, Any]] = {str: "", list: [], tuple: (), dict: {}}


def sealed(record: _Record, audience: Audience) -> _Record:
    """Give a record without what its audience may not see.

    * A text that is hidden is None where its field allows that, else empty.
    * A row that is about a tag, in a list, goes with the tag: nothing is left that it is about.
    * An entry of a mapping goes with its key or its value.
    * A field that is marked as a whole is None or empty.
    * A case or document that may not be named has its number.

    Raises:
        TypeError: The record itself is about something hidden, so nothing of it can be shown.
    """
    if audience.sees_all:
        return record
    of: Any = type(record)
    seal = _sealer(of)
    found = record if seal is None else seal(record, audience)
    if isinstance(found, _Gone):
        message = f"{type(record).__name__} is about a {found.kind}, which may not be seen"
        raise TypeError(message)
    made: _Record = found
    return made


_Seal = Callable[[Any, Audience], Any]


@cache
def _sealer(hint: Any) -> _Seal | None:  # noqa: ANN401 - types of every shape
    """Give what seals values of a type; None where they hold nothing that is ever hidden."""
    kind = kind_of(hint)
    origin, inside = get_origin(hint), get_args(hint)
    made: _Seal | None = None
    if kind is not None:
        made = None if kind in {Kind.DESIGN, Kind.WORDS} else _marked(kind)
    elif is_record(hint):
        made = _record(hint)
    elif origin is Annotated:
        made = _sealer(inside[0])
    elif origin in {Union, UnionType}:
        made = _union(inside)
    elif origin is dict:
        made = _mapping(*inside)
    elif origin in {list, tuple}:
        made = _sequence(origin, inside)
    return made


def _marked(kind: Kind) -> _Seal:
    def seal(value: Any, audience: Audience) -> Any:  # noqa: ANN401 - as above
        if audience.hides(kind):
            return _Gone(kind) if value else value
        return _renamed(value, kind, audience) if audience.renames(kind) else value

    return seal


def _renamed(value: Any, kind: Kind, audience: Audience) -> Any:  # noqa: ANN401 - as above
    if isinstance(value, str):
        return audience.named(value, kind)
    if isinstance(value, list | tuple):
        return type(value)(_renamed(one, kind, audience) for one in value)
    return value


def _union(inside: tuple[Any, ...]) -> _Seal | None:
    known = [own for one in inside if (own := _sealer(one)) is not None]
    if not known:
        return None
    if len(known) > 1:
        message = f"{inside} holds two types with marks: nothing tells which one a value is of"
        raise TypeError(message)
    optional = type(None) in inside

    def seal(value: Any, audience: Audience) -> Any:  # noqa: ANN401 - as above
        if value is None:
            return None
        found = known[0](value, audience)
        return None if optional and isinstance(found, _Gone) else found

    return seal


def _sequence(origin: type, inside: tuple[Any, ...]) -> _Seal | None:
    seals = [_sealer(one) for one in inside if one is not Ellipsis]
    if not any(seals):
        return None
    if len(seals) > 1:

        def each(value: Any, audience: Audience) -> Any:  # noqa: ANN401 - as above
            found = [
                one if own is None else own(one, audience)
                for own, one in zip(seals, value, strict=True)
            ]
            return next((one for one in found if isinstance(one, _Gone)), tuple(found))

        return each
    one_seal = seals[0]

    def every(value: Any, audience: Audience) -> Any:  # noqa: ANN401 - as above
        found = (one_seal(one, audience) for one in value) if one_seal else value
        return origin(one for one in found if not isinstance(one, _Gone))

    return every


def _mapping(key: Any, value: Any) -> _Seal | None:  # noqa: ANN401 - as above
    of_key, of_value = _sealer(key), _sealer(value)
    if of_key is None and of_value is None:
        return None

    def seal(found: Any, audience: Audience) -> Any:  # noqa: ANN401 - as above
        pairs = (
            (of_key(k, audience) if of_key else k, of_value(v, audience) if of_value else v)
            for k, v in found.items()
        )
        return {k: v for k, v in pairs if not isinstance(k, _Gone) and not isinstance(v, _Gone)}

    return seal


def _record(record: type) -> _Seal | None:
    # A record may hold records of its own kind, so its fields are looked up when they are sealed.
    def seal(value: Any, audience: Audience) -> Any:  # noqa: ANN401 - as above
        changed = {}
        for name, hint, own in _fields(record):
            old = getattr(value, name)
            new = own(old, audience)
            if isinstance(new, _Gone):
                if new.kind in {Kind.TAG, Kind.TAG_NAME} and isinstance(old, str):
                    return new
                new = None if _allows_none(hint) else _ABSENT[type(old)]
            if new is not old:
                changed[name] = new
        if not changed:
            return value
        if isinstance(value, BaseModel):
            return value.model_copy(update=changed)
        return replace(value, **changed)

    return seal if _fields(record) else None


@cache
def _fields(record: type) -> tuple[tuple[str, Any, _Seal], ...]:
    found = ((name, hint, _sealer(hint)) for name, hint in fields_of(record).items())
    return tuple((name, hint, own) for name, hint, own in found if own is not None)


def _allows_none(hint: Any) -> bool:  # noqa: ANN401 - as above
    return get_origin(hint) in {Union, UnionType} and type(None) in get_args(hint)

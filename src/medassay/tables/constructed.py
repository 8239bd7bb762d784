"""Records that say in the house's one form what is wrong with what they are made of in Python."""

from collections.abc import Mapping
from inspect import Parameter, Signature
from typing import Any, cast

from pydantic import BaseModel, ValidationError
from pydantic._internal._model_construction import ModelMetaclass

from medassay.api_checks import readable
from medassay.errors import InvalidInput, Problem
from medassay.tables.characters import holds_halves
from medassay.tables.record import read_record


def _holds_halves(value: object) -> bool:
    if isinstance(value, str):  # letters of ASCII are whole, and most texts are of them
        return not value.isascii() and holds_halves(value)
    if isinstance(value, list | tuple):
        return any(map(_holds_halves, value))
    if isinstance(value, int | float | BaseModel):  # most of what is no text; to ask is quick
        return False
    return isinstance(value, Mapping) and (
        any(map(_holds_halves, value)) or any(map(_holds_halves, value.values()))
    )


class Constructed(ModelMetaclass):
    """The class of records whose constructor raises `InvalidInput`, as reading a file does.

    Only what is made by calling the class passes here: what is read from files is checked without.
    """

    def __init__(self, *_: object, **__: object) -> None:
        """Keep a signature of the fields and what each takes, without the checks of pydantic."""
        model = cast("type[BaseModel]", self)
        parameters = [
            Parameter(
                name,
                Parameter.KEYWORD_ONLY,
                default=Parameter.empty
                if field.is_required()
                else field.get_default(call_default_factory=True),
                annotation=field.annotation,
            )
            for name, field in model.model_fields.items()
        ]
        self.__signature__ = readable(Signature(parameters))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - whatever the record is
        """Make a record, or name everything that is wrong with it."""
        halves = [
            name
            for name, value in kwargs.items()
            if value and not (type(value) is str and value.isascii()) and _holds_halves(value)
        ]
        if halves:
            must, got = "hold whole characters", "half of a surrogate pair, which is none"
            hint = 'Write it as its code: text.encode("utf-8", "backslashreplace").decode().'
            raise InvalidInput(
                Problem(self.__name__, must, got, hint, column=name) for name in halves
            )
        try:
            return super().__call__(*args, **kwargs)
        except ValidationError:
            problems: list[Problem] = []
            model = cast("type[BaseModel]", self)
            read_record(model, kwargs, file=self.__name__, row=None, problems=problems)
            raise InvalidInput(problems) from None

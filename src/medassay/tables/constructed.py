"""Records that say in the house's one form what is wrong with what they are made of in Python."""

from typing import Any, cast

from pydantic import BaseModel, ValidationError
from pydantic._internal._model_construction import ModelMetaclass

from medassay.errors import InvalidInput, Problem
from medassay.tables.record import read_record

__all__ = ["Constructed"]


class Constructed(ModelMetaclass):
    """The class of records whose constructor raises `InvalidInput`, as reading a file does.

    Only what is made by calling the class passes here: what is read from files is checked without.
    """

    def __call__(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - whatever the record is
        """Make a record, or name everything that is wrong with it."""
        try:
            return super().__call__(*args, **kwargs)
        except ValidationError:
            problems: list[Problem] = []
            model = cast("type[BaseModel]", self)
            read_record(model, kwargs, file=self.__name__, row=None, problems=problems)
            raise InvalidInput(problems) from None

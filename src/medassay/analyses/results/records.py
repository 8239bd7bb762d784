"""What the analyses of a run found: the record or the records of each, of their own type."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, TypeVar

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, TypeAdapter, ValidationInfo
from pydantic_core import CoreSchema, core_schema

from medassay.analyses.declaration import Analysis
from medassay.annotations import Varied

__all__ = ["TYPES", "Records"]

_Record = TypeVar("_Record")
TYPES: Final = "analyses"
"""Whoever reads records back says under this word of the context which type each is of."""


class Records(Mapping[str, Any], Varied):
    """Analysis to its record, in the order of the report.

    In report.json it is an object of the same shape.
    """

    def __init__(self, records: Mapping[str, Any] | None = None) -> None:
        self._records = dict(records or {})

    def of(self, analysis: Analysis[_Record]) -> _Record | None:
        """Give what an analysis found; None where it found nothing, or was not asked."""
        record: _Record | None = self._records.get(analysis.id)
        return record

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - a record of any type
        """Give the record of an analysis."""
        return self._records[name]

    def __iter__(self) -> Iterator[str]:
        """Give the ids, in the order of the report."""
        return iter(self._records)

    def __len__(self) -> int:
        """Count the analyses that found something."""
        return len(self._records)

    def __repr__(self) -> str:
        """Name the analyses."""
        return f"Records({', '.join(self._records)})"

    def each(self, change: Callable[[Any], Any]) -> "Records":
        """Give the records as they are after a change; what becomes None or empty is left out."""
        changed = {name: change(record) for name, record in self._records.items()}
        return Records({n: record for n, record in changed.items() if record not in (None, ())})

    def known(self) -> "Records":
        """Leave out analyses that found nothing."""
        return self.each(lambda record: record)

    @classmethod
    def __get_pydantic_core_schema__(cls, _: object, __: GetCoreSchemaHandler) -> CoreSchema:
        """Say to pydantic how it is read and written."""
        return core_schema.with_info_plain_validator_function(
            cls._read,
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda records: {
                    name: _adapter(_type_of(record)).dump_python(record, mode="json")
                    for name, record in records.items()
                }
            ),
        )

    @classmethod
    def __get_pydantic_json_schema__(
        cls, _: CoreSchema, __: GetJsonSchemaHandler
    ) -> dict[str, object]:
        """Say that it is an object; what is in it, whoever knows the analyses says."""
        return {"type": "object", "description": "What each declared analysis found, by its id."}

    @classmethod
    def _read(cls, value: object, info: ValidationInfo) -> "Records":
        if isinstance(value, Records):
            return value
        if not isinstance(value, dict):
            message = "must hold analyses by their id"
            raise ValueError(message)  # noqa: TRY004 - pydantic reports values, not types
        types: Mapping[str, type] = (info.context or {}).get(TYPES, {})
        strange = [name for name in value if name not in types]
        if strange:
            message = f"no analysis here is called {', '.join(strange)}: install what brought it"
            raise ValueError(message)
        return cls({name: _adapter(types[name]).validate_python(value[name]) for name in value})


@lru_cache(maxsize=256)
def _adapter(of: Any) -> TypeAdapter[Any]:  # noqa: ANN401 - a type of any record
    return TypeAdapter(of)


def _type_of(record: Any) -> Any:  # noqa: ANN401 - a record of any type, or several
    return tuple[type(record[0]), ...] if isinstance(record, tuple) else type(record)  # type: ignore[misc]  # of one kind

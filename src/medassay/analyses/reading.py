"""Results read back from what was written of them, and what that must look like."""

from collections.abc import Mapping
from typing import Any, Final

from pydantic import TypeAdapter

from medassay.analyses.registry import record_types
from medassay.analyses.results import Results
from medassay.analyses.results.whole import TYPES


def results_of(written: Mapping[str, object] | bytes) -> Results:
    """Read results from plain data or from JSON; each analysis' record has its declared type.

    Raises:
        ValidationError: Something is not what it must be, or is of an analysis that is not here.
    """
    context = {TYPES: record_types()}
    if isinstance(written, bytes):
        return Results.model_validate_json(written, context=context)
    return Results.model_validate(written, context=context)


def results_schema() -> dict[str, Any]:
    """Say as a JSON Schema what report.json holds; of analyses, what those known here find.

    Example:
        >>> schema = results_schema()
        >>> "case_difficulty" in schema["properties"]["analyses"]["properties"]
        True
    """
    made = Results.model_json_schema(mode="serialization")
    properties: dict[str, Any] = {}
    for name, record in record_types().items():
        schema = TypeAdapter(record).json_schema(mode="serialization", ref_template=_REF)
        made["$defs"] |= schema.pop("$defs", {})
        properties[name] = schema
    made["properties"]["analyses"] |= {"properties": properties, "additionalProperties": False}
    return made


_REF: Final = "#/$defs/{model}"

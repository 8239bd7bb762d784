"""Results read back from what was written of them."""

from collections.abc import Mapping

from medassay.analyses.registry import record_types
from medassay.analyses.results import Results
from medassay.analyses.results.records import TYPES

__all__ = ["results_of"]


def results_of(told: Mapping[str, object] | bytes) -> Results:
    """Read results from plain data or from JSON; each analysis' record has its declared type.

    Raises:
        ValidationError: Something is not what it must be, or is of an analysis that is not here.
    """
    context = {TYPES: record_types()}
    if isinstance(told, bytes):
        return Results.model_validate_json(told, context=context)
    return Results.model_validate(told, context=context)

"""report.json: all of a run with its findings, written and read back."""

import json
from dataclasses import asdict
from pathlib import Path

from pydantic import ValidationError

from medassay.errors import InvalidInput, Problem
from medassay.report.findings import findings
from medassay.report.privacy import guarded
from medassay.study.results import Results
from medassay.tables import json_bytes

__all__ = ["read_results", "report_json"]


def report_json(results: Results) -> bytes:
    """Write the results and the findings; texts that the study keeps to itself stay out."""
    results = guarded(results)
    said = [asdict(finding) for finding in findings(results)]
    return json_bytes({**results.model_dump(mode="json"), "findings": said}, compact=True)


def read_results(path: Path) -> Results:
    """Read the results back from a report.json.

    The findings are left aside: they are made anew from the numbers.

    Raises:
        InvalidInput: The file is not there or is no report; every place that is wrong is named.
    """
    must = "be a report.json that medassay wrote"
    try:
        value = json.loads(path.read_bytes())
    except OSError as error:
        raise InvalidInput(Problem(path.name, must, error.strerror or str(error))) from error
    except ValueError as error:
        raise InvalidInput(Problem(path.name, must, f"no JSON ({error})")) from error
    if not isinstance(value, dict):
        raise InvalidInput(Problem(path.name, must, f"a {type(value).__name__}"))
    value.pop("findings", None)
    try:
        return Results.model_validate(value)
    except ValidationError as error:
        raise InvalidInput(
            Problem(path.name, must, found["msg"], column=".".join(map(str, found["loc"])))
            for found in error.errors()
        ) from error

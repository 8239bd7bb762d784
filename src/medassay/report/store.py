"""report.json: all of a run with its findings, written and read back."""

from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from pydantic_core import from_json

from medassay.analyses.reading import results_of, results_schema
from medassay.analyses.results import Results, ShortenedResult, VerdictsResult
from medassay.errors import InvalidInput, Problem
from medassay.report.findings import Finding, findings
from medassay.report.privacy import guarded
from medassay.study.metric_choice import LeftOut
from medassay.tables import json_fault, long_json_bytes, parse_widely


def report_json(results: Results) -> bytes:
    """Write the results and the findings; texts that the study keeps to itself stay out.

    Levels and steps keep their own order: tables made of what is read back are the same.
    """
    results = guarded(results)
    lines = [asdict(finding) for finding in findings(results)]
    content = {**results.model_dump(mode="json"), "findings": lines}
    return long_json_bytes(content)


def report_schema() -> dict[str, Any]:
    """Say as a JSON Schema (draft 2020-12) what report.json holds."""
    made = results_schema()
    findings_of = TypeAdapter(list[Finding]).json_schema(ref_template="#/$defs/{model}")
    made["$defs"] |= findings_of.pop("$defs")
    made["properties"]["findings"] = {**findings_of, "title": "Findings"}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **made,
        "title": "report.json",
    }


def read_results(path: Path) -> Results:
    """Read the results back from a report.json.

    The findings are left aside: they are made anew from the numbers.

    Raises:
        InvalidInput: The file is not there or is no report; every place that is wrong is named.
    """
    value = _read(path)
    value.pop("findings", None)
    try:
        return results_of(value)
    except ValidationError as error:
        raise _wrong(path, error) from error


class RunSummary(BaseModel):
    """What a run said, without its numbers.

    Attributes:
        name: The run's name.
        synthetic: Whether its data is made up.
        warnings: What a reader should know.
        findings: What was found.
        left_out: Metrics without a value here, and what they need.
        shortened: Metrics that met texts longer than their model reads at once.
        verdicts: How many statements are supported, contradicted and not found.
        questions: What study.toml has to say before a column is filled.
    """

    model_config = ConfigDict(frozen=True, defer_build=True)

    name: str
    synthetic: bool
    warnings: tuple[str, ...]
    findings: tuple[Finding, ...]
    left_out: tuple[LeftOut, ...] = ()
    shortened: tuple[ShortenedResult, ...] = ()
    verdicts: tuple[VerdictsResult, ...] = ()
    questions: tuple[str, ...] = ()

    @classmethod
    def of(cls, results: Results) -> "RunSummary":
        """Give what these results say."""
        return cls(
            name=results.run.name,
            synthetic=results.study.synthetic,
            warnings=tuple(results.warnings),
            findings=tuple(findings(results)),
            left_out=tuple(results.left_out),
            shortened=tuple(results.shortened),
            verdicts=tuple(results.verdicts),
            questions=tuple(results.questions),
        )


def read_summary(path: Path) -> RunSummary:
    """Read from a report.json what its run said; the tables, most of the file, are left unread.

    Raises:
        InvalidInput: The file is not there or is no report; every place that is wrong is named.
    """
    value = _read(path)
    run, study = (part if isinstance(part := value.get(key), dict) else {} for key in _HEADS)
    try:
        return RunSummary.model_validate(
            {
                "name": run.get("name"),
                "synthetic": study.get("synthetic"),
                "warnings": value.get("warnings"),
                "findings": value.get("findings"),
                **{part: value.get(part, ()) for part in _PARTS},
            }
        )
    except ValidationError as error:
        raise _wrong(path, error) from error


_HEADS: Final = ("run", "study")
_PARTS: Final = ("left_out", "shortened", "verdicts", "questions")
_MUST: Final = "be a report.json that medassay wrote"


def _read(path: Path) -> dict[str, object]:
    try:
        value = _parsed(path.read_bytes())
    except OSError as error:
        raise InvalidInput(Problem(path.name, _MUST, error.strerror or str(error))) from error
    except (ValueError, RecursionError) as error:
        got = f"no JSON ({json_fault(error)})"
        raise InvalidInput(Problem(path.name, _MUST, got)) from error
    if not isinstance(value, dict):
        raise InvalidInput(Problem(path.name, _MUST, f"a {type(value).__name__}"))
    return value


def _parsed(content: bytes) -> object:
    """Parse JSON; quickly where nothing is wrong with it, and else so that it can be told."""
    try:
        return from_json(content, cache_strings="keys")
    except ValueError:
        return parse_widely(content.decode("utf-8-sig"))


def _wrong(path: Path, error: ValidationError) -> InvalidInput:
    return InvalidInput(
        Problem(path.name, _MUST, details["msg"], column=".".join(map(str, details["loc"])))
        for details in error.errors()
    )

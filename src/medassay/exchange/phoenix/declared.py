"""Phoenix's experiments and spans."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from medassay.exchange.declaration import Format, Glimpse, Reads
from medassay.exchange.tool_rows.files import records_of
from medassay.exchange.tool_rows.payload import (
    Told,
    Verdict,
    answered,
    asked,
    beside,
    count_said,
    first_names,
    parsed,
    take_row,
    taker,
    wanted,
)
from medassay.exchange.tool_rows.rows import (
    ToolRows,
    cells_of,
    left,
    named_id,
    number_said,
    readable,
    used,
)

_IN, _OUT = "attributes.input.value", "attributes.output.value"
_MODEL, _SPAN = "attributes.llm.model_name", "context.span_id"
_NOTE = left("ids, times, counts and settings")
_HOW = left("how and when a verdict was given")
_COLUMN: Final = "annotation_"
_PARTS: Final = ("label", "score", "explanation", "metadata", "annotator_kind", "trace_id",
                 "error", "start_time", "end_time")  # fmt: skip


def _rows(files: Sequence[Path], system: str) -> ToolRows:
    """Read runs of experiments, or spans with what was said of them in whichever file."""
    rows = ToolRows("Phoenix")
    given: dict[str, list[tuple[str, Mapping[str, Any]]]] = {}
    kept = []
    for file in files:
        for row, record in records_of(file, rows.beside, "data"):
            flat: Mapping[str, Any] = record if "example_id" in record else dict(cells_of(record))
            about = str(flat.get("span_id") or "")
            if about and "annotator_kind" in flat:
                given.setdefault(about, []).append((file.name, flat))
            else:
                kept.append((file, row, record, flat))
    spans = {str(flat.get(_SPAN)) for _, _, _, flat in kept}
    for file, row, record, flat in kept:
        with readable(file.name, row, "Phoenix"):
            if "example_id" in record:
                _run(rows, (file.name, row), record, system or file.stem)
            elif str(flat.get("parent_id") or "") in spans or flat.get(_IN) is None:
                rows.leave(file.name, flat, "a step of a trace")
            else:
                model = system or flat.get(_MODEL) or flat.get("name") or file.stem
                own = given.pop(str(flat.get(_SPAN)), [])
                _root(rows, (file.name, row), record, flat, own, named_id(model))
    for name, flat in (pair for pairs in given.values() for pair in pairs):
        rows.leave(name, flat, "of no answer in these files")
    return rows


def _run(rows: ToolRows, place: tuple[str, int], run: Mapping[str, Any], system: str) -> None:
    """Take one run of an experiment: a repetition is a sample."""
    failed = run.get("error") not in (None, "")
    told: list[Told] = [*asked(run.get("input"), "input")]
    told += wanted(run.get("reference_output"), "reference_output")
    told += [] if failed else answered(run.get("output"), "output")
    verdicts = [verdict for own in parsed(run.get("annotations")) or _columns(run)
                for verdict in _verdicts(rows, place[0], own, "annotations[]")]  # fmt: skip
    seconds = number_said(run.get("latency_ms"))
    told += [("latency_ms", seconds / 1000, used("seconds"))] if seconds is not None else []
    taken = ("input", "reference_output", "output", "annotations", "latency_ms")
    for name, value in run.items():
        if name not in taken and not name.startswith(_COLUMN):
            told += beside(parsed(value), name, why=_NOTE)
    number = number_said(run.get("repetition_number"))
    take_row(rows, place, told, [] if failed else verdicts, system="" if failed else system,
             case=str(run["example_id"]), sample=int(number or 1) - 1)  # fmt: skip


def _columns(run: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Give annotations that stand in columns, as annotation_NAME_score."""
    told: dict[str, dict[str, Any]] = {}
    for column, value in run.items():
        part = next((p for p in _PARTS if column.endswith(f"_{p}")), "")
        if column.startswith(_COLUMN) and part and value not in (None, ""):
            name = column[len(_COLUMN) : -len(part) - 1]
            told.setdefault(name, {"name": name})[part] = value
    return list(told.values())


def _root(
    rows: ToolRows, place: tuple[str, int], record: Mapping[str, Any], flat: Mapping[str, Any],
    given: Sequence[tuple[str, Mapping[str, Any]]], system: str,
) -> None:  # fmt: skip
    """Take the first span of a trace: its input is the question, its output the answer."""
    inside = [own for own in record.get("annotations") or [] if isinstance(own, dict)]
    verdicts = [verdict for file, own in [*given, *((place[0], own) for own in inside)]
                for verdict in _verdicts(rows, file, own, "annotations[]")]  # fmt: skip
    told: list[Told] = [*asked(flat[_IN], _IN), *answered(flat.get(_OUT), _OUT)]
    told += [(path, value, _NOTE) for path, value in flat.items()
             if path not in {_IN, _OUT} and not path.startswith("annotations")]  # fmt: skip
    take_row(rows, place, told, verdicts, system=system)


def _verdicts(rows: ToolRows, file: str, annotation: Mapping[str, Any], path: str) -> list[Verdict]:
    """Read an annotation: Phoenix says whether a person gave it, or a model or a program."""
    result = annotation.get("result") or {}
    own = {name.removeprefix("result."): held for name, held in annotation.items()}
    own = {**own, **result, "result": None}
    name = str(own.get("name") or own.get("annotation_name"))
    by = str(own.get("annotator_kind") or "").upper()
    said = by in {"HUMAN", ""}  # nobody says of what kind: that is asked
    value = next((part for part in ("score", "label") if own.get(part) not in (None, "")), "score")
    rest = {part: held for part, held in own.items() if part != value}
    count_said(rows, file, f"{path}.", rest, "explanation" if said else "", _HOW)
    who = named_id(own.get("user_id") or own.get("identifier") or "phoenix-user")
    comment, rater = str(own.get("explanation") or ""), who if said else None
    at = f"{path}.{value}"
    return [Verdict(at, name, own.get(value), rater, comment, person=by == "HUMAN")]


def _is_one(seen: Glimpse) -> bool:
    names = first_names(seen, "data")
    run = {"example_id", "input", "output", "reference_output"} <= names
    return run or {_SPAN, _IN, "span_kind"} <= names or {"span_id", "annotator_kind"} <= names


PHOENIX: Final = Format(
    id="phoenix",
    title="Phoenix",
    reads=Reads(
        about="Phoenix of Arize: experiments or spans, annotations of people, and scores.",
        files="Experiments as .json or .csv; spans and their annotations as tables or .json.",
        is_one=_is_one,
        take=taker(_rows),
    ),
)

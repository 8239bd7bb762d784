"""MLflow's evaluation results."""

import re
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from medassay.exchange.declaration import Format, Glimpse, Reads
from medassay.exchange.tool_rows.files import first_record, records_of, split_names
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
from medassay.exchange.tool_rows.rows import ToolRows, cells_of, left, named_id, number_said, used

_SCORED: Final = re.compile(r"(?:(?:response|retrieval)/llm_judged/)?(.+?)(?:/v\d+)?/(\w+)")
_scored: Final = cache(_SCORED.fullmatch)
_SCORES: Final = frozenset({"score", "value", "rating", "precision"})
_REASONS: Final = frozenset({"justification", "rationale", "rationales", "ratings", "error",
                             "error_message", "metadata"})  # fmt: skip
_ASKS: Final = ("inputs", "request", "question", "input", "query", "prompt")
_ANSWERS: Final = ("outputs", "response", "output", "predictions", "prediction", "answer")
_WANTED: Final = frozenset({"targets", "target", "expected_response", "expectations"})
_TRACE: Final = frozenset({"assessments", "trace_metadata", "request_metadata", "spans",
                           "execution_time_ms", "execution_duration"})  # fmt: skip
_TIMES: Final = {"execution_duration": 1000, "execution_time_ms": 1000, "latency": 1,
                 "agent/latency_seconds": 1}  # fmt: skip
_NOTE, _HOW = left("ids, times, counts and settings"), left("how and when a verdict was given")
_STEPS, _REASON = left("the steps behind the answer"), left("a judge's reason")


def _rows(files: Sequence[Path], system: str) -> ToolRows:
    """Read tables of results, or traces; a file without the name of a system is one system's."""
    rows = ToolRows("MLflow")
    for file in files:
        run = next((p.name for p in file.resolve().parents if p.name != "artifacts"), "")
        named = system or (run if file.stem == "eval_results_table" else file.stem)
        records = records_of(file, rows.beside, "traces")
        rows.each(file.name, records, partial(_record, rows, named))
    return rows


def _whole(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """Give a record flat: a trace has what it is about and what it holds apart."""
    info, data = record.get("info"), record.get("data")
    if not (isinstance(info, dict) and isinstance(data, dict)):
        return record
    meta = info.get("trace_metadata") or info.get("request_metadata") or {}
    ask = data.get("request") or meta.get("mlflow.traceInputs")
    answer = data.get("response") or meta.get("mlflow.traceOutputs")
    rest = {name: held for name, held in record.items() if name not in {"info", "data"}}
    return {**rest, **info, **data, "request": ask, "response": answer}


def _record(rows: ToolRows, system: str, place: tuple[str, int], own: Mapping[str, Any]) -> None:
    """Take one row: what was asked and answered, ratings of people, and scores."""
    record = _whole(own)
    ask, answer = _named(record, _ASKS), _named(record, _ANSWERS)
    told: list[Told] = [*asked(record.get(ask), ask), *answered(record.get(answer), answer)]
    verdicts: list[Verdict] = []
    for name, value in record.items():
        scored = _scored(name)
        if name in {ask, answer} or value is None or value != value:  # noqa: PLR0124 - NaN differs from itself
            continue
        if name == "assessments":
            for said in parsed(value):
                _assessment(rows, place[0], said, told, verdicts)
        elif name in _TIMES:
            parts = 1 if str(value).endswith("s") else _TIMES[name]  # a text has seconds: 1.2s
            told.append((name, (number_said(str(value).strip("s")) or 0) / parts, used("seconds")))
        elif scored and scored[2] in _SCORES:
            verdicts.append(Verdict(name, scored[1], value))
        elif scored and scored[2] in _REASONS:
            told += ((path, leaf, _REASON) for path, leaf in cells_of({name: value}))
        elif name in _WANTED:
            told += wanted(value, name)
        elif name in {"spans", "trace"}:
            told.append((name, str(value), _STEPS))
        else:
            told += beside(parsed(value), name, why=_NOTE)
    run = record.get("run_id") or record.get("model") or system
    take_row(rows, place, told, verdicts, system=named_id(run))


def _named(record: Mapping[str, Any], names: Sequence[str]) -> str:
    return next((name for name in names if record.get(name) not in (None, "")), names[0])


def _assessment(
    rows: ToolRows, file: str, own: Mapping[str, Any], told: list[Told], verdicts: list[Verdict]
) -> None:
    """Read an assessment: of a person, of a program, or what was expected, which is a reference."""
    name, source = str(own.get("assessment_name") or own.get("name")), own.get("source") or {}
    if own.get("valid") is False:
        rows.leave(file, {"assessments": [own]}, "replaced by a later verdict")
        return
    kind = next((kind for kind in ("feedback", "expectation") if kind in own), "")
    value = (own.get(kind) or {}).get("value") if kind else own.get("value")
    rest = {**own, "value": None, kind: {**(own.get(kind) or {}), "value": None}}
    by = str(source.get("source_type") or "UNSPECIFIED")
    said = by.endswith(("HUMAN", "UNSPECIFIED"))  # where nobody says who, it is asked
    count_said(rows, file, "assessments[].", rest, "rationale" if said else "", _HOW)
    if kind == "expectation":
        facts = value if name == "expected_facts" and isinstance(value, list) else []
        told += [(f"assessments[].{name}", fact, used("criterion")) for fact in facts]
        told += [] if facts else wanted(value, f"assessments[].{name}")
        return
    who = named_id(source.get("source_id") or "mlflow-user") if said else None
    comment, at = str(own.get("rationale") or ""), f"assessments[].{kind or 'value'}"
    verdicts.append(Verdict(at, name, value, who, comment, person=by == "HUMAN"))


def _is_one(seen: Glimpse) -> bool:
    split = split_names(first_record(seen))
    names = frozenset(split) or first_names(seen, "traces")
    scored = any(match[2] in _SCORES for match in map(_SCORED.fullmatch, names) if match)
    asks, answers = not names.isdisjoint(_ASKS), not names.isdisjoint(_ANSWERS)
    trace = {"request", "response"} <= names and not names.isdisjoint(_TRACE)
    info = {"info.trace_id", "info.request_id"} & names and {"info", "data"} <= names
    return bool(trace or info or (asks and answers and (scored or split)))


MLFLOW: Final = Format(
    id="mlflow",
    title="MLflow",
    reads=Reads(
        about="MLflow: evaluation results or traces, feedback of people, and scores.",
        files="eval_results_table.json, other tables of results, traces as .json.",
        is_one=_is_one,
        take=taker(_rows),
    ),
)

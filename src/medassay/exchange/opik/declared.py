"""Opik's exported experiments and traces."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from medassay.errors import InvalidInput, Problem
from medassay.exchange.declaration import Format, Glimpse, Reads
from medassay.exchange.tool_rows.files import first_record, json_of
from medassay.exchange.tool_rows.payload import (
    Told,
    Verdict,
    answered,
    asked,
    said_by,
    take_row,
    taker,
)
from medassay.exchange.tool_rows.rows import ToolRows, cells_of, left, named_id, used

_ITEM: Final = frozenset({"dataset_item_id", "trace_id"})
_FACT, _JUDGE = (
    left("a fact of the item or the trace"),
    left("a scorer's reason, or when it scored"),
)
_STEPS: Final = left("the steps behind the answer")
_SCORES: Final = "feedback_scores[]"
_VALUES: Final = frozenset({f"{_SCORES}.value", f"{_SCORES}.category_name"})
_PERSON, _PROGRAM = "ui", "online_scoring"
"""What Opik calls the source of a score that somebody gave in its pages, or that a rule gave."""


def _rows(files: Sequence[Path], system: str) -> ToolRows:
    """Read experiments and traces; an experiment is one system's."""
    rows = ToolRows("Opik")
    rows.not_read(files, _inside(files))
    for file in _inside(files):
        held = json_of(file)
        parts = list(_records(held, file.stem))
        if not parts:
            hint = "Write it with: opik export WORKSPACE experiment NAME."
            raise InvalidInput(Problem(file.name, "hold items or a trace of Opik", "none", hint))
        rows.beside(file.name, held, "items", "trace", "spans", "traces")
        rows.each(file.name, enumerate(parts, 1), partial(_record, rows, system))
    return rows


def _inside(files: Sequence[Path]) -> list[Path]:
    """List the files; of a folder its experiments and traces, experiments first."""
    return [
        own
        for file in files
        for own in ([*sorted(file.rglob("experiment*.json")), *sorted(file.rglob("trace*.json"))]
                    if file.is_dir() else [file])
    ]  # fmt: skip


def _records(held: Any, name: str) -> Iterator[tuple[str, dict[str, Any]]]:  # noqa: ANN401 - whatever stands there
    """Give the items of experiments and the traces of a file, each with whose its answer is."""
    if isinstance(held, list):
        for own in held:
            yield from _records(own, name)
    elif isinstance(held, dict) and isinstance(held.get("items"), list):
        experiment = held.get("experiment") or {}
        for item in held["items"]:
            yield str(experiment.get("name") or name), item
    elif isinstance(held, dict) and isinstance(held.get("trace"), dict):
        spans = {"spans": held.get("spans") or []}
        yield str(held.get("project_name") or name), {**held["trace"], **spans}
    elif isinstance(held, dict) and (_is_item(held) or _is_trace(held)):
        yield str(held.get("project_name") or name), dict(held)


def _record(
    rows: ToolRows, system: str, place: tuple[str, int], named: tuple[str, Mapping[str, Any]]
) -> None:
    """Take an item or a trace: what was asked and answered, and what was said of the answer."""
    name, record = named
    about = next(n for n in ("dataset_item_data", "input") if record.get(n) or n == "input")
    said = next(n for n in ("evaluation_task_output", "output") if record.get(n) or n == "output")
    told: list[Told] = [*asked(record.get(about), about), *answered(record.get(said), said)]
    if not any(use.role in {"question", "turns"} for _, _, use in told):
        rows.problem(place[0], "say what was asked", "no input", "", place[1], about)
        return
    taken = {about, said, "feedback_scores"}
    for path, value in cells_of({name: own for name, own in record.items() if name not in taken}):
        use = _STEPS if path.startswith("spans") else _FACT
        if path == "total_estimated_cost":
            use = used("cost")
        elif path == "duration" and isinstance(value, int | float):
            value, use = value / 1000, used("seconds")  # noqa: PLW2901 - in seconds
        told.append((path, value, use))
    failed = bool(record.get("error_info")) or not any(use.role == "answer" for _, _, use in told)
    verdicts = [] if failed else list(_verdicts(record.get("feedback_scores") or []))
    for score in record.get("feedback_scores") or []:
        paths = [p for p, _ in cells_of(score, f"{_SCORES}.") if failed or p not in _VALUES]
        use = left("of no answer") if failed else _JUDGE
        rows.count_all(place[0], paths, [use] * len(paths))
    case = named_id(record.get("dataset_item_id") or "")
    take_row(rows, place, told, verdicts, system="" if failed else system or name, case=case)


def _verdicts(scores: Sequence[Mapping[str, Any]]) -> Iterator[Verdict]:
    """Give what people said, each by name, and the scores of programs."""
    for score in scores:
        by = score.get("value_by_author") or {}
        several = [(who, own) for who, own in by.items() if isinstance(own, Mapping)]
        for who, own in several or [(str(score.get("created_by") or "opik-user"), score)]:
            name, source = str(score["name"]), str(own.get("source", score.get("source")))
            person = source == _PERSON
            rater = said_by(name, who, person=person, program=source == _PROGRAM)
            value = (own.get("category_name") if rater else None) or own.get("value")
            comment = str(own.get("reason") or "") if rater else ""
            yield Verdict(f"{_SCORES}.value", name, value, rater, comment, person=person)


def _is_item(held: Mapping[str, Any]) -> bool:
    return held.keys() >= _ITEM and not {"evaluation_task_output", "output"}.isdisjoint(held)


def _is_trace(held: Mapping[str, Any]) -> bool:
    return {"project_id", "input", "output", "start_time"} <= held.keys()


def _is_one(seen: Glimpse) -> bool:
    if seen.path.is_dir():
        return any(_is_one(Glimpse(own)) for own in _inside([seen.path])[:3])
    held = first_record(seen)
    items, trace = held.get("items"), held.get("trace")
    if isinstance(items, list) and isinstance(held.get("experiment"), dict):
        first = items[0] if items and isinstance(items[0], dict) else {}
        return not items or bool({"dataset_item_id", "dataset_item_data"} & first.keys())
    ours = isinstance(trace, dict) and {"spans", "project_name"} & held.keys()
    return bool(ours) or _is_item(held) or _is_trace(held)


OPIK: Final = Format(
    id="opik",
    title="Opik",
    reads=Reads(
        about="Opik: experiments and traces, with a score a metric and the ratings of people.",
        files="What opik export writes as .json, or its folder; an experiment is one system's.",
        is_one=_is_one,
        take=taker(_rows),
    ),
)

"""Argilla's exported records, of version 1 and 2."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

from medassay.exchange.declaration import Format, Glimpse, Reads
from medassay.exchange.label_studio import new_study
from medassay.exchange.label_studio.declared import task_taker
from medassay.exchange.spreadsheet.raters import is_like_a_model
from medassay.exchange.tool_rows.files import first_record, records_of
from medassay.exchange.tool_rows.rows import ToolRows, readable

_OURS: Final = {"id", "_server_id", "external_id", "status", "vectors", "inserted_at", "updated_at"}
_LISTS: Final = {"responses": "annotations", "suggestions": new_study.UNSAID}
_TYPES: Final = {"model": "predictions", True: "predictions", "human": new_study.SUGGESTED}
"""What a suggestion is said to be of, or is by a model's name; else nobody says of whom."""
_PATHS: Final = {"completed_by": "user_id", "was_cancelled": "status"}
_READ: Final = frozenset({"value", "user_id", "status", "agent", "values", "question_name"})
_BESIDE: Final = "beside."
_LONG: Final = 40
_END: Final = re.compile(r"\.responses.*|[.-]suggestion.*")


def _rows(files: Sequence[Path], system: str, names: Mapping[str, str]) -> ToolRows:
    """Read records as tasks, whose cells are counted where the records have them."""
    rows = ToolRows("Argilla")
    for file in files:
        with readable(file.name, 1, "Argilla"):
            tasks = [_task(record) for _, record in records_of(file, rows.beside)]
            _tell_texts(tasks)
        new_study.take_tasks(rows, file, tasks, system, names)
    shapes, rows.shapes = rows.shapes, Counter()
    for (place, paths, uses), n in shapes.items():
        rows.shapes[place, tuple(map(_path, paths)), uses] += n
    return rows


def _path(path: str) -> str:
    start, _, name = path.partition("[].")
    if start not in new_study.SAID_BY:
        return path.removeprefix("data.")
    ours, name = (
        "responses" if start == "annotations" else "suggestions",
        name.removeprefix(_BESIDE),
    )
    return f"{ours}.{_PATHS.get(name, name)}"


def _task(record: Mapping[str, Any]) -> dict[str, Any]:
    """Give a record of any version as a task that people annotated and models predicted."""
    data, rest = dict[str, Any](), dict[str, Any]()
    said: list[tuple[str, str, Mapping[str, Any]]] = []
    for name, held in record.items():
        stem = _END.sub("", name)
        if name == "fields":
            data.update(own for pair in held.items() for own in _chat(*pair))
        elif name == "metadata":
            facts = json.loads(held) if isinstance(held, str) else held or {}
            data.update({f"metadata.{own}": value for own, value in facts.items()})
        elif name in _LISTS:
            said += [(name, *own) for own in _nested(held)]
        elif name.endswith(".responses"):
            beside = (record.get(f"{name}.{part}") or [] for part in ("users", "status"))
            for value, user, state in zip_longest(held or [], *beside):
                said.append(("responses", stem, {"value": value, "user_id": user, "status": state}))
        elif _is_response(held):
            said += [("responses", name, own) for own in held]
        elif name.endswith((".suggestion", "-suggestion")):
            own = record.get(f"{name}-metadata") or {}
            facts = {n: own.get(n, record.get(f"{name}.{n}")) for n in ("agent", "type")}
            said.append(("suggestions", stem, {**facts, "value": held}))
        else:
            (rest if name in _OURS or stem != name or "fields" in record else data)[name] = held
    return {"data": data, **_annotations(said), **rest}


def _chat(name: str, held: Any) -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - whatever stands there
    """Give a field; of a chat what led up to the system's last turn, and that turn."""
    turns: list[Any] = held if isinstance(held, list) else []
    if not turns or not all(isinstance(own, dict) and "role" in own for own in turns):
        yield name, held
    elif turns[-1]["role"] == "assistant":
        yield from (("turns", turns[:-1]), ("answer", turns[-1].get("content")))
    else:
        yield "turns", turns


def _annotations(said: Sequence[tuple[str, str, Mapping[str, Any]]]) -> dict[str, Any]:
    """Give what each person and each model said of a record as one annotation."""
    by: dict[tuple[str, str, bool], list[dict[str, Any]]] = {}
    for part, name, own in said:
        who, list_of = own.get("user_id"), _LISTS[part]
        if part == "suggestions":
            who = str(own.get("agent") or "suggestion")
            list_of = _TYPES.get(own.get("type") or is_like_a_model(who), list_of)
        over = str(own.get("status") or "submitted") != "submitted"
        results = by.setdefault((list_of, str(who or ""), over), [])
        if own.get("value") is not None:
            facts = {n: held for n, held in own.items() if n not in _READ}
            results.append({**_result(name, own["value"]), _BESIDE[:-1]: facts})
    return {
        theirs: [{"completed_by": who, "result": results, "was_cancelled": over or None}
                 for (part, who, over), results in by.items() if part == theirs]
        for theirs in new_study.SAID_BY
    }  # fmt: skip


def _nested(held: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:  # noqa: ANN401 - whatever stands there
    """Give what was said, by the name of its question, or a user's answers together."""
    if isinstance(held, dict):
        for name, said in held.items():
            yield from ((name, own) for own in (said if isinstance(said, list) else [said]))
    for own in held if isinstance(held, list) else ():
        values = own.get("values") or {own.get("question_name"): own}
        yield from ((str(name), {**own, **value}) for name, value in values.items())


def _is_response(held: object) -> bool:
    own, keys = held if isinstance(held, list) else [], {"user_id", "value", "status"}
    return bool(own) and all(isinstance(said, dict) and keys <= said.keys() for said in own)


def _result(name: str, value: Any) -> dict[str, Any]:  # noqa: ANN401 - whatever stands there
    """Give a response: a number, a label or several, a ranking, marked passages."""
    kind = "rating" if isinstance(value, int | float) else "choices"
    if isinstance(value, list) and any(isinstance(own, dict) for own in value):
        kind = "ranking" if any("rank" in own for own in value) else "marked passages"
    return {"type": kind, "from_name": name, "value": {kind: value}}


def _tell_texts(tasks: Sequence[Mapping[str, Any]]) -> None:
    """Say of the questions that were answered in whole texts that those are no labels."""
    said = [own for task in tasks for name in new_study.SAID_BY for own in task[name]]
    results = [result for own in said for result in own["result"]]
    told = [(own["from_name"], own["value"].get("choices")) for own in results]
    long = {name for name, text in told if isinstance(text, str) and len(text) > _LONG}
    for result, (name, text) in zip(results, told, strict=True):
        if name in long:
            result |= {"type": "textarea", "value": {"text": text}}


def _is_one(seen: Glimpse) -> bool:
    first = first_record(seen)
    nested = isinstance(first.get("fields"), dict) and "responses" in first
    flat = any(name.endswith((".responses.users", "-suggestion-metadata")) for name in first)
    return nested or flat or ("external_id" in first and any(map(_is_response, first.values())))


ARGILLA: Final = Format(
    id="argilla",
    title="Argilla",
    reads=Reads(
        about="Argilla: records with the responses of people, and the suggestions of models.",
        files="Records as .json or .jsonl, of version 1 or 2, nested or flat.",
        is_one=_is_one,
        take=task_taker(_rows),
    ),
)

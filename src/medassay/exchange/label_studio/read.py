"""Label Studio's JSON export: tasks with their annotations."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

from pydantic import BaseModel, ConfigDict

from medassay.errors import InvalidInput, Problem
from medassay.exchange.declaration import json_at
from medassay.exchange.other_tools.import_ratings import ToolRating, ToolRatings
from medassay.tables import read_record

_ONE: Final = {"choices": "choices", "rating": "rating", "number": "number", "textarea": "text"}
"""The kinds of result that say one thing of a whole item, to the key of what was said."""


class _Part(BaseModel):
    # Label Studio adds keys from version to version.
    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="ignore", defer_build=True)
    tells_unread: ClassVar[bool] = True


class _Result(_Part):
    type: str
    from_name: str = ""
    value: dict[str, Any] = {}


class _Annotation(_Part):
    completed_by: int | str | dict[str, Any] | None = None
    result: list[_Result]
    was_cancelled: bool | None = None
    created_at: str | None = None
    updated_at: str | None = None
    lead_time: float | None = None


class _Task(_Part):
    id: int | str | None = None
    data: dict[str, Any]
    annotations: list[_Annotation]
    predictions: list[Any] = []
    drafts: list[Any] = []


def read_label_studio(paths: Sequence[Path]) -> ToolRatings:
    """Read files that Label Studio exports as JSON (not JSON-MIN, not CSV).

    Choices, ratings, numbers and texts are read. Of an annotation the moment is the one of its last
    change, and the annotator is the e-mail address where the file has it, or else the number.

    Raises:
        InvalidInput: Every problem of every file, with the task and the path in it.
    """
    tool_ratings = ToolRatings()
    problems: list[Problem] = []
    for path in paths:
        try:
            tasks = json_at(path)
        except InvalidInput as error:
            problems += error.problems
            continue
        if not isinstance(tasks, list) or not all(isinstance(task, dict) for task in tasks):
            hint = "In Label Studio: Export, then JSON."
            problems.append(Problem(path.name, "be a list of tasks", "something else", hint))
            continue
        for place, cells in enumerate(tasks):
            _read_task(tool_ratings, path.name, place, cells, problems)
    if problems:
        raise InvalidInput(problems)
    return tool_ratings


def _read_task(
    tool_ratings: ToolRatings, file: str, place: int, cells: dict[str, Any], problems: list[Problem]
) -> None:
    if "data" not in cells and "annotation_id" in cells:
        hint = "In Label Studio: Export, then JSON."
        must = "have data and annotations, as the JSON export has"
        problems.append(Problem(file, must, "a task of JSON-MIN", hint, place + 1))
        return
    task = read_record(_Task, cells, file=file, row=place + 1, problems=problems)
    if task is None:
        return
    fields = {name: str(value) for name, value in task.data.items() if _is_plain(value)}
    item = fields.get("code", "" if task.id is None else str(task.id))
    tool_ratings.left["predictions of models"] += len(task.predictions)
    tool_ratings.left["drafts that nobody submitted"] += len(task.drafts)
    tool_ratings.left["tasks that nobody annotated"] += not task.annotations
    for number, annotation in enumerate(task.annotations, 1):
        where = f"annotations[{number}]"
        if annotation.was_cancelled:
            tool_ratings.left["annotations that were skipped"] += 1
            continue
        rater = _rater(annotation.completed_by)
        if not rater:
            must = "say who annotated, as completed_by does"
            problems.append(Problem(file, must, "nobody", "", place + 1, where))
            continue
        for turn, result in enumerate(annotation.result, 1):
            at = f"{where}.result[{turn}]"
            chosen = _said(result)
            if chosen is None:
                tool_ratings.left[f"results of the type {result.type}"] += 1
                continue
            if len(chosen) > 1:
                must, got = "choose one thing", ", ".join(chosen)
                hint = "A dimension takes one label: set choice to single in the configuration."
                problems.append(Problem(file, must, got, hint, place + 1, at))
                continue
            time = annotation.updated_at or annotation.created_at
            tool_ratings.ratings += [
                ToolRating(file, place + 1, at, item, rater, result.from_name, words, time=time,
                           seconds=annotation.lead_time, fields=fields)
                for words in chosen
            ]  # fmt: skip


def _said(result: _Result) -> list[str] | None:
    """Give what a result says: no, one or several words; None where it is of another kind."""
    key = _ONE.get(result.type)
    if key is None:
        return None
    value = result.value.get(key)
    if result.type == "textarea":
        texts = value if isinstance(value, list) else [value]
        whole = "\n".join(str(text) for text in texts if text)
        return [whole] if whole.strip() else []
    words = value if isinstance(value, list) else [value]
    return [_word(word) for word in words if word is not None]


def _word(value: object) -> str:
    """Write a number as a label is written: 4.0 is 4."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def _rater(completed_by: int | str | dict[str, Any] | None) -> str:
    if isinstance(completed_by, dict):
        completed_by = completed_by.get("email") or completed_by.get("id")
    return "" if completed_by is None else str(completed_by).strip()


def _is_plain(value: object) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)

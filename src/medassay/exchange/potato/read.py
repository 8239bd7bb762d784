"""What annotators said in Potato: its state of each annotator, or one of its exports."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TypeGuard

from medassay.errors import InvalidInput, Problem
from medassay.exchange.other_tools.items import read_items
from medassay.exchange.other_tools.tool_ratings import ToolRating, ToolRatings
from medassay.tables import read_json, read_sheet

__all__ = ["read_potato"]

_STATE: Final = "instance_id_to_label_to_value"
_SEEN: Final = "instance_id_to_behavioral_data"
_FORMS: Final = "user_state.json, annotations.jsonl, annotations.csv or annotations.tsv of Potato 2"
_OFF: Final = (None, "", False, "false", "False")
_ON: Final = (True, "true", "True")
_ASIDE: Final = frozenset({"free_response", "bad_text"})
_OWN: Final = frozenset(
    {"instance_id", "user_id", "annotator_origin", "annotator_origin_detail", "engine_purpose",
     "engine_request"}
)  # fmt: skip

_Labels = Mapping[str, Mapping[str, object]]
"""Schema to the name of each field that was filled, to its value."""


def read_potato(paths: Sequence[Path], items: Path | None = None) -> ToolRatings:
    """Read what annotators said, and the file of items where one is given.

    A folder stands for every `user_state.json` in it, which is where a Potato server keeps the
    answers: `annotation_output/<annotator>/user_state.json`.

    Args:
        paths: Folders, states of annotators, or Potato's exports as JSONL, CSV or TSV.
        items: The data file that the annotators were shown, with a column `id`.

    Raises:
        InvalidInput: Every problem of every file.
    """
    tool_ratings = ToolRatings()
    problems: list[Problem] = []
    for path in _files(paths, problems):
        try:
            _read(tool_ratings, path, problems)
        except InvalidInput as error:
            problems += error.problems
    if items is not None:
        try:
            tool_ratings.items = read_items(items)
        except InvalidInput as error:
            problems += error.problems
    if problems:
        raise InvalidInput(problems)
    return tool_ratings


def _files(paths: Sequence[Path], problems: list[Problem]) -> Iterator[Path]:
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        inside = sorted(file for file in path.rglob("*") if file.name == "user_state.json")
        if not inside:
            must = "hold the answers of annotators, user_state.json"
            problems.append(Problem(str(path), must, "none", "Give annotation_output."))
        yield from inside


def _read(tool_ratings: ToolRatings, path: Path, problems: list[Problem]) -> None:
    if path.suffix.lower() == ".json":
        # States are all called alike: the folder tells them apart.
        _read_state(tool_ratings, f"{path.parent.name}/{path.name}", read_json(path), problems)
        return
    sheet = read_sheet(path)
    lacking = [name for name in ("instance_id", "user_id") if name not in sheet.columns]
    if lacking:
        must, got = f"be {_FORMS}", f"a table without {' and '.join(lacking)}"
        problems.append(Problem(sheet.file, must, got, row=sheet.header))
        return
    for row, cells in sheet.records():
        labels = cells.get("labels", {}) if "labels" in sheet.columns else _of_row(cells)
        if not _is_labels(labels):
            must = "be an object of schemas, each with what was chosen"
            problems.append(Problem(sheet.file, must, "something else", "", row, "labels"))
            continue
        origin = cells.get("annotator_origin")
        kind = origin.get("kind") if isinstance(origin, dict) else origin
        item, rater = str(cells.get("instance_id", "")), str(cells.get("user_id", ""))
        for name in _lost(cells):
            tool_ratings.left[name] += 1
        _take(
            tool_ratings, _Place(sheet.file, row), (item, rater, _kind(kind)), labels, {}, problems
        )


def _of_row(cells: Mapping[str, object]) -> dict[str, dict[str, object]]:
    """Gather the columns `schema.name` of a row; a column of the schema alone settles it."""
    labels: dict[str, dict[str, object]] = {}
    for column, value in cells.items():
        schema, dot, name = column.partition(".")
        if column not in _OWN and dot and not name.startswith("_"):
            labels.setdefault(schema, {})[name] = value
    for column, value in cells.items():
        if column not in _OWN and "." not in column:
            labels[column] = {str(value): value}
    return labels


def _lost(cells: Mapping[str, object]) -> Iterator[str]:
    """Name what a row of an export holds beside labels."""
    for column, value in cells.items():
        if column.endswith("._spans") or (column == "spans" and value):
            yield "spans marked in a text"
        elif column == "links" and value:
            yield "links between spans"


def _read_state(
    tool_ratings: ToolRatings, file: str, state: object, problems: list[Problem]
) -> None:
    if not isinstance(state, dict) or not isinstance(state.get(_STATE), dict):
        problems.append(Problem(file, f"be {_FORMS}", "another JSON file"))
        return
    origin = state.get("origin") or {}
    rater = str(state.get("user_id", ""))
    for item, pairs in state[_STATE].items():
        labels: dict[str, dict[str, object]] = {}
        entries = pairs if isinstance(pairs, list) else []
        for entry in entries:
            if not (isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], dict)):  # noqa: PLR2004 - a pair: what was asked, and what was said
                must = "be pairs of a label and its value"
                problems.append(Problem(file, must, "something else", column=f"{_STATE}.{item}"))
                break
            asked, value = entry
            labels.setdefault(str(asked.get("schema", "")), {})[str(asked.get("name", ""))] = value
        seen = (state.get(_SEEN) or {}).get(item) or {}
        kind = _kind(origin.get("kind")) if isinstance(origin, dict) else "person"
        place = _Place(file, None, f"{_STATE}.{item}")
        _take(tool_ratings, place, (str(item), rater, kind), labels, seen, problems)
    spans = state.get("instance_id_to_span_to_value") or {}
    tool_ratings.left["spans marked in a text"] += sum(map(len, spans.values()))
    phases = state.get("phase_to_page_to_label_to_value") or {}
    tool_ratings.left["answers to questions of surveys"] += sum(
        len(page) for pages in phases.values() for page in pages.values()
    )


@dataclass(frozen=True)
class _Place:
    """Where an annotator's answers to one item stand: a row, or a path."""

    file: str
    row: int | None
    path: str = ""

    def problem(self, of: str, must: str, got: str, hint: str = "") -> Problem:
        return Problem(self.file, must, got, hint, self.row, self.of(of))

    def of(self, schema: str) -> str:
        return f"{self.path}.{schema}" if self.path else schema


def _take(
    tool_ratings: ToolRatings,
    place: _Place,
    who: tuple[str, str, str],
    labels: _Labels,
    seen: Mapping[str, Any],
    problems: list[Problem],
) -> None:
    item, rater, kind = who
    if not item or not rater:
        lacking = "instance_id" if not item else "user_id"
        problems.append(place.problem(lacking, "be given", "nothing"))
        return
    changes = [change for change in seen.get("annotation_changes", ()) if isinstance(change, dict)]
    asked = [schema for schema, label in labels.items() if label]
    for schema in asked:
        chosen = {name: value for name, value in labels[schema].items() if value not in _OFF}
        for name in _ASIDE & set(chosen):
            tool_ratings.left[f"answers in the field {name}"] += 1
            del chosen[name]
        mine = [change for change in changes if change.get("schema_name") == schema]
        if len(chosen) > 1:
            chosen = _latest(chosen, mine)
        if len(chosen) > 1:
            must, hint = "choose one thing", "A dimension takes one label."
            problems.append(place.problem(schema, must, ", ".join(chosen), hint))
            continue
        milliseconds = seen.get("total_time_ms")
        tool_ratings.ratings += [
            ToolRating(
                place.file,
                place.row,
                place.of(schema),
                item,
                rater,
                schema,
                name,
                "" if value in _ON else str(value),
                kind,
                _moment(mine),
                milliseconds / 1000 if milliseconds else None,
            )
            for name, value in chosen.items()
        ]


def _latest(
    chosen: Mapping[str, object], changes: Sequence[Mapping[str, Any]]
) -> dict[str, object]:
    """Keep what was selected last, where the file says so: early versions kept every click."""
    selected = [
        (change.get("timestamp", 0), str(change.get("label_name")))
        for change in changes
        if change.get("action") == "select" and str(change.get("label_name")) in chosen
    ]
    if not selected:
        return dict(chosen)
    name = max(selected)[1]
    return {name: chosen[name]}


def _moment(changes: Sequence[Mapping[str, Any]]) -> str | None:
    times = [
        change["timestamp"]
        for change in changes
        if isinstance(change.get("timestamp"), int | float)
    ]
    return datetime.fromtimestamp(max(times), UTC).isoformat() if times else None


def _kind(origin: object) -> str:
    return "model" if origin in {"tool", "llm"} else "person"


def _is_labels(value: object) -> TypeGuard[_Labels]:
    return isinstance(value, dict) and all(isinstance(labels, dict) for labels in value.values())

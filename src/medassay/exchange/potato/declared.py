"""Potato's annotations and tasks: blinded items out, what annotators said in."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Final, TypeGuard

from medassay.campaign.rating_sheet import HEADINGS, REASON_WORDS, SYNTHETIC
from medassay.errors import InvalidInput, Problem
from medassay.exchange.declaration import Format, Glimpse, Option, Reads, json_at
from medassay.exchange.other_tools.declaring import Names
from medassay.exchange.other_tools.export_tasks import AnnotationTool, task_writes
from medassay.exchange.other_tools.import_ratings import (
    COMMENTS,
    ToolProject,
    ToolRating,
    ToolRatings,
    ToolTask,
    check_names,
    import_ratings,
    in_words,
    read_items,
)
from medassay.exchange.outcome import Outcome
from medassay.judgements import Dimension, Rubric
from medassay.study import Study
from medassay.tables import jsonl_bytes, read_sheet, text_bytes

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
        _read_state(tool_ratings, f"{path.parent.name}/{path.name}", json_at(path), problems)
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
        _take_rating(
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
        _take_rating(tool_ratings, place, (str(item), rater, kind), labels, seen, problems)
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


def _take_rating(
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


def potato_files(project: ToolProject) -> dict[str, bytes]:
    """Write the files of a server, by their names."""
    rubric, tasks, kinds, title, synthetic, ratings = project
    files = {
        "config.yaml": potato_config(rubric, kinds, title=title, synthetic=synthetic),
        "items.jsonl": potato_items(tasks, kinds),
    }
    if ratings:
        files["annotations.jsonl"] = potato_annotations(tasks, rubric)
    return files


def potato_config(rubric: Rubric, kinds: Sequence[str], *, title: str, synthetic: bool) -> bytes:
    """Write the server's configuration: `potato start config.yaml` runs it.

    Args:
        rubric: What is asked.
        kinds: The kinds of text that an item has, in order; see `HEADINGS`.
        title: What stands above every page.
        synthetic: Whether the data are made up, which is then part of the title.
    """
    shown = [
        {"key": kind, "type": "text", "label": HEADINGS.get(kind, "Code")}
        for kind in kinds or ["id"]
    ]
    config: dict[str, object] = {
        "annotation_task_name": f"{title}. {SYNTHETIC}" if synthetic else title,
        "task_dir": ".",
        "output_annotation_dir": "annotation_output",
        "data_files": ["items.jsonl"],
        "item_properties": {"id_key": "id", "text_key": "text"},
        "assignment_strategy": "random",
        "user_config": {"allow_all_users": True, "users": []},
        "instance_display": {"fields": shown},
        "annotation_schemes": [*map(_scheme, rubric.dimensions), _comment(rubric)],
    }
    return text_bytes("".join(f"{line}\n" for line in _yaml(config, 0)))


def potato_items(tasks: Sequence[ToolTask], kinds: Sequence[str]) -> bytes:
    """Write the items, one a line."""
    rows = []
    for task in tasks:
        texts = {kind: "\n\n".join(task.texts.get(kind, ())) for kind in kinds}
        rows.append({"id": task.code, "text": texts.get("answer") or task.code, **texts})
    return jsonl_bytes(rows)


def potato_annotations(tasks: Sequence[ToolTask], rubric: Rubric) -> bytes:
    """Write what raters have said already, as Potato's export to JSONL has it."""
    rows: list[Mapping[str, object]] = []
    for task in tasks:
        for rater, labels in sorted(task.labels.items()):
            answers = {
                question: {word if question in rubric.ids else "text_box": word}
                for question, word in in_words(labels).items()
            }
            row = {"instance_id": task.code, "user_id": rater, "labels": answers}
            rows.append({**row, "spans": {}, "links": {}})
    return jsonl_bytes(rows)


def _scheme(asked: Dimension) -> dict[str, object]:
    labels: list[object] = [
        {"name": label.label, **({"tooltip": label.description} if label.description else {})}
        for label in asked.labels
    ]
    return {
        "annotation_type": "radio",
        "name": asked.id,
        "description": asked.question,
        "labels": [*labels, *({"name": word} for word in REASON_WORDS)],
        "label_requirement": {"required": True},
        # Potato would show "no-harm" as "No Harm".
        "humanize_labels": False,
    }


def _comment(rubric: Rubric) -> dict[str, object]:
    words = rubric.rationale or "Comment"
    return {
        "annotation_type": "text",
        "name": COMMENTS[0],
        "description": words,
        "multiline": True,
    }


def _yaml(value: Mapping[str, object], depth: int) -> Iterator[str]:
    """Write a mapping as YAML; scalars are written as JSON, which YAML holds."""
    pad = "  " * depth
    for key, inner in value.items():
        if isinstance(inner, Mapping) and inner:
            yield f"{pad}{key}:"
            yield from _yaml(inner, depth + 1)
        elif isinstance(inner, list) and inner and isinstance(inner[0], Mapping):
            yield f"{pad}{key}:"
            for entry in inner:
                first, *others = _yaml(entry, depth + 2)
                yield f"{pad}  - {first.strip()}"
                yield from others
        else:
            yield f"{pad}{key}: {json.dumps(inner, ensure_ascii=False)}"


def _take(
    study: Study,
    files: Sequence[Path],
    *,
    items: Annotated[
        Path | None,
        Option("The data file that annotators saw; not needed for our own exports."),
    ] = None,
    column: Names,
) -> Outcome:
    check_names(study, column)
    return Outcome.of_one(import_ratings(study, read_potato(files, items), column))


def _is_one(seen: Glimpse) -> bool:
    if seen.path.is_dir():
        return seen.holds("user_state.json")
    return seen.has("instance_id", "user_id") or "instance_id_to_label_to_value" in seen.first


POTATO_TOOL: Final = AnnotationTool("potato", potato_files)
POTATO: Final = Format(
    id="potato",
    title="Potato",
    reads=Reads(
        about="Potato: what annotators said, as judgements.",
        files="annotation_output, or annotations.jsonl, .csv or .tsv.",
        is_one=_is_one,
        take=_take,
    ),
    writes=task_writes(
        POTATO_TOOL,
        "Potato: blinded items, and the configuration of a server that asks the rubric.",
    ),
)

"""A task for a Potato server: its items, and the configuration that a rubric makes."""

import json
from collections.abc import Iterator, Mapping, Sequence

from medassay.campaign.rating_sheet import HEADINGS, REASON_WORDS, SYNTHETIC
from medassay.exchange.other_tools.tool_ratings import COMMENTS, ToolProject, ToolTask, in_words
from medassay.judgements import Dimension, Rubric
from medassay.tables import jsonl_bytes, text_bytes

__all__ = ["potato_annotations", "potato_config", "potato_files", "potato_items"]


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

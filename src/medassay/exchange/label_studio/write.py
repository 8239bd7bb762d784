"""Tasks for Label Studio, and the labelling configuration that a rubric makes."""

from collections.abc import Mapping, Sequence
from xml.sax.saxutils import quoteattr

from medassay.campaign.rating_sheet import HEADINGS, REASON_WORDS, SYNTHETIC
from medassay.exchange.other_tools.import_ratings import COMMENTS, ToolProject, ToolTask, in_words
from medassay.judgements import Rubric
from medassay.tables import json_bytes, text_bytes


def label_studio_files(project: ToolProject) -> dict[str, bytes]:
    """Write the files of a project, by their names."""
    rubric, tasks, kinds, title, synthetic, ratings = project
    config = label_studio_config(rubric, kinds, instructions=title, synthetic=synthetic)
    written = (
        label_studio_annotations(tasks, rubric, kinds)
        if ratings
        else label_studio_tasks(tasks, kinds)
    )
    return {"labelling.xml": config, "tasks.json": written}


def label_studio_config(
    rubric: Rubric, kinds: Sequence[str], *, instructions: str, synthetic: bool
) -> bytes:
    """Write the labelling configuration: the texts, then one choice a dimension, then a comment.

    Args:
        rubric: What is asked.
        kinds: The kinds of text that a task has, in order; see `HEADINGS`.
        instructions: What stands above everything.
        synthetic: Whether the data are made up, which is then said first.
    """
    lines = ["<View>"]
    if synthetic:
        lines.append(f"  <Header value={quoteattr(SYNTHETIC)}/>")
    if instructions:
        lines.append(f"  <Header value={quoteattr(instructions)} size={quoteattr('5')}/>")
    lines.append(f"  <Text name={quoteattr('code')} value={quoteattr('Code $code')}/>")
    for kind in kinds:
        lines += [
            f"  <Header value={quoteattr(HEADINGS[kind])}/>",
            f"  <Text name={quoteattr(kind)} value={quoteattr('$' + kind)}/>",
        ]
    to = quoteattr(_whole_of(kinds))
    for dimension in rubric.dimensions:
        name = quoteattr(dimension.id)
        lines += [
            f"  <Header value={quoteattr(dimension.question)}/>",
            f'  <Choices name={name} toName={to} choice="single" required="true">',
        ]
        for label in dimension.labels:
            hint = f" hint={quoteattr(label.description)}" if label.description else ""
            lines.append(f"    <Choice value={quoteattr(label.label)}{hint}/>")
        lines += [f"    <Choice value={quoteattr(word)}/>" for word in REASON_WORDS]
        lines.append("  </Choices>")
    comment = rubric.rationale or "Comment"
    lines += [
        f"  <Header value={quoteattr(comment)}/>",
        f'  <TextArea name={quoteattr(COMMENTS[0])} toName={to} rows="3" maxSubmissions="1"/>',
        "</View>",
    ]
    return text_bytes("".join(f"{line}\n" for line in lines))


def label_studio_tasks(tasks: Sequence[ToolTask], kinds: Sequence[str]) -> bytes:
    """Write tasks to import: a code, and every text that stands beside it."""
    return json_bytes([{"data": _data(task, kinds)} for task in tasks])


def label_studio_annotations(
    tasks: Sequence[ToolTask], rubric: Rubric, kinds: Sequence[str]
) -> bytes:
    """Write tasks with the annotations that raters have given already."""
    to = _whole_of(kinds)
    rows = []
    for task in tasks:
        annotations = [
            {
                "completed_by": {"email": rater},
                "result": [
                    _result(task.code, rater, *label, rubric, to)
                    for label in in_words(labels).items()
                ],
                "was_cancelled": False,
                "ground_truth": False,
            }
            for rater, labels in sorted(task.labels.items())
        ]
        rows.append({"data": _data(task, kinds), "annotations": annotations})
    return json_bytes(rows)


def _data(task: ToolTask, kinds: Sequence[str]) -> dict[str, str]:
    return {"code": task.code, **{kind: "\n\n".join(task.texts.get(kind, ())) for kind in kinds}}


def _whole_of(kinds: Sequence[str]) -> str:
    """Name the text that the choices are about."""
    return "answer" if "answer" in kinds else "code"


def _result(
    code: str, rater: str, question: str, text: str, rubric: Rubric, to: str
) -> Mapping[str, object]:
    asked = question in rubric.ids
    value: dict[str, object] = {"choices": [text]} if asked else {"text": [text]}
    return {
        "id": f"{code}-{rater}-{question}",
        "from_name": question,
        "to_name": to,
        "type": "choices" if asked else "textarea",
        "value": value,
        "origin": "manual",
    }

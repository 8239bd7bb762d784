"""Other tools' files that are not as they must be."""

import json
from pathlib import Path
from typing import Final

from tools.bad_input.bad_case import BadCase
from tools.bad_input.making import Make, written

_POTATO: Final = "medassay import --from potato annotations.csv --into study"
_LABEL_STUDIO: Final = "medassay import --from label-studio export.json --into study"
_INSPECT: Final = "medassay import --from inspect log.json --into study"
_SEGMENTS: Final = "medassay import --from mt-metrics-eval BLEU-src.seg.score --into study"


def _task(**changes: object) -> Make:
    task: dict[str, object] = {
        "id": 1,
        "data": {"system": "robot", "case": "01"},
        "annotations": [
            {
                "completed_by": 7,
                "result": [
                    {"type": "choices", "from_name": "quality", "value": {"choices": ["6"]}}
                ],
            }
        ],
    }
    return written("export.json", json.dumps([{**task, **changes}]))


def _sample(folder: Path) -> None:
    log = {
        "eval": {"model": "robot"},
        "samples": [{"id": "03", "output": {"completion": "Perhaps."}}],
    }
    (folder / "log.json").write_text(json.dumps(log), encoding="utf-8")


OTHER_TOOLS: Final = [
    BadCase(
        "A code of another study in Potato's annotations",
        "the item is none that this study handed out, and no file of items is given",
        written("annotations.csv", "instance_id,user_id,quality.5\nBCDF-GHJK,anna,5\n"),
        _POTATO,
    ),
    BadCase(
        "Annotations of Potato under another name",
        "the schema is called overall, and the rubric has quality",
        written("annotations.csv", "instance_id,user_id,overall.5\n1,anna,5\n"),
        _POTATO,
    ),
    BadCase(
        "A choice of Label Studio that is no label",
        "6 was chosen, of a scale from 1 to 5",
        _task(),
        _LABEL_STUDIO,
    ),
    BadCase(
        "An annotation of Label Studio without an annotator",
        "completed_by is empty",
        _task(annotations=[{"completed_by": None, "result": []}]),
        _LABEL_STUDIO,
    ),
    BadCase(
        "Label Studio's short export",
        "exported as JSON-MIN",
        written("export.json", '[{"id": 1, "quality": "5", "annotation_id": 3}]'),
        _LABEL_STUDIO,
    ),
    BadCase(
        "A sample of Inspect that is no case",
        "the log has a sample 03, the study has the cases 01 and 02",
        _sample,
        _INSPECT,
    ),
    BadCase(
        "A header of Inspect alone",
        "the log was read with its header only",
        written("log.json", '{"eval": {"model": "robot"}}'),
        _INSPECT,
    ),
    BadCase(
        "A metric of mt-metrics-eval with a hole",
        "one score is None, which only people's may be",
        written("BLEU-src.seg.score", "robot 1\nrobot None\n"),
        _SEGMENTS,
    ),
    BadCase(
        "Too few scores of mt-metrics-eval",
        "one score a system, and the study has two cases",
        written("BLEU-src.seg.score", "robot 1\nclinic 2\n"),
        _SEGMENTS,
    ),
]

"""Other tools' files that are not as they must be."""

import json
from pathlib import Path
from typing import Final

from medassay.exchange.redcap.fields import HEADER
from medassay.tables import csv_bytes
from tools.bad_input.bad_case import BadCase
from tools.bad_input.making import Make, written

_POTATO: Final = "medassay import --from potato annotations.csv --into study"
_LABEL_STUDIO: Final = "medassay import --from label-studio export.json --into study"
_REDCAP: Final = "medassay import --from redcap records.csv --into study"
_FOREIGN: Final = (
    "medassay import --from redcap records.csv dictionary.csv --into study --column rater=who "
    "--column system=bot"
)
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


def _project(quality: str, *rows: str) -> Make:
    """Write records and the dictionary of a project that codes labels the other way round."""
    kept = (0, 1, 3, 4, 5)
    fields = [
        ("record_id", "rating", "text", "ID", ""),
        ("bot", "rating", "text", "System", ""),
        ("case", "rating", "text", "Case", ""),
        ("who", "rating", "text", "Rater", ""),
        ("quality", "rating", "radio", "Quality", quality),
    ]
    cells = [
        [field[kept.index(place)] if place in kept else "" for place in range(len(HEADER))]
        for field in fields
    ]

    def make(folder: Path) -> None:
        (folder / "dictionary.csv").write_bytes(csv_bytes(HEADER, cells))
        head = "record_id,bot,case,who,quality,rating_complete"
        (folder / "records.csv").write_text("\n".join([head, *rows, ""]), encoding="utf-8")

    return make


def _dictionary_alone(folder: Path) -> None:
    _project("1, 5 | 2, 1")(folder)
    (folder / "records.csv").unlink()


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
        "A record of REDCap's that is no answer of the study",
        "the record is no code that this study handed out, and no field names system and case",
        written("records.csv", "record_id,rater,quality,rating_complete\nBCDF-GHJK,anna,5,2\n"),
        _REDCAP,
    ),
    BadCase(
        "A code of REDCap's that its dictionary does not have",
        "the project's choices are 1 to 3",
        _project("1, 5 | 2, 3 | 3, 1", "7,robot,01,anna,4,2"),
        _FOREIGN,
    ),
    BadCase(
        "A code of REDCap's that a spreadsheet made a date",
        "1-3 was typed, and the spreadsheet wrote 03-Jan",
        _project("1, 5 | 2, 3 | 3, 1", "7,robot,01,anna,1,2", "8,robot,02,anna,03-Jan,2"),
        _FOREIGN,
    ),
    BadCase(
        "Ratings in REDCap that nobody gave",
        "the field that names the rater is empty",
        _project("1, 5 | 2, 3 | 3, 1", "7,robot,01,,1,2"),
        _FOREIGN,
    ),
    BadCase(
        "Two ratings of one rater in REDCap",
        "two records are about the same answer, and the same rater says two things",
        _project("1, 5 | 2, 3 | 3, 1", "7,robot,01,anna,1,2", "8,robot,01,anna,3,2"),
        _FOREIGN,
    ),
    BadCase(
        "Choices of REDCap's without codes",
        "the data dictionary was typed by hand",
        _project("Good | Bad", "7,robot,01,anna,1,2"),
        _FOREIGN,
    ),
    BadCase(
        "A data dictionary of REDCap's alone",
        "the records were forgotten",
        _dictionary_alone,
        "medassay import --from redcap dictionary.csv --into study",
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

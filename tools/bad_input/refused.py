"""Input that cannot be used: each with the message that says where, what, and what to try."""

import gzip
from pathlib import Path
from typing import Final

from medassay.study import only_writer
from tools.bad_input.bad_case import BadCase
from tools.bad_input.making import (
    added,
    bytes_written,
    full_disk,
    linked_to_nothing,
    renamed,
    replaced,
    unreadable,
    workbook,
    written,
)
from tools.plain_workbook import cell, excel, row

CASES: Final = "study/cases.csv"
CLINIC: Final = "study/answers/clinic.csv"
ROBOT: Final = "study/answers/robot.jsonl"
JUDGED: Final = "study/judgements.csv"
LONG: Final = 50_000_000


def _nothing(_: Path) -> None:
    """Leave the study as it is."""


def _new_answers(folder: Path) -> None:
    (folder / "new.csv").write_text("system,case,text\nthird,01,Rest.\n", encoding="utf-8")


def _text(name: str, text: str) -> str:
    return cell(name, text, 't="str"')


def _results_elsewhere(folder: Path) -> None:
    (folder / "mine").mkdir()
    (folder / "study" / "results").symlink_to("../mine")


SHAPES: Final = [
    BadCase(
        "Ragged rows",
        "a row of cases.csv lacks a cell, another has one too many",
        written(CASES, "case,question,reference\n01,How long?\n02,Will it, help?,No.\n"),
    ),
    BadCase("An empty file", "answers/clinic.csv without a byte", written(CLINIC, "")),
    BadCase("A header only", "cases.csv", written(CASES, "case,question,reference\n")),
    BadCase(
        "Answers in a form that is not read",
        "answers/second.json beside the others",
        written("study/answers/second.json", "[]"),
    ),
    BadCase(
        "A packed table",
        "judgements.csv.gz in place of judgements.csv",
        lambda folder: (folder / JUDGED).rename(folder / f"{JUDGED}.gz"),
    ),
    BadCase(
        "A quote that never closes",
        "a cell of answers/clinic.csv begins with a quote",
        replaced(CLINIC, "Rest it", '"Rest it'),
    ),
    BadCase(
        "A field of 50 MB",
        "a text of 50,000,000 letters in answers/clinic.csv",
        replaced(CLINIC, "Rest it", "R" * LONG),
    ),
    BadCase(
        "A broken line of JSONL",
        "answers/robot.jsonl cut off in its second line",
        written(ROBOT, '{"case": "01", "text": "Six weeks."}\n{"case": "02", "text": "Yes'),
    ),
    BadCase(
        "A list instead of lines",
        "answers/robot.jsonl as one JSON list",
        written(ROBOT, '[{"case": "01", "text": "Six weeks."}]\n'),
    ),
    BadCase(
        "A key twice in one object",
        "a line of answers/robot.jsonl with two texts",
        written(ROBOT, '{"case": "01", "text": "Six weeks.", "text": "Seven."}\n'),
    ),
    BadCase(
        "Two encodings in one file",
        "cases.csv in UTF-8 with a line pasted in Windows-1252",
        bytes_written(
            CASES, "case,question\n01,naïve?\n".encode() + "02,naïve?\n".encode("cp1252")
        ),
    ),
    BadCase(
        "A name with a sign that nobody sees",
        "the rater r1 of judgements.csv with an order to write from right to left behind it",
        replaced(JUDGED, "r1,clinic,01", "r1\u202e,clinic,01"),
    ),
    BadCase(
        "Half a character in JSON",
        "statements of answers/clinic.csv as a script saved an emoji cut in two",
        written(CLINIC, 'case,text,statements\n01,Rest.,"[{""text"": ""Rest \\ud83d""}]"\n'),
    ),
    BadCase(
        "A link to nothing",
        "judgements.csv as git-annex and DataLad leave a file that was not fetched",
        linked_to_nothing(JUDGED),
    ),
    BadCase(
        "A workbook with an error in a cell",
        "answers/clinic.csv as a workbook with =1/0 under confidence",
        workbook(CLINIC, {"Sheet1": [["case", "text", "confidence"], ["01", "Rest.", "=1/0"]]}),
    ),
    BadCase(
        "A workbook with an error in a cell, as another program writes it",
        "answers/clinic.csv as a workbook with #N/A under text, its tags with a prefix",
        bytes_written(
            CLINIC,
            excel(
                row(1, _text("A1", "case"), _text("B1", "text"))
                + row(2, _text("A2", "01"), "<c t='e' r='B2'><v>#N/A</v></c>"),
                prefix="x",
            ),
        ),
    ),
    BadCase(
        "A formula that nobody has computed",
        "answers/clinic.csv as a workbook whose text under 01 a script wrote as a formula",
        bytes_written(
            CLINIC,
            excel(
                row(1, _text("A1", "case"), _text("B1", "text"))
                + row(2, _text("A2", "01"), '<c r="B2"><f>C2</f></c>')
            ),
        ),
    ),
    BadCase(
        "A workbook with a cell far from its table",
        "answers/clinic.csv as a workbook with a full stop in XFD1048576",
        bytes_written(
            CLINIC,
            excel(
                row(1, _text("A1", "case"), _text("B1", "text"))
                + row(1_048_576, _text("XFD1048576", "."))
            ),
        ),
    ),
    BadCase(
        "A workbook that cannot be opened",
        "answers/clinic.csv with the first bytes of a workbook only",
        bytes_written(CLINIC, b"PK\x03\x04 and no more"),
    ),
    BadCase(
        "A packed file",
        "judgements.csv packed with gzip under its old name",
        bytes_written(JUDGED, gzip.compress(b"rater,system,case,dimension,label\n", mtime=0)),
    ),
]
VALUES: Final = [
    BadCase(
        "An answer twice",
        "a second answer to 01 in answers/clinic.csv",
        added(CLINIC, "01,Rest it for a week.,0.2\n"),
    ),
    BadCase(
        "A case that was never asked",
        "answers/clinic.csv after a spreadsheet took the zero from 02",
        replaced(CLINIC, "02,", "2,"),
    ),
    BadCase(
        "A system that never answered",
        "judgements.csv with `clinik`",
        replaced(JUDGED, "clinic,02", "clinik,02"),
    ),
    BadCase(
        "A label outside the scale",
        "judgements.csv with a 7 on a scale from 1 to 5",
        replaced(JUDGED, "quality,5", "quality,7"),
    ),
    BadCase(
        "A column that is nearly called right",
        "judgements.csv with `lable`",
        replaced(JUDGED, "label", "lable"),
    ),
    BadCase(
        "Decimals with a comma and with a point",
        "answers/clinic.csv with semicolons, 0,5 and 0.9",
        written(CLINIC, "case;text;confidence\n01;Rest.;0,5\n02;No.;0.9\n"),
    ),
    BadCase(
        "A confidence of 85",
        "answers/clinic.csv with percentages",
        replaced(CLINIC, "0.5", "85"),
    ),
    BadCase(
        "A confidence of 85%",
        "answers/clinic.csv with percentages",
        replaced(CLINIC, "0.5", "85%"),
    ),
    BadCase(
        "A file that is nearly called right",
        "judgements.csv called judgments.csv",
        renamed(JUDGED, "study/judgments.csv"),
    ),
    BadCase(
        "Answers outside their folder",
        "answers.csv beside study.toml",
        written("study/answers.csv", "system,case,text\nthird,01,Rest.\n"),
    ),
    BadCase(
        "An unknown key in study.toml",
        "study.toml with `titel`",
        replaced("study/study.toml", "title", "titel"),
    ),
    BadCase(
        "A metric that does not exist",
        "study.toml as it is",
        _nothing,
        "medassay score study --metrics rogue1",
    ),
]
SYSTEMS: Final = [
    BadCase(
        "No permission to read",
        "judgements.csv that nobody may read",
        unreadable(JUDGED),
        without_rights=True,
    ),
    BadCase(
        "A full disk",
        "answers of a third system in new.csv, and no room when they are written",
        _new_answers,
        "medassay import --from answers new.csv --into study",
        around=full_disk,
    ),
    BadCase(
        "Two runs at once",
        "another run of the study that is still at work",
        _nothing,
        "medassay run study",
        around=lambda folder: only_writer(folder / "study"),
    ),
    BadCase(
        "A study that leads elsewhere",
        "results is a link to the folder mine, in a study that somebody sent",
        _results_elsewhere,
        "medassay run study",
    ),
    BadCase("A study that is not there", "no folder of that name", _nothing, "medassay run stduy"),
]
REFUSED: Final = [*SHAPES, *VALUES, *SYSTEMS]

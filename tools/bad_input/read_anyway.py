"""Input that is odd and clear all the same: it is read, and the reader is told."""

from typing import Final

from tools.bad_input.bad_case import BadCase
from tools.bad_input.making import Cells, added, replaced, workbook, written

ANSWERS: Final[Cells] = [
    ["case", "text", "confidence"],
    ["01", "Rest it for two days.", 0.5],
    ["02", "No. A cold is caused by a virus.", 0.9],
]
CSV = "study/answers/clinic.csv"
JUDGED = "study/judgements.csv"

READ_ANYWAY: Final = [
    BadCase(
        "An Excel workbook that is called .csv",
        "answers/clinic.csv saved as a workbook under its old name",
        workbook(CSV, {"Sheet1": ANSWERS}),
        code=0,
    ),
    BadCase(
        "A workbook of two sheets",
        "answers/clinic.xlsx instead of answers/clinic.csv",
        workbook(
            "study/answers/clinic.xlsx",
            {"Answers": ANSWERS, "Remarks": [["to do"]]},
            instead_of=CSV,
        ),
        code=0,
    ),
    BadCase(
        "UTF-16",
        "judgements.csv saved as 'Unicode text'",
        replaced(JUDGED, "r1", "r1", "utf-16"),
        code=0,
    ),
    BadCase(
        "Windows-1252",
        "cases.csv with `naïve` in it, saved by an old program",
        replaced("study/cases.csv", "my cold", "my naïve cold", "cp1252"),
        code=0,
        same=False,
    ),
    BadCase(
        "A byte-order mark",
        "cases.csv saved as 'CSV UTF-8'",
        replaced("study/cases.csv", "01", "01", "utf-8-sig"),
        code=0,
    ),
    BadCase(
        "Semicolons between cells",
        "judgements.csv as a European spreadsheet saves it",
        replaced(JUDGED, ",", ";"),
        code=0,
    ),
    BadCase(
        "A decimal comma",
        "answers/clinic.csv with semicolons and 0,5",
        written(
            CSV,
            "case;text;confidence\n"
            "01;Rest it for two days.;0,5\n02;No. A cold is caused by a virus.;0,9\n",
        ),
        code=0,
    ),
    BadCase(
        "A title above the header",
        "judgements.csv with `Our ratings, May` in its first row",
        replaced(JUDGED, "rater,system", '"Our ratings, May",,,,\nrater,system'),
        code=0,
    ),
    BadCase(
        "A column without a name that counts the rows",
        "judgements.csv as a data frame saves it with its index",
        written(
            JUDGED,
            ",rater,system,case,dimension,label\n"
            "0,r1,clinic,01,quality,5\n1,r1,clinic,02,quality,4\n"
            "2,r1,robot,01,quality,1\n3,r1,robot,02,quality,2\n",
        ),
        code=0,
    ),
    BadCase(
        "Tabs between cells",
        "judgements.csv with tabs",
        replaced(JUDGED, ",", "\t"),
        code=0,
    ),
    BadCase(
        "A row of ... at the end",
        "judgements.csv copied from a printed table",
        added(JUDGED, "...,...,...,...,...\n"),
        code=0,
    ),
    BadCase(
        "Blanks in headers and labels",
        "judgements.csv with blanks after its commas",
        written(
            JUDGED,
            "rater, system, case, dimension, label\n"
            "r1,clinic,01,quality, 5\nr1,clinic,02,quality,4\n",
        ),
        code=0,
        same=False,
    ),
    BadCase(
        "01 beside 1",
        "cases.csv with a case 1",
        added("study/cases.csv", "1,Is it broken?,Have it looked at.\n"),
        code=0,
        same=False,
    ),
    BadCase(
        "A header only",
        "answers/clinic.csv without answers, and no judgements of them",
        lambda folder: (
            written(CSV, "case,text\n")(folder),
            written(JUDGED, "rater,system,case,dimension,label\n")(folder),
        ),
        code=0,
        same=False,
    ),
    BadCase(
        "An ending that no table has",
        "answers/notes.md beside the others",
        written("study/answers/notes.md", "Asked in May."),
        code=0,
    ),
]

"""Rating sheets that come back and cannot be taken as they are."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from medassay.campaign import Wishes, collect_sheets, create_campaign, write_sheets
from medassay.judgements.campaign import Secret, find_plans
from medassay.study import Study
from tools.bad_input.bad_case import BadCase
from tools.bad_input.making import Make

IMPORT: Final = "medassay campaign collect study anna.xlsx"
DRY_RUN: Final = f"{IMPORT} --dry-run"
Rows = list[list[str]]
# Known to everybody, so that the page shows the same codes each time; no real campaign has it.
_SECRET: Final = Secret(b"the page that shows bad input")


def _sent(folder: Path, name: str = "main", rater: str = "anna") -> list[str]:
    """Send a sheet to one rater and give its codes."""
    study = folder / "study"
    create_campaign(Study.open_whole(study), Wishes(raters=rater, name=name), _SECRET)
    write_sheets(Study.open_whole(study), name)
    return [one.code for one in find_plans(study)[name].assignments]


def _back(change: Callable[[Rows], object], cells: Callable[[Any], object] | None = None) -> Make:
    """Let the sheet come back filled in and changed; `cells` writes into the page after that."""

    def make(folder: Path) -> None:
        rows = [["Code", "Overall quality", "Rationale", "Notes"]]
        rows += [[code, "4", "", ""] for code in _sent(folder)]
        change(rows)
        _save(folder, rows, cells)

    return make


def _save(folder: Path, rows: Rows, cells: Callable[[Any], object] | None = None) -> None:
    import xlsxwriter

    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, {"in_memory": True})
    page = book.add_worksheet("Ratings")
    for place, row in enumerate(rows):
        page.write_row(place, 0, row)
    if cells is not None:
        cells(page)
    book.close()
    (folder / "anna.xlsx").write_bytes(out.getvalue())


def _cell(row: int, column: int, value: str) -> Callable[[Rows], None]:
    def change(rows: Rows) -> None:
        rows[row][column] = value

    return change


def _as_it_is(_: Rows) -> None:
    """Change nothing."""


def _of_two_campaigns(folder: Path) -> None:
    codes, others = _sent(folder), _sent(folder, "second", "ben")
    rows = [["Code", "Overall quality"], *([code, "4"] for code in codes)]
    _save(folder, [*rows, [others[0], "4"]])


def _of_two_raters(folder: Path) -> None:
    study = folder / "study"
    create_campaign(Study.open_whole(study), Wishes(raters="anna,ben"), _SECRET)
    write_sheets(Study.open_whole(study))
    plan = find_plans(study)["main"]
    rows = [[one.code, "4"] for one in (*plan.of_rater("anna"), plan.of_rater("ben")[0])]
    _save(folder, [["Code", "Overall quality"], *rows])


def _rater_left(folder: Path) -> None:
    _back(_as_it_is)(folder)
    (folder / "study" / "raters.csv").write_text("rater\nr1\n", encoding="utf-8")


def _older(folder: Path) -> None:
    """Import a sheet, then find an older copy of it, with one label less and one that differs."""
    study = folder / "study"
    codes = _sent(folder)
    header = ["Code", "Overall quality"]
    _save(folder, [header, *([code, "4"] for code in codes)])
    collect_sheets(Study.open_whole(study), [folder / "anna.xlsx"])
    _save(folder, [header, [codes[0], "2"], [codes[1], ""], *([code, "4"] for code in codes[2:])])


def _typed_over(rows: Rows) -> None:
    for row in rows:
        row.append("Answer" if row is rows[0] else "Mine.")


def _of_no_campaign(folder: Path) -> None:
    _save(folder, [["Code", "Overall quality"], ["BCDF-GHJK", "4"]])


def _answer_changed(folder: Path) -> None:
    _back(_as_it_is)(folder)
    path = folder / "study" / "answers" / "clinic.csv"
    text = path.read_text(encoding="utf-8").replace("two days", "three days")
    path.write_text(text, encoding="utf-8")


QUEUE: Final = "medassay campaign create study --raters anna --queue queue.csv"


def _queue(*lines: str) -> Make:
    def make(folder: Path) -> None:
        (folder / "queue.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")

    return make


SHEETS: Final = [
    BadCase(
        "A queue with an answer that is not there",
        "`--queue` with a case that the study has not",
        _queue("system,case", "clinic,01", "clinic,1O"),
        QUEUE,
    ),
    BadCase(
        "A queue without its columns",
        "`--queue` with a file of something else",
        _queue("name,number", "clinic,01"),
        QUEUE,
    ),
    BadCase(
        "A sheet with a label outside the scale",
        "a rater's workbook with `6` as a label",
        _back(_cell(2, 1, "6")),
        IMPORT,
    ),
    BadCase(
        "A sheet with a damaged code",
        "a letter of a code is gone, and its row has a label",
        _back(lambda rows: rows[3].__setitem__(0, rows[3][0][:-1])),
        IMPORT,
    ),
    BadCase(
        "A sheet without its codes",
        "the heading of the codes was typed over",
        _back(_cell(0, 0, "Codes of mine")),
        IMPORT,
    ),
    BadCase(
        "A sheet without a column of labels",
        "the heading of the labels was typed over",
        _back(_cell(0, 1, "Overal qualty")),
        IMPORT,
    ),
    BadCase(
        "A sheet that contradicts itself",
        "a row was copied, and the copy has another label",
        _back(lambda rows: rows.append([rows[1][0], "1", "", ""])),
        IMPORT,
    ),
    BadCase(
        "A sheet with a formula as a label",
        "`=B2` in a label's cell",
        _back(_as_it_is, lambda page: page.write_formula(2, 1, "=B2", None, "4")),
        IMPORT,
    ),
    BadCase(
        "A sheet whose words became a formula",
        "a rationale typed as `-too short`, which Excel takes for a formula and shows as #NAME?",
        _back(_as_it_is, lambda page: page.write_formula(2, 2, "=-too short", None, "#NAME?")),
        IMPORT,
    ),
    BadCase(
        "A sheet with merged cells",
        "two labels' cells merged into one",
        _back(_as_it_is, lambda page: page.merge_range(1, 1, 2, 1, "4")),
        IMPORT,
    ),
    BadCase(
        "A row of another rater",
        "a row of `ben` pasted into the sheet of `anna`",
        _of_two_raters,
        IMPORT,
    ),
    BadCase(
        "A rater who left the raters table",
        "raters.csv without `anna`, written after the export",
        _rater_left,
        IMPORT,
    ),
    BadCase(
        "A row of another campaign",
        "a row of one campaign pasted into the sheet of another",
        _of_two_campaigns,
        IMPORT,
    ),
    BadCase(
        "A sheet of a study that sent none",
        "`medassay campaign collect` before any campaign",
        _of_no_campaign,
        IMPORT,
    ),
    BadCase(
        "An answer that changed while it was rated",
        "answers/clinic.csv was edited after the export",
        _answer_changed,
        IMPORT,
    ),
    BadCase(
        "Raters who are asked twice",
        "`anna` rates these answers in another campaign",
        _sent,
        "medassay campaign create study --raters anna --name second",
    ),
    BadCase(
        "More raters an answer than there are",
        "an overlap of 3 among 2 raters",
        lambda folder: None,  # noqa: ARG005 - the study is sound
        "medassay campaign create study --raters 2 --per-answer 3",
    ),
]

ODD: Final = [
    BadCase(
        "An older sheet",
        "a copy saved before the one that was imported: a label differs, another is not yet there",
        _older,
        DRY_RUN,
        0,
        same=False,
    ),
    BadCase(
        "A sheet with another text",
        "the texts under Answer typed over",
        _back(_typed_over),
        DRY_RUN,
        0,
    ),
    BadCase(
        "A sheet with a row less",
        "a row deleted",
        _back(lambda rows: rows.pop(2)),
        DRY_RUN,
        0,
    ),
    BadCase(
        "A rationale that is a formula",
        "`=B2` under Rationale, saved by a tool that computes nothing",
        _back(_as_it_is, lambda page: page.write_formula(2, 2, "=B2", None, "")),
        DRY_RUN,
        0,
    ),
    BadCase(
        "Rationales in merged cells",
        "two cells under Rationale merged into one",
        _back(_as_it_is, lambda page: page.merge_range(1, 2, 2, 2, "Clear.")),
        DRY_RUN,
        0,
    ),
]
"""Read all the same, and said."""

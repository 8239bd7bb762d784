"""Sheets that would change what was said, or that are not what was sent: nothing goes unsaid."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
import xlsxwriter
from typer.testing import CliRunner

from medassay.campaign import CollectedSheets, collect_sheets
from medassay.cli.app import app
from medassay.errors import InvalidInput
from medassay.judgements.campaign import CampaignPlan, find_plans
from medassay.study import Study

from .conftest import Cells, export, filled, ratings, saved, sheet_of

FIRST = "Answers the question"


def take(folder: Path, *files: Path, again: bool = False, dry_run: bool = False) -> CollectedSheets:
    return collect_sheets(Study.open_whole(folder), files, again=again, dry_run=dry_run)


def full(folder: Path, rater: str, label: str = "Yes") -> Cells:
    cells = ratings(sheet_of(folder, rater))
    return filled(cells, {row[0]: (label, "Yes", "Yes") for row in cells[1:]})


def labels_of(folder: Path, rater: str) -> list[str]:
    now = Study.open_whole(folder).judgements_on_file.current()
    return list(now.filter(rater=rater, dimension="answers-question")["label"])


@pytest.fixture
def plan(folder: Path) -> CampaignPlan:
    export(folder)
    return find_plans(folder)["main"]


def formulas(path: Path, cells: Cells, write: Callable[[object], object]) -> Path:
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, {"in_memory": True, "strings_to_formulas": False})
    page = book.add_worksheet("Ratings")
    for row, texts in enumerate(cells):
        for column, text in enumerate(texts):
            page.write_string(row, column, text)
    write(page)
    book.close()
    path.write_bytes(out.getvalue())
    return path


@pytest.mark.usefixtures("plan")
def test_a_row_of_another_rater_never_overwrites_what_they_said(folder: Path) -> None:
    one, other = full(folder, "rater-1"), full(folder, "rater-2", "No")
    take(folder, saved(folder.parent / "two.xlsx", other))
    stolen = [*other[3]]
    stolen[stolen.index("No")] = "Yes"
    sheet = saved(folder.parent / "one.xlsx", [*one, stolen])
    with pytest.raises(InvalidInput) as problem:
        take(folder, sheet)
    (said,) = problem.value.problems
    assert str(said) == (
        "one.xlsx, cell Ratings!E14, column answers-question: must hold rows of rater-1 only; got "
        f'"Yes" in a row of rater-2 ({stolen[0]}), who says "No". Empty the row here, and import '
        "the sheet of rater-2."
    )
    assert labels_of(folder, "rater-2") == ["No"] * 12
    assert labels_of(folder, "rater-1") == []


@pytest.mark.usefixtures("plan")
def test_a_row_of_another_rater_that_says_the_same_is_noted(folder: Path) -> None:
    one, other = full(folder, "rater-1"), full(folder, "rater-2", "No")
    pasted = saved(folder.parent / "one.xlsx", [*one, other[3]])
    with pytest.raises(InvalidInput, match="who says nothing yet"):
        take(folder, pasted)
    taken = take(folder, pasted, saved(folder.parent / "two.xlsx", other))
    assert taken.added == 2 * 12 * 3
    notes = [note for note in taken.notes if "rows of rater-1 only" in note]
    assert notes == [
        (
            "one.xlsx, cell Ratings!A14: must hold rows of rater-1 only; got a row of rater-2 "
            f"({other[3][0]}), which says what they say. It was left alone."
        )
    ]


@pytest.mark.usefixtures("plan")
def test_every_label_that_an_import_changes_is_listed(folder: Path) -> None:
    new = full(folder, "rater-1")
    place = new[0].index(FIRST)
    take(folder, saved(folder.parent / "new.xlsx", new))
    old = [list(row) for row in new]
    old[1][place], old[2][place], old[3][place] = "No", "Partially", ""
    old[4][new[0].index("Rationale")] = "because"
    file = saved(folder.parent / "old.xlsx", old)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    dry = take(folder, file, dry_run=True)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    taken = take(folder, file)
    assert (dry.changes, dry.added, dry.files) == (taken.changes, taken.added, [])
    found = [(one.outcome, one.old, one.new, one.cell, one.code) for one in taken.changes]
    assert sorted(found) == [
        ("changed", "Yes", "No", "Ratings!E2", new[1][0]),
        ("changed", "Yes", "Partially", "Ratings!E3", new[2][0]),
        *(("comment", "", "because", f"Ratings!{column}5", new[4][0]) for column in "EFG"),
        ("kept", "Yes", "", "Ratings!E4", new[3][0]),
    ]
    assert any("must be the newest sheet of its rater" in note for note in taken.notes)
    assert "campaigns/main/changes.csv" in taken.files
    text = (folder / "campaigns" / "main" / "changes.csv").read_text(encoding="utf-8")
    kept = list(csv.DictReader(io.StringIO(text)))
    assert [(row["outcome"], row["old"], row["new"], row["cell"], row["code"]) for row in kept] == (
        found
    )
    assert sorted(labels_of(folder, "rater-1")) == ["No", "Partially", *["Yes"] * 10]
    assert Study.open_whole(folder).judgements_on_file.corrected == taken.corrected == 5


@pytest.mark.usefixtures("plan")
def test_going_back_to_the_newest_sheet_is_possible(folder: Path) -> None:
    new = full(folder, "rater-1")
    newest = saved(folder.parent / "new.xlsx", new)
    take(folder, newest)
    new[1][new[0].index(FIRST)] = "No"
    take(folder, saved(folder.parent / "old.xlsx", new))
    assert take(folder, newest).added == 0
    back = take(folder, newest, again=True)
    assert [(one.old, one.new) for one in back.changes] == [("No", "Yes")]
    assert labels_of(folder, "rater-1") == ["Yes"] * 12
    lines = (folder / "campaigns" / "main" / "changes.csv").read_text(encoding="utf-8")
    assert len(lines.splitlines()) == 3


@pytest.mark.usefixtures("plan")
def test_an_empty_rationale_takes_none_away(folder: Path) -> None:
    cells = full(folder, "rater-1")
    cells[1][cells[0].index("Rationale")] = "because"
    take(folder, saved(folder.parent / "a.xlsx", cells))
    cells[1][cells[0].index("Rationale")] = ""
    assert take(folder, saved(folder.parent / "b.xlsx", cells)).added == 0


@pytest.mark.usefixtures("plan")
def test_words_that_a_formula_or_a_merge_hides_are_said(folder: Path) -> None:
    cells = full(folder, "rater-1")
    rationale, notes = cells[0].index("Rationale"), cells[0].index("Notes")

    def attack(page: object) -> None:
        page.write_formula(1, rationale, "=A2&B2", None, "")  # type: ignore[attr-defined] # xlsxwriter publishes no types
        page.write_formula(2, notes, "=A2", None, "shown")  # type: ignore[attr-defined] # as above
        page.merge_range(3, notes, 4, notes, "both")  # type: ignore[attr-defined] # as above

    taken = take(folder, formulas(folder.parent / "a.xlsx", cells, attack))
    assert taken.added == 36
    said = [note for note in taken.notes if "must be text" in note]
    assert said == [
        (
            "a.xlsx, cell Ratings!H2, column Rationale: must be text; got a formula. Nothing was "
            "read. Formulas are not computed: type what it should say."
        ),
        'a.xlsx, cell Ratings!I3, column Notes: must be text; got a formula. "shown" was read.',
        (
            "a.xlsx, cell Ratings!I5, column Notes: must be text; got a cell merged into I4. "
            "Nothing "
            "was read. Unmerge the cells and fill each one."
        ),
    ]


@pytest.mark.usefixtures("plan")
def test_a_column_of_the_raters_own_is_named_and_a_renamed_one_asked_about(folder: Path) -> None:
    cells = full(folder, "rater-1")
    own = len(cells[0])
    more = [[*cells[0], "Remarks"], [*cells[1], "odd"], *([*row, ""] for row in cells[2:])]
    taken = take(folder, saved(folder.parent / "a.xlsx", more))
    assert (
        f'a.xlsx, cell Ratings!{"ABCDEFGHIJKLMNOP"[own]}1: "Remarks" was not in the sheet that was '
        "sent. Nothing was read of it (1 row); copy what is to be kept under Notes."
    ) in taken.notes
    asked = cells[0][cells[0].index("Rationale") - 1]
    cells[0][cells[0].index(asked)] = "Güte"
    with pytest.raises(InvalidInput) as caught:
        take(folder, saved(folder.parent / "b.xlsx", cells))
    said = str(caught.value)
    assert f'must have the column "{asked}"; got none. Is it "Güte"?' in said


@pytest.mark.parametrize("form", ["xlsx", "csv"])
def test_edited_texts_and_lost_rows_are_noticed(folder: Path, form: str) -> None:
    export(folder, form=form)
    cells = ratings(sheet_of(folder, "rater-1", ending=form))
    cells = filled(cells, {row[0]: ("Yes", "Yes", "Yes") for row in cells[1:]})
    untouched = take(folder, saved(folder.parent / f"as-sent.{form}", cells))
    assert untouched.notes == []
    place = cells[0].index("Answer")
    cells[2][place] += " Or three."
    gone = cells.pop(5)[0]
    taken = take(folder, saved(folder.parent / f"edited.{form}", cells))
    at = "Ratings!" if form == "xlsx" else ""
    column = "ABCDEFG"[place]
    # One line for the header; in a workbook one more above each batch.
    row = 7 if form == "xlsx" else 6
    assert taken.notes == [
        (
            f"edited.{form}, cell {at}{column}3, column Answer: must hold the text of the "
            f"study; got "
            "another. It was changed here, or there since the export; the row's labels were read."
        ),
        (
            f"edited.{form}: must hold all 12 rows that rater-1 was sent; got 11, without {gone} "
            f"({at}A{row} of what was sent). What the study has of them stays; ask for them if "
            f"they "
            "were filled in."
        ),
    ]
    assert labels_of(folder, "rater-1") == ["Yes"] * 12


def test_long_texts_come_back_as_sent(folder: Path) -> None:
    path = folder / "cases.csv"
    text = path.read_text(encoding="utf-8")
    long = " ".join(f"word{n}" for n in range(2000))
    path.write_text(text.replace("Rest it for a day or two.", long), encoding="utf-8")
    export(folder)
    cells = full(folder, "rater-1")
    place = next(i for i, name in enumerate(cells[0]) if "whole: page" in cells[1][i])
    assert take(folder, saved(folder.parent / "a.xlsx", cells)).notes == []
    cells[1][place] = cells[1][place].replace("word3 ", "word4 ")
    (note,) = take(folder, saved(folder.parent / "b.xlsx", cells)).notes
    assert "must hold the text of the study" in note


def test_the_sheet_as_exported_is_as_sent(folder: Path) -> None:
    export(folder, batch=5, repeats=2, calibration=2)
    taken = take(folder, sheet_of(folder, "rater-1"))
    assert (taken.added, taken.notes) == (0, [])


@pytest.mark.usefixtures("plan")
def test_a_rater_who_left_the_table_is_named_before_anything_is_written(folder: Path) -> None:
    (folder / "raters.csv").write_text("rater\nrater-2\n", encoding="utf-8")
    with pytest.raises(
        InvalidInput, match='must be of a person in the raters table; got "rater-1"'
    ):
        take(folder, saved(folder.parent / "a.xlsx", full(folder, "rater-1")))
    assert not (folder / "judgements.csv").exists()


@pytest.mark.usefixtures("plan")
def test_the_command_counts_and_lists_what_changed(folder: Path) -> None:
    cells = full(folder, "rater-1")
    take(folder, saved(folder.parent / "a.xlsx", cells))
    place = cells[0].index(FIRST)
    for row in cells[1:12]:
        row[place] = "No"
    cells[12][place] = ""
    file = saved(folder.parent / "b.xlsx", cells)
    line = ["campaign", "collect", str(folder), str(file)]
    screen = CliRunner().invoke(app, [*line, "--dry-run"]).output
    assert "11 labels would be added, 11 of them corrections" in screen
    assert "Labels changed: 11." in screen
    assert f'b.xlsx, Ratings!E2: rater-1, {cells[1][0]}, answers-question: "Yes" -> "No"' in screen
    assert "and 1 more; --json and changes.csv list them all." in screen
    assert "Empty cells where the study has a label, which stays: 1." in screen
    listed = json.loads(CliRunner().invoke(app, [*line, "--json"]).output)["changes"]
    assert [one["outcome"] for one in listed].count("changed") == 11
    assert len(listed) == 12

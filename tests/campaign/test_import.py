"""Sheets that come back, in the shapes that they come back in."""

import csv
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medassay.campaign import CollectedSheets, campaign_status, collect_sheets
from medassay.errors import InvalidInput
from medassay.judgements.campaign import CampaignPlan, find_plans
from medassay.study import Study

from .conftest import Cells, export, filled, ratings, saved, sheet_of, typed_into, write_study

ASKED = ("answers-question", "uses-evidence", "uses-knowledge")
LABELS = [("Yes", "Partially", "No"), ("Yes", "No", "Refutes"), ("Yes", "No", "Conflicting")]
ROW = ("Partially", "No", "Conflicting")


def take(folder: Path, *files: Path) -> CollectedSheets:
    return collect_sheets(Study.open_whole(folder), files)


def held(folder: Path) -> dict[tuple[str, ...], str | None]:
    """Give what the study holds: rater, system, case, phase and dimension to the label."""
    now = Study.open_whole(folder).judgements_on_file.current()
    columns = ["rater", "system", "case", "phase", "dimension", "label"]
    return {row[:5]: row[5] for row in now.select(columns).iter_rows()}


def wanted(plan: CampaignPlan, labels: dict[str, tuple[str, ...]]) -> dict[tuple[str, ...], str]:
    return {
        (one.rater, one.item.system, one.item.case, one.phase, dimension): label
        for code, said in labels.items()
        for one in [plan.by_code[code]]
        for dimension, label in zip(ASKED, said, strict=True)
    }


def said(problem: pytest.ExceptionInfo[InvalidInput]) -> list[str]:
    return [str(one) for one in problem.value.problems]


@pytest.mark.slow
@settings(max_examples=12)
@given(
    seed=st.integers(0, 2**32 - 1),
    draw=st.randoms(use_true_random=False),
    ending=st.sampled_from(["xlsx", "csv"]),
    overlap=st.integers(1, 3),
)
def test_what_was_filled_in_comes_back_whatever_the_order(
    tmp_path_factory: pytest.TempPathFactory,
    seed: int,
    draw: random.Random,
    ending: str,
    overlap: int,
) -> None:
    folder = write_study(tmp_path_factory.mktemp("property") / "study")
    export(folder, raters="3", overlap=overlap, secret=seed, repeats=1, calibration=2, form=ending)
    plan = find_plans(folder)["main"]
    labels = {one.code: tuple(draw.choice(few) for few in LABELS) for one in plan.assignments}
    files = []
    for rater in plan.settings.raters:
        cells = filled(ratings(sheet_of(folder, rater, ending=ending)), labels)
        files.append(saved(folder.parent / f"{rater}.{ending}", shuffled(cells, draw)))
    draw.shuffle(files)
    taken = take(folder, *files)
    assert held(folder) == wanted(plan, labels)
    assert taken.added == len(labels) * 3
    assert all(one.done == one.asked for one in taken.progress["main"])


def shuffled(cells: Cells, draw: random.Random) -> Cells:
    """Shuffle the rows below the header, and the columns."""
    rows = cells[1:]
    draw.shuffle(rows)
    columns = list(range(len(cells[0])))
    draw.shuffle(columns)
    return [[row[column] for column in columns] for row in [cells[0], *rows]]


@pytest.fixture
def plan(folder: Path) -> CampaignPlan:
    export(folder)
    return find_plans(folder)["main"]


@pytest.fixture
def sheet(folder: Path, plan: CampaignPlan) -> Cells:
    """Give the first rater's sheet with every label filled in."""
    assert plan.assignments
    cells = ratings(sheet_of(folder, "rater-1"))
    return filled(cells, {row[0]: ROW for row in cells[1:]})


def test_the_exported_workbook_itself_is_filled_in(folder: Path, plan: CampaignPlan) -> None:
    codes = [one.code for one in plan.of_rater("rater-1")]
    typed = {
        code: {"Answers the question": "Yes", "Uses the evidence": "cannot judge",
               "Uses general knowledge": "No", "Rationale": "clear", "Notes": "typo in it"}
        for code in codes
    }  # fmt: skip
    take(folder, typed_into(sheet_of(folder, "rater-1"), typed, folder.parent / "back.xlsx"))
    now = Study.open_whole(folder).judgements_on_file.current()
    assert now.height == 12 * 3
    assert set(now["comment"]) == {"clear\nNotes: typo in it"}
    assert now.filter(dimension="uses-evidence")["reason"].to_list() == ["cannot_judge"] * 12
    positions = {one.item: one.position for one in plan.of_rater("rater-1")}
    assert sorted(now["position"].unique()) == sorted(positions.values())


def test_a_half_finished_sheet_brings_what_it_has(folder: Path, sheet: Cells) -> None:
    half = [*sheet[:5], *([*row[:4], "", *row[5:]] for row in sheet[5:7])]
    taken = take(folder, saved(folder.parent / "half.xlsx", half))
    one, other = taken.progress["main"]
    first = sheet[0].index("Answers the question")
    assert first == 4
    assert (one.asked, one.done, one.begun) == (12, 4, 2)
    assert one.missing == {"answers-question": 8, "uses-evidence": 6, "uses-knowledge": 6}
    assert one.next_position == 5
    assert (other.done, other.next_position) == (0, 1)
    assert campaign_status(Study.open_whole(folder))["main"] == [one, other]


def test_importing_twice_changes_nothing(folder: Path, sheet: Cells) -> None:
    file = saved(folder.parent / "a.xlsx", sheet)
    assert take(folder, file).added == 36
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    again = take(folder, file)
    assert (again.added, again.known, again.files) == (0, 36, [])
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_a_changed_cell_is_a_correction_and_the_old_file_does_not_undo_it(
    folder: Path, sheet: Cells
) -> None:
    old = saved(folder.parent / "a.xlsx", sheet)
    take(folder, old)
    sheet[1][4] = "Yes"
    taken = take(folder, saved(folder.parent / "b.xlsx", sheet))
    assert (taken.added, taken.corrected, taken.known) == (1, 1, 35)
    assert take(folder, old).added == 0
    table = Study.open_whole(folder).judgements_on_file
    assert (len(table), table.corrected) == (37, 1)
    assert list(held(folder).values()).count("Yes") == 1
    assert len(list((folder / "campaigns" / "main" / "returned").iterdir())) == 2


def test_old_and_new_files_may_be_given_together(folder: Path, sheet: Cells) -> None:
    old = saved(folder.parent / "a.xlsx", sheet)
    take(folder, old)
    sheet[1][4] = "Yes"
    new = saved(folder.parent / "b.xlsx", sheet)
    with pytest.raises(InvalidInput, match="say what the code"):
        take(folder, new, saved(folder.parent / "c.xlsx", [*sheet[:1], [*sheet[1][:4], "No"]]))
    assert take(folder, new, old).corrected == 1
    assert list(held(folder).values()).count("Yes") == 1


def test_rows_that_were_lost_are_brought_back_by_the_same_file(folder: Path, sheet: Cells) -> None:
    file = saved(folder.parent / "a.xlsx", sheet)
    take(folder, file)
    (folder / "judgements.csv").unlink()
    assert take(folder, file).added == 36


def test_a_copy_of_each_file_is_kept_as_it_came(folder: Path, sheet: Cells) -> None:
    file = saved(folder.parent / "Ms Smith (1).xlsx", sheet)
    take(folder, file)
    (kept,) = (folder / "campaigns" / "main" / "returned").iterdir()
    assert kept.read_bytes() == file.read_bytes()


def test_an_emptied_cell_takes_nothing_away(folder: Path, sheet: Cells) -> None:
    take(folder, saved(folder.parent / "a.xlsx", sheet))
    sheet[1][4] = ""
    taken = take(folder, saved(folder.parent / "b.xlsx", sheet))
    assert taken.added == 0
    (kept,) = taken.changes
    assert (kept.outcome, kept.old, kept.new, kept.cell) == ("kept", "Partially", "", "Ratings!E2")
    assert set(held(folder).values()) == set(ROW)


@pytest.mark.parametrize(
    "shape",
    [
        lambda text: "\ufeff" + text,
        lambda text: text.replace(",", ";"),
        lambda text: text.replace(",", "\t"),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("Partially", " partially\u00a0"),
        lambda text: text.replace("Partially", "PARTIALLY."),
        lambda text: text.replace("Partially", "Ｐａｒｔｉａｌｌｙ\u200b").replace(
            "Code", "Ｃｏｄｅ"
        ),
    ],
    ids=["mark", "semicolons", "tabs", "CRLF", "blanks", "capitals", "full width"],
)
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16"])
def test_csv_comes_back_in_any_dress(
    folder: Path, plan: CampaignPlan, shape: object, encoding: str
) -> None:
    assert callable(shape)
    if (
        encoding == "cp1252"
        and not shape("Partially").isascii()
        and "\u00a0" not in shape("Partially")
    ):
        encoding = "utf-8"
    rows = [["Code", "Answers the question", "uses-evidence", "USES GENERAL KNOWLEDGE", "Notes"]]
    rows += [[one.code, *ROW, "naïve"] for one in plan.of_rater("rater-2")]
    text = "".join(",".join(row) + "\n" for row in rows)
    file = folder.parent / "back.csv"
    file.write_bytes(shape(text).encode(encoding))
    assert take(folder, file).added == 36
    assert set(held(folder).values()) == set(ROW)


def test_pages_and_columns_may_be_renamed_and_added(folder: Path, sheet: Cells) -> None:
    for place, row in enumerate(sheet):
        row.insert(2, "my own column" if place == 0 else str(place))
        row[0] = row[0].lower().replace("-", " – ") if place else row[0]
    assert take(folder, saved(folder.parent / "a.xlsx", sheet, "Sheet 1 (2)")).added == 36


def test_many_labels_of_another_scale_are_one_line(folder: Path, sheet: Cells) -> None:
    for row, word in zip(sheet[1:6], ["9", "10", "9", "8", "10"], strict=True):
        row[4] = word
    with pytest.raises(InvalidInput) as problem:
        take(folder, saved(folder.parent / "a.xlsx", sheet, "My page"))
    (line,) = said(problem)
    assert 'got "9", "10", "8" on 5 rows (2, 3, 4 ...).' in line
    assert "another rubric than the one in use" in line


def test_every_problem_is_named_with_its_cell(folder: Path, sheet: Cells) -> None:
    sheet[1][4] = "Partly"
    sheet[2][5] = "Yse"
    sheet[3][0] = ""
    sheet[4][0] = sheet[5][0][:-1] + "B"
    with pytest.raises(InvalidInput) as problem:
        take(folder, saved(folder.parent / "a.xlsx", sheet, "My page"))
    lines = said(problem)
    assert lines[0] == (
        "a.xlsx, cell 'My page'!E2, column Answers the question: must be one of Yes, Partially, "
        'No; got "Partly". Did you mean "Partially"?'
    )
    assert "cell 'My page'!F3" in lines[1]
    assert 'Did you mean "Yes"?' in lines[1]
    assert "cell 'My page'!A4" in lines[2]
    assert "an empty cell" in lines[2]
    assert f'Did you mean "{sheet[5][0]}"?' in lines[3]
    assert not (folder / "judgements.csv").exists()
    assert not (folder / "campaigns" / "main" / "returned").exists()


def test_a_code_that_stands_twice_must_say_one_thing(folder: Path, sheet: Cells) -> None:
    sheet.append(list(sheet[1]))
    assert take(folder, saved(folder.parent / "same.xlsx", sheet)).added == 36
    sheet[-1][4] = "No"
    with pytest.raises(InvalidInput, match='got "No", and Ratings!E2 says "Partially"'):
        take(folder, saved(folder.parent / "other.xlsx", sheet))


def test_codes_of_other_campaigns_and_studies_are_refused(
    folder: Path, sheet: Cells, tmp_path: Path
) -> None:
    export(folder, raters="anna", name="second")
    other = [one.code for one in find_plans(folder)["second"].assignments]
    sheet[1][0] = other[0]
    with pytest.raises(InvalidInput, match='a code of the campaign "second"'):
        take(folder, saved(folder.parent / "a.xlsx", sheet))
    stranger = write_study(tmp_path / "stranger")
    export(stranger, secret=9)
    with pytest.raises(InvalidInput, match="12 codes of another study"):
        take(folder, sheet_of(stranger, "rater-1"))


def test_an_answer_that_changed_meanwhile_is_refused(folder: Path, sheet: Cells) -> None:
    path = folder / "answers" / "clinic.csv"
    text = path.read_text(encoding="utf-8").replace("case 03", "case three")
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match="clinic, 03, which has changed since the export"):
        take(folder, saved(folder.parent / "a.xlsx", sheet))


def test_words_that_look_like_a_formula_are_kept_and_never_run(folder: Path, sheet: Cells) -> None:
    words = ["=1+1", "- too short", "+44 20", "@home", "'=quoted", "'tis fine"]
    place = sheet[0].index("Rationale")
    for row, text in zip(sheet[1:], words, strict=False):
        row[place] = text
    take(folder, saved(folder.parent / "a.xlsx", sheet))
    table = Study.open_whole(folder).judgements_on_file
    assert {one for one in table.frame["comment"] if one} == set(words)
    text = (folder / "judgements.csv").read_text(encoding="utf-8")
    cells = [cell for line in csv.reader(text.splitlines()) for cell in line]
    assert not [cell for cell in cells if cell[:1] in set("=+-@")]
    assert ",'=1+1" in text


def test_pairs_come_back_as_preferences(folder: Path) -> None:
    export(folder, kind="preferences", repeats=2)
    plan = find_plans(folder)["main"]
    cells = ratings(sheet_of(folder, "rater-1"))
    place = cells[0].index("Which is better?")
    codes = [row[0] for row in cells[1:]]
    for row, word in zip(cells[1:], ["A", "b", "tie", "cannot judge"] * 4, strict=False):
        row[place] = word
    file = saved(folder.parent / "a.xlsx", cells)
    assert take(folder, file).added == 14
    assert take(folder, file).added == 0
    rows = Study.open_whole(folder).preferences_on_file.current()
    by_key = {(r["phase"], r["case"], r["first"], r["second"]): r for r in rows.to_dicts()}
    for code, word in zip(codes, ["A", "b", "tie", "cannot judge"] * 4, strict=False):
        one = plan.by_code[code]
        first, second = one.item.pair
        kept = by_key[one.phase, one.item.case, first, second]
        winner = {"A": one.item.system, "b": one.item.system_b}.get(word)
        assert kept["winner"] == winner
        assert (kept["reason"] == "cannot_judge") == (word == "cannot judge")
    cells[1][place] = "tie"
    assert take(folder, saved(folder.parent / "b.xlsx", cells)).corrected == 1

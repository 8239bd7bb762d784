"""The workbook as a rater meets it: its pages, lists, frozen header, and long texts."""

import io
import re
import zipfile

import pytest

from medassay.campaign.rating_sheet import (
    RatingSheet,
    SheetRow,
    instructions_bytes,
    workbook_bytes,
)
from medassay.campaign.rating_sheet.workbook import MOST_LINES, CellText, fitting, lines_of
from medassay.judgements import load_rubric, rubric_names
from medassay.tables import Page, read_pages

NOTE = tuple(
    f"[{n}] On day {n} the patient was seen, and all that was found is here." for n in range(90)
)


def sheet(rubric: str = "archehr", count: int = 26) -> RatingSheet:
    rows = tuple(
        SheetRow(
            f"code {n}",
            1 + n // 13,
            {
                "question": ("How long?",),
                "evidence": NOTE[: 2 + 88 * (n == 0)],
                "answer": ("Two.",),
            },
        )
        for n in range(count)
    )
    return RatingSheet("Ankles", "main", "anna", "answers", load_rubric(rubric), rows)


def parts(content: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        return {name: book.read(name).decode() for name in book.namelist()}


def page(content: bytes, title: str) -> Page:
    return next(one for one in read_pages(content, "a.xlsx")[0] if one.title == title)


@pytest.mark.parametrize("name", rubric_names())
def test_instructions_name_what_to_keep_open_where_the_rubric_does(name: str) -> None:
    rubric = load_rubric(name)
    told = instructions_bytes(sheet(name)).decode()
    assert ("open while you rate, and check facts there." in told) == bool(rubric.keep_open)
    if name == "med-gpt":
        assert "Keep the WHO guidelines open while you rate, and check facts there." in told


def test_its_pages_and_its_first_column() -> None:
    content = workbook_bytes(sheet())
    assert [one.title for one in read_pages(content, "a")[0]] == [
        "Start", "Ratings", "Rubric", "Texts",
    ]  # fmt: skip
    column = [row[0] for row in page(content, "Ratings").cells]
    assert column[:3] == ["Code", "Batch 1 of 2: 1 to 13", "code 0"]
    assert column[15].startswith("Batch 2 of 2: 14 to 26 · Time for a break")


def test_labels_are_offered_and_the_header_stays() -> None:
    ratings = parts(workbook_bytes(sheet()))["xl/worksheets/sheet2.xml"]
    assert re.search(r'<pane xSplit="1" ySplit="1"[^>]*state="frozen"', ratings)
    offered = re.findall(r"<formula1>\"(.*?)\"</formula1>", ratings)
    assert set(offered) == {
        "Yes,Partially,No,cannot judge,not applicable",
        "Yes,No,Refutes,cannot judge,not applicable",
        "Yes,No,Conflicting,cannot judge,not applicable",
    }
    # Codes and texts are locked, what is filled in is not.
    assert "<sheetProtection" in ratings
    assert "<f>" not in ratings.replace("<formula", "")


def test_the_rubric_stands_on_a_page_of_its_own_without_disputed_examples() -> None:
    rubric = load_rubric("archehr")
    words = {cell for row in page(workbook_bytes(sheet()), "Rubric").cells for cell in row}
    for dimension in rubric.dimensions:
        assert dimension.question in words
        assert {label.description for label in dimension.labels} <= words
    disputed = [
        example.answer
        for dimension in rubric.dimensions
        for label in dimension.labels
        for example in label.examples
        if example.disputed
    ]
    assert not [one for one in disputed if any(one in cell for cell in words)]


def test_the_start_page_says_that_the_wording_is_not_the_sources() -> None:
    wording = load_rubric("archehr").wording
    words = [cell for row in page(workbook_bytes(sheet()), "Start").cells for cell in row]
    assert [cell for cell in words if wording in cell]
    assert wording in instructions_bytes(sheet()).decode()


def test_a_long_text_is_whole_on_its_own_page_and_the_row_says_where() -> None:
    content = workbook_bytes(sheet())
    ratings, texts = page(content, "Ratings"), page(content, "Texts")
    assert [row[1] for row in texts.cells if row[1].startswith("[")] == list(NOTE)
    place = ratings.cells[0].index("Evidence")
    shown = ratings.cells[2][place].split("\n")
    assert shown[-1] == "… whole: page Texts, row 2"
    assert shown[:-1] == list(NOTE[: len(shown) - 1])
    assert ratings.cells[2][-1] == "Texts, row 2"


def test_no_row_is_asked_to_show_more_than_a_spreadsheet_can() -> None:
    for length in (10, 400, 3_000, 60_000):
        pieces = [CellText("Evidence", bold=True), CellText("word " * (length // 5))]
        shown, more = fitting(pieces, 58)
        assert lines_of(shown, 58) <= MOST_LINES
        assert more == (length > 2_000)


def test_the_same_sheet_gives_the_same_bytes() -> None:
    assert workbook_bytes(sheet()) == workbook_bytes(sheet())


def test_rubrics_with_many_questions_fit_too() -> None:
    content = workbook_bytes(sheet("med-gpt", 3))
    rubric = load_rubric("med-gpt")
    header = page(content, "Ratings").cells[0]
    assert [one.title for one in rubric.dimensions] == [
        name for name in header if name in {one.title for one in rubric.dimensions}
    ]

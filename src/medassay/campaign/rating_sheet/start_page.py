"""The first page: what to do, for somebody who has never seen such a workbook."""

from typing import Any

from medassay.campaign.rating_sheet.fit import CellText, height_of, lines_of
from medassay.campaign.rating_sheet.sheet import (
    ABOUT,
    HEADINGS,
    PASSAGE,
    SYNTHETIC,
    RatingSheet,
    dimension_headings,
)
from medassay.campaign.rating_sheet.styles import SheetStyles

__all__ = ["instructions", "write_start_page"]

_WIDTH = 92


def instructions(sheet: RatingSheet, *, plain: bool = False) -> list[str]:
    """Say, step by step, what the rater does.

    Args:
        sheet: What is rated.
        plain: Whether the sheet is a CSV file, which has no pages and no colours.
    """
    what = (
        "one pair of answers to the same question" if sheet.kind == "preferences" else "one answer"
    )
    beside = (
        "with what you need to judge it beside it."
        if sheet.has("answer", "answer_a")
        else "whose texts you are shown elsewhere: look them up by the code in the row."
    )
    why = sheet.rubric.rationale or "One or two sentences on what decided your choice."
    if plain:
        rubric, ratings = "Read rubric.csv", "Open your sheet"
        fill = "Type one label, as rubric.csv writes it, into each cell under the questions."
        empty = "Cells of questions that a row does not ask stay empty."
        rest = "Take a break where the number under Batch changes."
        begin = "the empty cells"
    else:
        rubric, ratings = "Read the page Rubric", "Go to the page Ratings"
        fill = (
            "Choose one label in each tinted cell: click on the cell, then on the arrow beside it, "
            "or type the label. The tint goes when the cell is filled."
        )
        empty = "Grey cells are not asked."
        rest = "Take a break at each line that begins with Batch."
        begin = "the tinted cells"
    parts = {
        0: [],
        1: [
            (
                "This is the first of two parts. Hand it in before you open the second: the second "
                "shows how confident each system says it is, and what you say here "
                "must not know that."
            )
        ],
        2: [
            (
                "This is the second of two parts. Begin it when you have handed in the first, and "
                "leave the first as it is: here you see how confident each system says it is."
            )
        ],
    }
    return [
        *parts[sheet.part],
        f"{rubric}. It says what each question means and when to choose which label."
        + (f" {sheet.rubric.wording}" if sheet.rubric.wording else ""),
        *([sheet.rubric.to_keep_open] if sheet.rubric.keep_open else []),
        (
            f"{ratings} and work down the rows in their order. Each row is {what}, {beside}"
            if not sheet.is_parted
            else f"{ratings} and work down the rows in their order; rows of one code are of {what}."
        ),
        fill,
        *_about_parts(sheet, empty),
        (
            "Where you cannot give a label, choose “cannot judge”, or “not applicable” where the "
            "question does not arise. A cell left empty counts as not yet done."
        ),
        (
            f"Rationale: {why} Notes: anything that the organisers should know, such as a text "
            "that cannot be read."
        ),
        f"{rest} You can stop at any time: save, and go on where {begin} begin.",
        (
            "Save the file as it is and send it back. A file that is only half filled in is "
            "welcome too; nothing in it is lost."
        ),
    ]


def _about_parts(sheet: RatingSheet, empty: str) -> list[str]:
    """Say how rows about criteria, documents and passages are filled in, where there are some."""
    if not sheet.is_parted:
        return []
    first = (
        f"The column {ABOUT} says what a row is about: the answer, or one thing in it or beside "
        f"it, whose words stand under {HEADINGS['subject']}. {empty}"
    )
    steps = [first]
    if any(row.about.startswith("Document") for row in sheet.rows):
        steps.append(
            "Documents stand above their answer: judge each by the question alone, before you "
            "read the answer."
        )
    if sheet.has_passages:
        steps.append(
            f"Passages: copy the words out of the answer into the column {PASSAGE}, and say beside "
            "it what is wrong with them. Where there is nothing to mark, choose “none” in one of "
            "these rows. For more passages than there are rows, add rows with the same code, and "
            "count on under " + ABOUT + "."
        )
    return steps


def write_start_page(page: Any, sheet: RatingSheet, styles: SheetStyles) -> None:  # noqa: ANN401 - xlsxwriter publishes no types
    """Write the instructions."""
    page.hide_gridlines(2)
    page.set_column(0, 0, 5)
    page.set_column(1, 1, 26)
    page.set_column(2, 2, _WIDTH - 26)
    row = 0
    if sheet.synthetic:
        page.merge_range(row, 0, row, 2, SYNTHETIC, styles.warning)
        page.set_row(row, 20)
        row += 1
    page.set_row(row, 34)
    page.write_string(row, 1, sheet.title, styles.title)
    noun = "pairs of answers" if sheet.kind == "preferences" else "answers"
    count, batches = len(sheet.numbers), sheet.batches
    parts = f"{batches} batches with a break between them" if batches > 1 else "one batch"
    which = {0: "", 1: "Part 1 of 2. ", 2: "Part 2 of 2. "}[sheet.part]
    lead = f"{which}For {sheet.rater}: {count} {noun} in {parts}."
    page.merge_range(row + 1, 1, row + 1, 2, lead, styles.lead)
    row = _heading(page, row + 3, "What to do", styles)
    for number, text in enumerate(instructions(sheet), start=1):
        page.write_string(row, 0, str(number), styles.step)
        page.merge_range(row, 1, row, 2, text, styles.lead)
        page.set_row(row, height_of(lines_of([CellText(text)], _WIDTH * 0.88)) + 4)
        row += 1
    row = _heading(page, row + 1, "What you are asked", styles)
    headings = dimension_headings(sheet.rubric)
    for dimension in sheet.rubric.dimensions:
        page.write_string(row, 1, headings[dimension.id], styles.label)
        page.write_string(row, 2, dimension.question, styles.text)
        page.set_row(row, height_of(lines_of([CellText(dimension.question)], _WIDTH - 28)))
        row += 1
    row = _heading(page, row + 1, "Please", styles)
    for text in (
        (
            "Judge by yourself: do not talk about the answers with other raters before all have "
            "handed in."
        ),
        (
            "Which system wrote an answer is hidden on purpose. If you believe you know, say so "
            "under Notes and rate as usual."
        ),
        "An answer may seem familiar. Rate each as you see it, without looking back.",
        "Leave the codes and the texts as they are; they bring your labels home.",
    ):
        page.write_string(row, 0, "–", styles.step)
        page.merge_range(row, 1, row, 2, text, styles.lead)
        page.set_row(row, height_of(lines_of([CellText(text)], _WIDTH * 0.88)) + 4)
        row += 1
    page.set_portrait()
    page.set_paper(9)
    page.fit_to_pages(1, 1)


def _heading(page: Any, row: int, text: str, styles: SheetStyles) -> int:  # noqa: ANN401 - xlsxwriter publishes no types
    page.set_row(row, 24)
    page.write_string(row, 1, text, styles.heading)
    return row + 1

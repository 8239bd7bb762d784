"""The rubric on a page of its own: every label, when to choose it, and an example."""

from typing import Any

from medassay.campaign.rating_sheet.fit import CellText, height_of, lines_of
from medassay.campaign.rating_sheet.sheet import SYNTHETIC, RatingSheet, dimension_headings
from medassay.campaign.rating_sheet.styles import SheetStyles
from medassay.judgements import NO_SPAN, Dimension, Label, Rubric

__all__ = ["example_words", "rubric_rows", "write_rubric_page"]

_WIDTHS = (26, 52, 62)


def example_words(label: Label) -> str:
    """Write a label's examples, an empty line between two; disputed ones train nobody."""
    return "\n\n".join(
        (f"{example.question}\n" if example.question else "") + f"“{example.answer}”\n{example.why}"
        for example in label.examples
        if not example.disputed
    )


def rubric_rows(rubric: Rubric) -> list[list[str]]:
    """Lay the rubric out as a table: question, label, when to choose it, example."""
    headings = dimension_headings(rubric)
    return [
        [headings[dimension.id], dimension.question, *cells]
        for dimension in rubric.dimensions
        for cells in choices(dimension)
    ]


def choices(dimension: Dimension) -> list[tuple[str, str, str]]:
    """List what may be said: the word, when to choose it, and an example."""
    rows = [
        (choice.label, choice.description, example_words(choice))
        for choice in (*dimension.labels, *dimension.kinds)
    ]
    if dimension.number is not None:
        rows.append((f"{dimension.number}", "Type the number.", ""))
    if dimension.kinds:
        rows.append((NO_SPAN, "Nothing wrong here. An empty cell stays open.", ""))
    rows += [
        (f"severity: {choice.label}", choice.description, example_words(choice))
        for choice in dimension.severities
    ]
    if dimension.confidence_is_number:
        rows.append(("how sure: 0 to 1", "0 for a guess, 1 for no doubt.", ""))
    elif dimension.confidence:
        words = ", ".join(dimension.confidence)
        rows.append((f"how sure: {words}", "How sure you are of what you say.", ""))
    return rows


def write_rubric_page(page: Any, sheet: RatingSheet, styles: SheetStyles) -> None:  # noqa: ANN401 - xlsxwriter publishes no types
    """Write what each question means and each label stands for."""
    page.hide_gridlines(2)
    for column, width in enumerate(_WIDTHS):
        page.set_column(column, column, width)
    row = 0
    if sheet.synthetic:
        page.merge_range(row, 0, row, 2, SYNTHETIC, styles.warning)
        row += 1
    headings = dimension_headings(sheet.rubric)
    for dimension in sheet.rubric.dimensions:
        page.set_row(row, 26)
        page.write_string(row, 0, headings[dimension.id], styles.heading)
        page.merge_range(row + 1, 0, row + 1, 2, dimension.question, styles.lead)
        page.set_row(
            row + 1, height_of(lines_of([CellText(dimension.question)], sum(_WIDTHS) * 0.85)) + 4
        )
        row += 2
        for column, text in enumerate(("Label", "Choose it when", "Example")):
            page.write_string(row, column, text, styles.header)
        row += 1
        for cells in choices(dimension):
            for column, text in enumerate(cells):
                page.write_string(row, column, text, styles.text if column else styles.label)
            tallest = max(
                lines_of([CellText(text)], width)
                for text, width in zip(cells, _WIDTHS, strict=True)
            )
            page.set_row(row, height_of(tallest))
            row += 1
        if dimension.precedence:
            text = (
                f"Where two labels hold at once, choose the first of: "
                f"{', '.join(dimension.precedence)}."
            )
            page.merge_range(row, 0, row, 2, text, styles.lead)
            page.set_row(row, 20)
            row += 1
        row += 1
    text = (
        "“cannot judge”: you lack what it takes to decide, such as the knowledge or the text. "
        "“not applicable”: the question does not arise for this answer."
    )
    page.merge_range(row, 0, row, 2, text, styles.quiet)
    page.set_row(row, 20)
    page.set_landscape()
    page.set_paper(9)
    page.fit_to_pages(1, 0)

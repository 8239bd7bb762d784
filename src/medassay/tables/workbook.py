"""Read the first sheet of an Excel or OpenDocument workbook as a table."""

from collections.abc import Sequence
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.tables.grid import sheet_of_grid
from medassay.tables.sheet import Sheet
from medassay.tables.workbooks import Page, cell_place, column_name, open_workbook

__all__ = ["WORKBOOK", "read_workbook", "sheet_of_page"]

WORKBOOK: Final = "an Excel workbook"


def read_workbook(content: bytes, file: str) -> Sheet:
    """Read the first sheet that has cells; a note says which, and which others were not read.

    Cells become the text that a spreadsheet would save as CSV: a whole number without its
    fraction, a date in ISO 8601.

    Raises:
        InvalidInput: The file is no workbook, a cell of the sheet holds an error such as #N/A or a
            formula that nobody has computed, or its cells do not make a table.
    """
    pages = open_workbook(content, file)
    filled = [page for page in pages if page.cells or page.errors or page.uncomputed]
    if not filled:
        raise InvalidInput(Problem(file, "have a header row", "a workbook without cells"))
    hint = f'Its sheet "{filled[0].title}" was read.'
    if filled[1:]:
        others = ", ".join(f'"{page.title}"' for page in filled[1:])
        hint = f'Its sheet "{filled[0].title}" was read; {others} not.'
    note = Problem(file, "be CSV, JSONL or Parquet", WORKBOOK, hint)
    return sheet_of_page(filled[0], file, [note])


def sheet_of_page(page: Page, file: str, notes: Sequence[Problem]) -> Sheet:
    """Take a page as a table whose first row names its columns.

    Args:
        page: The page.
        file: What messages call the file.
        notes: What was said about the file already.

    Raises:
        InvalidInput: A cell has no value that can be told, or the cells do not make a table.
    """
    unknown = {name: f"the error {word}".rstrip() for name, word in page.errors.items()}
    unknown |= dict.fromkeys(page.uncomputed - unknown.keys(), "a formula that was never computed")
    problems = []
    for name in sorted(unknown, key=cell_place):
        row, column = cell_place(name)
        hint = "Repair it, or empty the cell."
        if name in page.uncomputed:
            hint = "Open the workbook in a spreadsheet, save it there, and give that."
        must, got = "have a value in every cell", unknown[name]
        problems.append(Problem(file, must, got, hint, row + 1, column_name(column)))
    problems += _merged(page, file)
    if problems:
        raise InvalidInput(problems)
    return sheet_of_grid(page.cells, file, [*notes, *_empty_formulas(page, file)])


def _merged(page: Page, file: str) -> list[Problem]:
    """Name cells of the table that a merge hides: each would be empty, and looks filled."""
    hint = "Unmerge the cells, and fill each one or empty it."
    return [
        Problem(
            file, "have a cell of its own for each value", f"a cell merged into {first}", hint,
            cell_place(name)[0] + 1, column_name(cell_place(name)[1]),
        )
        for name, first in sorted(page.merged.items(), key=lambda merge: cell_place(merge[0]))
        if _text(page, name) is not None and _text(page, first)
    ]  # fmt: skip


def _empty_formulas(page: Page, file: str) -> list[Problem]:
    """Note formulas that show nothing: an old workbook keeps the same for one never computed."""
    blank = sorted((name for name in page.formulas if _text(page, name) == ""), key=cell_place)
    if not blank:
        return []
    got = f"a formula that shows nothing in {blank[0]}"
    more = f", and {len(blank) - 1} more" if blank[1:] else ""
    hint = "It was read as an empty cell; if a spreadsheet shows something there, save it there."
    return [Problem(file, "have values in its cells", f"{got}{more}", hint)]


def _text(page: Page, name: str) -> str | None:
    """Give what stands in a cell; None beyond the table."""
    row, column = cell_place(name)
    inside = row < len(page.cells) and column < len(page.cells[row])
    return page.cells[row][column] if inside else None

"""Read files as tables whose columns nobody planned for us."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.exchange.spreadsheet.grouped_headers import without_groups
from medassay.tables import (
    Page,
    Sheet,
    file_bytes,
    read_json,
    read_pages,
    read_sheet,
    sheet_of_page,
)
from medassay.tables.workbooks import cell_place, is_workbook

__all__ = ["Table", "cell_text", "read_tables"]

_COMMON: Final = ("sheet", "tabelle", "feuil", "hoja", "blad", "table")


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a file: the file, or one sheet of a workbook.

    Attributes:
        sheet: Its columns; `sheet.file` is what messages call it.
        stem: What a system is called whose name stands nowhere else.
    """

    sheet: Sheet
    stem: str

    @property
    def name(self) -> str:
        """Say what messages call it."""
        return self.sheet.file

    def cells(self, column: str) -> list[str]:
        """Give a column as text; empty where nothing stands."""
        return [cell_text(cell) for cell in self.sheet.columns[column]]


def read_tables(files: Sequence[Path]) -> tuple[list[Table], list[str], list[Problem]]:
    """Read every table of every file: each sheet of a workbook that has cells is one.

    Returns:
        The tables; what was odd and read all the same; and why sheets beside them are no tables.

    Raises:
        InvalidInput: Every problem of every file.
    """
    tables: list[Table] = []
    notes: list[str] = []
    problems: list[Problem] = []
    left_out: list[Problem] = []
    for file in files:
        try:
            tables += _tables(file, notes, left_out)
        except InvalidInput as error:
            problems += error.problems
    if problems:
        raise InvalidInput(problems)
    notes += [str(note) for table in tables for note in table.sheet.notes]
    return tables, notes, left_out


def cell_text(cell: object) -> str:
    """Give a cell as text without blanks around it; a whole number has no fraction.

    Example:
        >>> cell_text(" x "), cell_text(3.0), cell_text(None), cell_text(7)
        ('x', '3', '', '7')
    """
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell).strip()


def _tables(file: Path, notes: list[str], left_out: list[Problem]) -> list[Table]:
    if file.suffix.lower() == ".json":
        return [Table(_records(file), file.stem)]
    content = file_bytes(file, file.name)
    if not is_workbook(content):
        return [Table(_tidy(read_sheet(file)), file.stem)]
    pages = [page for page in read_pages(content, file.name)[0] if page.cells or page.errors]
    if not pages:
        raise InvalidInput(Problem(file.name, "have a header row", "a workbook without cells"))
    tables: list[Table] = []
    problems: list[Problem] = []
    for page in pages:
        several = len(pages) > 1
        shown = f"{file.name}, sheet {page.title}" if several else file.name
        try:
            named_once = without_groups(_without_titles(page, shown, notes), shown, notes)
            sheet = sheet_of_page(_filled(named_once), shown, [])
        except InvalidInput as error:
            problems += error.problems
            continue
        named = several and not page.title.casefold().startswith(_COMMON)
        tables.append(Table(_tidy(sheet), page.title.strip() if named else file.stem))
    if problems and not tables:
        raise InvalidInput(problems)
    left_out += problems
    return tables


def _tidy(sheet: Sheet) -> Sheet:
    """Make one line of each header: a spreadsheet breaks them where columns are narrow."""
    return replace(sheet, columns={" ".join(n.split()): c for n, c in sheet.columns.items()})


def _filled(page: Page) -> Page:
    """Write into each cell of a merge that runs down one column what the merge shows.

    Of a merge that runs across, such as a title, the first cell keeps what it says.
    """
    cells = [list(row) for row in page.cells]
    for name, first in page.merged.items():
        (row, column), (top, left) = cell_place(name), cell_place(first)
        if column == left and row < len(cells) and column < len(cells[row]):
            cells[row][column] = cells[top][left]
    across = {
        name: first
        for name, first in page.merged.items()
        if cell_place(name)[1] != cell_place(first)[1] and not _is_title(cells, first)
    }
    return replace(page, cells=cells, merged=across)


def _without_titles(page: Page, shown: str, notes: list[str]) -> Page:
    """Empty the rows above the names that hold nothing but one merged cell."""
    cells = [list(row) for row in page.cells]
    tops = {cell_place(first)[0]: first for first in page.merged.values()}
    for place, row in enumerate(cells):
        if place in tops and _is_title(cells, tops[place]):
            title = next(cell for cell in row if cell.strip())
            notes.append(f'{shown}, row {place + 1}: "{title}", a title, was left out.')
            cells[place] = [""] * len(row)
        elif any(cell.strip() for cell in row):
            break
    return replace(page, cells=cells)


def _is_title(cells: Sequence[Sequence[str]], first: str) -> bool:
    row, column = cell_place(first)
    return sum(bool(cell.strip()) for cell in cells[row]) == 1 and bool(cells[row][column].strip())


def _records(file: Path) -> Sheet:
    held = read_json(file)
    rows = held if isinstance(held, list) else []
    if not rows or not all(isinstance(row, dict) for row in rows):
        must, hint = "be a list of records", 'Write [{"question": "...", "answer": "..."}, ...].'
        raise InvalidInput(Problem(file.name, must, type(held).__name__, hint))
    names = dict.fromkeys(str(name) for row in rows for name in row)
    columns = {name: [row.get(name) for row in rows] for name in names}
    return _tidy(Sheet(file.name, list(range(1, len(rows) + 1)), columns))

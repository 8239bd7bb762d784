"""Sheets that raters send back: every table in them, each cell with its address."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from medassay.campaign.rating_sheet.sheet import CODE
from medassay.errors import InvalidInput, Problem, nearest
from medassay.tables import Page, cell_name, file_bytes, folded, read_pages, unguarded

__all__ = ["ReturnedFile", "ReturnedTable", "read_returned"]

_DEEPEST: Final = 50
"""So far down a page its header is looked for."""


@dataclass(frozen=True)
class ReturnedTable:
    """The rows of one page that has codes.

    Attributes:
        page: The page.
        header: The header's row, from 0.
        columns: Each heading as it stands, to its place, from 0; of two alike, the first.
    """

    page: Page
    header: int
    columns: Mapping[str, int]

    def rows(self) -> Iterator[int]:
        """Go through the rows below the header that hold anything."""
        for row in range(self.header + 1, len(self.page.cells)):
            if any(cell.strip() for cell in self.page.cells[row]):
                yield row

    def text(self, row: int, column: int) -> str:
        """Give what a cell shows, without blanks around it."""
        cells = self.page.cells[row]
        text = cells[column] if column < len(cells) else ""
        text = text.replace("\u00a0", " ").replace("\ufeff", "").replace("\r\n", "\n").strip(" \n")
        return unguarded(text) if self.page.from_text else text.strip()

    def address(self, row: int, column: int) -> str:
        """Name a cell so that it can be typed into a spreadsheet's name box."""
        name = cell_name(row, column)
        if not self.page.title:
            return name
        plain = self.page.title.replace("_", "").isalnum()
        title = self.page.title if plain else "'" + self.page.title.replace("'", "''") + "'"
        return f"{title}!{name}"

    def oddity(self, row: int, column: int) -> tuple[str, str]:
        """Say what keeps a cell from being read as it stands, and what to do; or nothing."""
        name = cell_name(row, column)
        if name in self.page.errors:
            got = f"the error {self.page.errors[name] or 'of a formula'}"
            return got, "Type the text again; one that begins with a sign needs a ' before it."
        if name in self.page.formulas:
            return "a formula", "Formulas are not computed: type what it should say."
        if name in self.page.merged:
            first = self.page.merged[name]
            return f"a cell merged into {first}", "Unmerge the cells and fill each one."
        return "", ""


@dataclass(frozen=True)
class ReturnedFile:
    """One file as it came back.

    Attributes:
        file: What messages call it.
        content: Its bytes, to keep.
        tables: The tables with codes.
        notes: What was odd about it and was read all the same.
    """

    file: str
    content: bytes
    tables: Sequence[ReturnedTable]
    notes: Sequence[Problem]


def read_returned(path: Path) -> ReturnedFile:
    """Read a file that a rater sent back: a workbook of any kind, or CSV of any kind.

    Pages may have been renamed, moved or added, and rows and columns moved about: a table is found
    by its heading Code.

    Raises:
        InvalidInput: The file cannot be read, or no page of it has a column of codes.
    """
    file = path.name
    content = file_bytes(path, file)
    if not content.strip():
        raise InvalidInput(Problem(file, "be a sheet that came back", "an empty file"))
    pages, notes = read_pages(content, file)
    tables = [table for page in pages if (table := _table(page)) is not None]
    if not tables:
        firsts = [cell for page in pages for row in page.cells[:_DEEPEST] for cell in row if cell]
        hint = nearest(CODE, firsts) and "Was its heading changed?"
        got = "none on any of its pages" if len(pages) > 1 else "none"
        must = f'have a column with the heading "{CODE}"'
        hint = hint or "Is it the file that the rater filled in?"
        raise InvalidInput(Problem(file, must, got, hint))
    return ReturnedFile(file, content, tables, notes)


def _table(page: Page) -> ReturnedTable | None:
    for number, cells in enumerate(page.cells[:_DEEPEST]):
        words = [folded(cell) for cell in cells]
        if any(word.casefold() == CODE.casefold() for word in words):
            columns: dict[str, int] = {}
            for place, word in enumerate(words):
                if word:
                    columns.setdefault(unguarded(word) if page.from_text else word, place)
            return ReturnedTable(page, number, columns)
    return None

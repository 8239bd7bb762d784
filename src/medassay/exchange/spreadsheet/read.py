"""Read files as tables whose columns nobody planned for us."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final

from medassay.errors import InvalidInput, Problem
from medassay.exchange.declaration import json_at, list_inside
from medassay.exchange.spreadsheet.grouped_headers import without_groups
from medassay.exchange.spreadsheet.profile import are_times, counts_rows, number_of
from medassay.exchange.spreadsheet.respondents import (
    by_answer,
    by_metric,
    by_run,
    of_a_crowd,
    upright,
    without_import_ids,
)
from medassay.exchange.spreadsheet.scale_words import Ends, read_ends
from medassay.exchange.spreadsheet.words import form, lexicon
from medassay.tables import (
    Page,
    Sheet,
    file_bytes,
    parse_strictly,
    read_pages,
    read_sheet,
    sheet_of_page,
)
from medassay.tables.grid import forget_cells
from medassay.tables.workbooks import cell_place, is_workbook
from medassay.text import first_of

_COMMON: Final = ("sheet", "tabelle", "feuil", "hoja", "blad", "table", "foglio", "planilha")
_PAGES: Final = (".csv", ".tsv", ".txt")
_SUMMING: Final = 3
"""Rows of means, deviations and totals below a table."""
_SENTENCE: Final = 4
"""Words of a note that is a sentence, below a table of ids and questions."""
_NOTE_WORDS: Final = ("note", "source", "legend", "*", "n =", "n=", "quelle", "anmerkung", "nota")


@dataclass(frozen=True)
class Table:
    """One table of a file: the file, or one sheet of a workbook.

    Attributes:
        sheet: Its columns; `sheet.file` is what messages call it.
        stem: What a system or a rater is called whose name stands nowhere else.
        ends: Columns to the scale that the row below their header names.
        left_out: Cells above and below the table that were left out.
    """

    sheet: Sheet
    stem: str
    ends: Mapping[str, Ends] = field(default_factory=dict)
    left_out: int = 0
    _texts: dict[str, list[str]] = field(default_factory=dict, repr=False, compare=False)
    _often: dict[str, Counter[str]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def name(self) -> str:
        """Say what messages call it."""
        return self.sheet.file

    def cells(self, column: str) -> list[str]:
        """Give a column as text; empty where nothing stands. It is made once: many ask for it."""
        if column not in self._texts:
            self._texts[column] = _as_texts(self.sheet.columns[column])
        return self._texts[column]

    def of_answers(self, column: str) -> list[str]:
        """Give a column's cells without those of rows of means: these are nobody's labels."""
        cells = self.cells(column)
        return cells[: len(cells) - self._summing] if self._summing else cells

    @cached_property
    def _summing(self) -> int:
        """Count the last rows that hold means or totals: a word for these, numbers, and no text."""
        for count in range(min(_SUMMING, len(self.sheet) - 1)):
            row = {name: self.cells(name)[-1 - count] for name in self.sheet.columns}
            told = self.sums_up(row)
            rest = [c for name, c in row.items() if c not in {"", told} and name not in self.counts]
            if not (told and "" in row.values() and None not in map(number_of, rest)):
                return count
        return min(_SUMMING, len(self.sheet) - 1)

    def sums_up(self, row: Mapping[str, str]) -> str:
        """Give the word for means or totals that a row begins with; empty where it has none."""
        first = next((cell for name, cell in row.items() if cell and name not in self.counts), "")
        return first if first.casefold().strip(":. ") in lexicon().summaries else ""

    @cached_property
    def counts(self) -> frozenset[str]:
        """Name the columns that a file writes into each row by itself: a count, a moment."""
        cells = {name: self.cells(name) for name in self.sheet.columns}
        return frozenset(n for n, own in cells.items() if counts_rows(own) or are_times(own))

    def often(self, column: str) -> Counter[str]:
        """Count a column's different cells, in their order, without the empty one; made once."""
        if column not in self._often:
            self._often[column] = Counter(self.of_answers(column))
            del self._often[column][""]
        return self._often[column]

    def head(self, most: int) -> "Table":
        """Give the first rows alone; the table itself where it has no more."""
        if len(self.sheet) <= most:
            return self
        columns = {name: cells[:most] for name, cells in self.sheet.columns.items()}
        sheet = replace(self.sheet, rows=self.sheet.rows[:most], columns=columns)
        return Table(sheet, self.stem, self.ends, self.left_out)


def sheets_of(tables: Sequence[Table]) -> dict[str, str]:
    """Give tables by their names the sheet's title that is typed to leave them out."""
    columns = {name for table in tables for name in table.sheet.columns}
    titles = {table.name: table.name.partition(", sheet ")[2] for table in tables}
    return {name: title for name, title in titles.items() if title and title not in columns}


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


def _as_texts(cells: Sequence[object]) -> list[str]:
    """Give cells as text; where all are text, at a quarter of the time."""
    try:
        return list(map(str.strip, cells))  # type: ignore[arg-type] # what is no text raises
    except TypeError:
        return [cell.strip() if isinstance(cell, str) else cell_text(cell) for cell in cells]


def cell_text(cell: object) -> str:
    """Give a cell as text without blanks around it; a whole number has no fraction.

    Example:
        >>> cell_text(" x "), cell_text(3.0), cell_text(None), cell_text(7), cell_text(True)
        ('x', '3', '', '7', 'true')
    """
    if isinstance(cell, str):
        return cell.strip()
    if cell is None or cell != cell:  # noqa: PLR0124 - what is no number differs from itself
        return ""
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell).strip()


def _tables(file: Path, notes: list[str], left_out: list[Problem]) -> list[Table]:
    if file.suffix.lower() == ".json":
        return [Table(_records(file), file.stem)]
    content = file_bytes(file, file.name)
    if not is_workbook(content) and file.suffix.lower() not in _PAGES:
        return [Table(by_answer(_flat(_tidy(read_sheet(file))), notes), file.stem)]
    told = file.stat()
    tables, own_notes, problems = _tables_of_pages(file, told.st_mtime_ns, told.st_size)
    notes += own_notes
    left_out += problems
    return tables


@lru_cache(maxsize=4)  # an import asks twice: what the file is, and what it holds
def _tables_of_pages(
    file: Path, _changed: int, _size: int
) -> tuple[list[Table], list[str], list[Problem]]:
    """Read each page of a file that has cells as a table."""
    read, said = read_pages(file_bytes(file, file.name), file.name)
    forget_cells()
    notes = list(map(str, said))
    pages = [page for page in read if page.cells or page.errors]
    if not pages:
        raise InvalidInput(Problem(file.name, "have a header row", "a file without cells"))
    tables: list[Table] = []
    problems: list[Problem] = []
    for page in pages:
        several = len(pages) > 1
        shown = f"{file.name}, sheet {page.title}" if several else file.name
        try:
            whole = without_import_ids(page)
            tidied, beside = _without_notes(_without_titles(whole, shown, notes), shown, notes)
            named_once = without_groups(tidied, shown, notes)
            filled, below = _without_scales(_filled(named_once))
            sheet = _tidy(sheet_of_page(filled, shown, []))
            for shaped in (of_a_crowd, by_metric, by_run, upright, by_answer):
                sheet = shaped(sheet, notes)
        except InvalidInput as error:
            problems += error.problems
            continue
        named = several and not page.title.casefold().startswith(_COMMON)
        ends = dict(zip(sheet.columns, map(below.get, sheet.columns), strict=True))
        told = {name: scale for name, scale in ends.items() if scale is not None}
        stem = page.title.strip() if named else file.stem
        tables.append(Table(sheet, stem, told, beside + len(told)))
    if problems and not tables:
        raise InvalidInput(problems)
    return tables, notes, problems


def _without_notes(page: Page, shown: str, notes: list[str]) -> tuple[Page, int]:
    """Empty the lines above and below a table that hold one cell: a title, a source, a legend."""
    cells = list(page.cells)
    sizes = [sum(map(bool, map(str.strip, row))) for row in cells]
    width = max(sizes, default=0)
    few = width < 3  # noqa: PLR2004 - of two columns a row of one cell may be a row
    if width <= 1:
        return page, 0
    top = next(place for place, size in enumerate(sizes) if 2 * size > width or size > 3)  # noqa: PLR2004 - as a header has
    start = top - 1 if top and sizes[top - 1] > 1 else top
    while start and sizes[start - 1] and _first(cells[start - 1]) > _first(cells[top]):
        start -= 1  # a heading over some of the columns is no note
    above = [place for place in range(start) if sizes[place] in {1, 2} and not few]
    below: list[int] = []
    end = max((place for place in range(top, len(cells)) if sizes[place] > 1), default=top)
    margin = min(map(_first, cells[top : end + 1]))
    for place in range(len(cells) - 1, end, -1):
        filled = next((cell.strip() for cell in cells[place] if cell.strip()), "")
        apart = 0 in sizes[end + 1 : place]
        told = filled.casefold().startswith(_NOTE_WORDS)
        sentence = len(filled.split()) >= _SENTENCE and filled.endswith(".")
        # Ids of one word each have none of several words.
        at = _first(cells[place])
        words = len(filled.split()) > 1 and not any(
            " " in row[at].strip() for row in cells[top + 1 : end + 1] if at < len(row)
        )
        alone = told or sentence or words
        if filled and ((apart and alone) if few else (apart or told or (alone and at == margin))):
            below.append(place)
    for place in (*above, *reversed(below)):
        text = " ".join(filter(None, (cell.strip() for cell in cells[place])))
        notes.append(f'{shown}, row {place + 1}: "{text}", beside the table, was left out.')
        cells[place] = [""] * len(cells[place])
    return replace(page, cells=cells), sum(sizes[place] for place in (*above, *below))


def _without_scales(page: Page) -> tuple[Page, dict[str, Ends]]:
    """Take a row below the header that names scales, and nothing else, out of the rows."""
    cells = list(page.cells)
    filled = [place for place, row in enumerate(cells) if any(cell.strip() for cell in row)]
    if len(filled) < 3:  # noqa: PLR2004 - a header, the row of scales, and a row
        return page, {}
    header, row = cells[filled[0]], cells[filled[1]]
    found = {at: read_ends(cell) for at, cell in enumerate(row) if cell.strip()}
    ends = {at: scale for at, (scale, rest) in found.items() if scale and not rest.strip(" :,;.")}
    if not ends or len(ends) < len(found):
        return page, {}
    cells[filled[1]] = [""] * len(row)
    named = {" ".join(header[at].split()): scale for at, scale in ends.items() if at < len(header)}
    return replace(page, cells=cells), named


def _tidy(sheet: Sheet) -> Sheet:
    """Make one line of each header: a spreadsheet breaks them where columns are narrow."""
    return replace(sheet, columns={" ".join(n.split()): c for n, c in sheet.columns.items()})


def _filled(page: Page) -> Page:
    """Write into each cell of a merge that runs down one column what the merge shows.

    Of a merge that runs across, such as a title, the first cell keeps what it says.
    """
    if not page.merged:
        return page
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
    """Empty the rows above the names that hold nothing but one merged cell.

    A cell that stands over some columns, and not over the first, is a heading of these.
    """
    cells = list(page.cells)
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
    filled = [place for place, cell in enumerate(cells[row]) if cell.strip()]
    return filled == [column] and column <= min(map(_first, cells[row + 1 : row + 4]), default=0)


def _first(row: Sequence[str]) -> int:
    """Give the place of a row's first filled cell; past its end where there is none."""
    return next((place for place, cell in enumerate(row) if cell.strip()), len(row))


def _records(file: Path) -> Sheet:
    """Read a list of records, in one piece or, whatever the file is called, one a line."""
    try:
        held = json_at(file)
    except InvalidInput:
        lines = file_bytes(file, file.name).decode("utf-8", "replace").splitlines()
        try:
            held = [parse_strictly(line) for line in lines if line.strip()]
        except ValueError:
            held = None
        if held is None or not all(isinstance(row, dict) for row in held):
            raise
    notes: tuple[Problem, ...] = ()
    if isinstance(held, dict) and (part := list_inside(held)):
        if beside := [name for name in held if name != part]:
            got = f"{first_of(beside, 5)} beside them: not read"
            notes = (Problem(file.name, f"hold its records in {part}", got),)
        held = held[part]
    if not _is_rows(held):
        must, hint = "be a list of records", 'Write [{"question": "...", "answer": "..."}, ...].'
        got = "a list of other things" if isinstance(held, list) else "no list"
        if held in ([], {}):
            must, got = "hold records", f"an empty {'list' if held == [] else 'object'}"
        raise InvalidInput(Problem(file.name, must, got, hint))
    rows: list[dict[str, object]] = held
    names = dict.fromkeys(str(name) for row in rows for name in row)
    columns = {name: [row.get(name) for row in rows] for name in names}
    return _flat(_tidy(Sheet(file.name, list(range(1, len(rows) + 1)), columns, notes=notes)))


def _is_rows(held: Any) -> bool:  # noqa: ANN401 - whatever a file holds
    return isinstance(held, list) and bool(held) and all(isinstance(row, dict) for row in held)


def _flat(sheet: Sheet) -> Sheet:
    """Make a column of each entry of columns that hold records, named as scores.faithfulness is.

    A list of records, such as ratings by several people, becomes a row for each.
    """
    held = {name: [c for c in cells if c is not None] for name, cells in sheet.columns.items()}
    records = {n for n, own in held.items() if own and all(isinstance(c, dict) for c in own)}
    lists = [name for name, own in held.items() if own and all(map(_holds_records, own))]
    if not records:
        return _flat(_apart(sheet, lists[0])) if len(lists) == 1 else sheet
    often = Counter(str(key) for name in records for key in _keys(held[name]))
    columns: dict[str, list[object]] = {}
    for name, cells in sheet.columns.items():
        for key in _keys(held[name]) if name in records else ():
            twice = key in sheet.columns or often[key] > 1
            columns[f"{name}.{key}" if twice else key] = [
                cell.get(key) if isinstance(cell, dict) else None for cell in cells
            ]
        if name not in records:
            columns[name] = cells
    return _flat(replace(sheet, columns=columns))


def _keys(cells: Sequence[Any]) -> list[str]:
    return list(dict.fromkeys(str(key) for cell in cells for key in cell))


def _holds_records(cell: object) -> bool:
    """Say whether a cell is a list of records that say more than a text or who spoke.

    A text with the system that wrote it, or with records of ratings, is an answer and no passage.
    """
    said = {"text", "content", "page_content", "role"}
    return _is_rows(cell) and not any(said & row.keys() and not _is_answer(row) for row in cell)  # type: ignore[attr-defined] # rows are


def _is_answer(row: Mapping[str, object]) -> bool:
    named = any("system" in lexicon().roles.get(form(name), ()) for name in row)
    held = [name for name, cell in row.items() if isinstance(cell, dict) and name != "metadata"]
    return "role" not in row and bool(named or held)


def _apart(sheet: Sheet, name: str) -> Sheet:
    """Give each record of the lists of one column a row of its own."""
    places = [(at, row) for at, cell in enumerate(sheet.columns[name]) for row in cell or [None]]  # type: ignore[attr-defined] # lists all
    columns = {
        own: [row if own == name else cells[at] for at, row in places]
        for own, cells in sheet.columns.items()
    }
    return replace(sheet, rows=[sheet.rows[at] for at, _ in places], columns=columns)

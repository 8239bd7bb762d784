"""A sheet out of rows of cells whose first row names the columns, CSV and workbooks alike."""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import islice, pairwise
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.tables.decode import decode
from medassay.tables.sheet import Sheet
from medassay.tables.workbooks.page import column_name

_DOTS: Final = frozenset({"...", "…"})
_FIRST_ROWS: Final = 20
_LONGEST_NAME: Final = 40
_MOST_COLUMNS: Final = 16_384
"""As many as Excel has."""
_SEPARATORS: Final = {",": "comma", ";": "semicolon", "\t": "tab"}
# Whether a cell is too long is one question for all forms of files; see `read_sheet`.
_NO_LIMIT: Final = 2**31 - 1
_MOST_EMPTY_ROWS: Final = 2**20
"""As many rows as Excel has."""
_Grid = list[list[str]]
_Cells = tuple[_Grid, str, tuple[Problem, ...]]
_kept: Final[dict[tuple[bytes, str, str], _Cells]] = {}
"""The cells of the file that was recognised last, by its bytes, its name and its usual sign."""


def sheet_of_grid(
    grid: Sequence[Sequence[str]], file: str, notes: Sequence[Problem], *, ragged_hint: str = ""
) -> Sheet:
    """Take the first row as the header and the others as its rows.

    Rows without anything are left out, and so are columns without a name and without cells, and
    cells beyond the last. A title above the header, a first column that only counts the rows, and
    a row of `...` at the end, as a printed table has it where it was cut, are left out with a note.

    Args:
        grid: The cells.
        file: What messages call the file.
        notes: What was said about the file already.
        ragged_hint: What to try where a row has too many cells.

    Raises:
        InvalidInput: There is no header, a column has no name or another's, or rows are ragged.
    """
    rows = [(n, cells) for n, cells in enumerate(grid, start=1) if any(cells)]
    if not rows:
        raise InvalidInput(Problem(file, "have a header row", "an empty file"))
    all_notes = list(notes)
    margin = min(next(i for i, cell in enumerate(cells) if cell) for _, cells in rows)
    if margin:
        rows = [(number, cells[margin:]) for number, cells in rows]
    titles = _titles(rows)
    for number, cells in rows[:titles]:
        got, hint = f'a title, "{cells[0]}"', "That row was left out."
        all_notes.append(Problem(file, "begin with the names of columns", got, hint, number))
    rows = rows[titles:]
    if _counts_rows(rows):
        rows = [(number, cells[1:]) for number, cells in rows]
        margin += 1
        got, hint = "no name for column 1, which only counts the rows", "It was left out."
        all_notes.append(Problem(file, "name every column", got, hint, rows[0][0]))
    rows, places = _without_empty_columns(rows)
    (header_row, names), body = rows[0], rows[1:]
    written = _without_tail(names)
    header = [name.strip() for name in written]
    below = _without_tail(body[0][1]) if body else []
    _refuse_two_rows_of_names(header, below, header_row, file)
    problems = _header_problems(header, header_row, file, [margin + at for at in places])
    padded = [f'"{name}"' for name in written if name != name.strip()]
    if padded:
        must = "have no blanks around the names of columns"
        all_notes.append(Problem(file, must, ", ".join(padded), "They were dropped.", header_row))
    while body and set() < {cell.strip() for cell in body[-1][1]} - {""} <= _DOTS:
        number, _ = body.pop()
        hint = "That row was left out. Is the table whole?"
        all_notes.append(Problem(file, "end with its last row", 'a row of "..."', hint, number))
    _refuse_title(header, body, header_row, file)
    cells_of = [_cut(cells, len(header)) for _, cells in body]
    numbers = [number for number, _ in body]
    problems += _ragged(cells_of, numbers, len(header), file, ragged_hint)
    if problems:
        raise InvalidInput(problems)
    across = zip(*cells_of, strict=True) if cells_of else ((),) * len(header)
    columns: dict[str, list[object]] = {
        name: [cell or None for cell in cells] for name, cells in zip(header, across, strict=True)
    }
    return Sheet(
        file, numbers, columns, empty_is_none=True, notes=tuple(all_notes), header=header_row
    )


def _ragged(
    cells_of: Sequence[Sequence[str]], numbers: Sequence[int], width: int, file: str, hint: str
) -> list[Problem]:
    """Name rows of another width than the header: of as many cells the first, and a count."""
    rows: dict[int, list[int]] = {}
    for number, cells in zip(numbers, cells_of, strict=True):
        if len(cells) != width:
            rows.setdefault(len(cells), []).append(number)
    must = f"have {width} cells like the header"
    lacking = "Cells are missing in it."
    return [
        Problem(
            file, must, f"{size}{_and_more(others)}", hint if size > width else lacking, row=first
        )
        for size, (first, *others) in rows.items()
    ]  # fmt: skip


def _and_more(rows: Sequence[int]) -> str:
    if not rows:
        return ""
    return f", and so in {len(rows)} more rows" if rows[1:] else f", and so in row {rows[0]}"


def _without_empty_columns(
    rows: list[tuple[int, Sequence[str]]],
) -> tuple[list[tuple[int, Sequence[str]]], Sequence[int]]:
    """Take out columns that have neither a name nor a cell; give the places of those that stay."""
    names = _without_tail(rows[0][1])
    empty = {
        at
        for at, name in enumerate(names)
        if not name.strip()
        and not any(cells[at : at + 1] and cells[at].strip() for _, cells in rows)
    }
    places = [at for at in range(max(len(cells) for _, cells in rows)) if at not in empty]
    if not empty:
        return rows, places
    return [(n, [cells[at] for at in places if at < len(cells)]) for n, cells in rows], places


def _cut(cells: Sequence[str], width: int) -> Sequence[str]:
    """Take empty cells beyond the last column off a row."""
    own = _without_tail(cells) if len(cells) > width else cells
    return own if len(own) >= width or own is cells else [*own, *[""] * (width - len(own))]


def _refuse_title(
    header: Sequence[str], body: Sequence[tuple[int, Sequence[str]]], row: int, file: str
) -> None:
    """Refuse a first row of one cell above rows that all have more: a title, not names."""
    if len(header) != 1 or not body or any(len(_without_tail(cells)) < 2 for _, cells in body):  # noqa: PLR2004 - more than the one
        return
    must, got = "begin with the names of columns", f'one cell, "{header[0]}", as a title has'
    hint = "Delete the title's row, so that the names come first, each in its own cell."
    raise InvalidInput(Problem(file, must, got, hint, row))


def _titles(rows: Sequence[tuple[int, Sequence[str]]]) -> int:
    """Count the sentences, one below the other, that stand above a row of several names."""
    sizes = [len(_without_tail(cells)) for _, cells in rows]
    place = next((i for i, size in enumerate(sizes) if size != 1), len(rows))
    if place == len(rows):
        return 0
    for (number, cells), (below, _) in pairwise(rows[: place + 1]):
        if " " not in cells[0].strip() and below == number + 1:
            return 0
    header = [name.strip() for name in _without_tail(rows[place][1])]
    named_once = len(header) > 1 and all(header) and len(set(header)) == len(header)
    fits = all(size <= len(header) for size in sizes[place + 1 :])
    return place if named_once and fits else 0


def _counts_rows(rows: Sequence[tuple[int, Sequence[str]]]) -> bool:
    """Say whether the first column has no name and counts the rows from 0 or 1."""
    (_, header), body = rows[0], rows[1:]
    if not body or header[0].strip() or not any(name.strip() for name in header):
        return False
    counted = [cells[0].strip() for _, cells in body]
    return any(counted == [str(n) for n in range(i, i + len(body))] for i in (0, 1))


def _without_tail(cells: Sequence[str]) -> list[str]:
    cells_left = list(cells)
    while cells_left and not cells_left[-1].strip():
        cells_left.pop()
    return cells_left


def _refuse_two_rows_of_names(
    header: Sequence[str], below: Sequence[str], row: int, file: str
) -> None:
    """Refuse a table with two rows of names, as one with merged cells above its names has.

    Args:
        header: The names.
        below: The cells of the next row; none where there is none.
        row: The header's row, as a spreadsheet numbers it.
        file: The file, for messages.

    Raises:
        InvalidInput: It has.

    Example:
        >>> above, under = ["q", "GPT", "", "Gemini"], ["", "text", "safe", "text", "safe"]
        >>> _refuse_two_rows_of_names(above, under, 1, "a.csv")
        Traceback (most recent call last):
        medassay.errors.InvalidInput: a.csv, row 1: must have one row of names; got two: "GPT" \
above "text" and "safe". Write both into one row, such as "GPT safe", and delete the other.
    """
    names = [*header, *[""] * (len(below) - len(header))]
    above = _filled(names)
    first = _first_places(names)
    odd = [at for at, name in enumerate(names) if not name or first[name] != at]
    if not _is_two_rows(names, above, odd, below):
        return
    place = odd[0]
    under = [below[at].strip() for at, name in enumerate(above) if name == above[place]]
    shown = " and ".join(f'"{name}"' for name in under[:2])
    both = f"{above[place]} {below[place].strip()}"
    hint = f'Write both into one row, such as "{both}", and delete the other.'
    got = f'two: "{above[place]}" above {shown}'
    raise InvalidInput(Problem(file, "have one row of names", got, hint, row=row))


def refuse_many_columns(count: int, file: str, row: int | None) -> None:
    """Refuse more columns than a spreadsheet has.

    Raises:
        InvalidInput: There are more.

    Example:
        >>> refuse_many_columns(20_000, "a.csv", 1)
        Traceback (most recent call last):
        medassay.errors.InvalidInput: a.csv, row 1: must have at most 16,384 columns; got 20,000. \
Does the table lie on its side? Then turn it: a row for each answer or label.
    """
    if count > _MOST_COLUMNS:
        must = f"have at most {_MOST_COLUMNS:,} columns"
        hint = "Does the table lie on its side? Then turn it: a row for each answer or label."
        raise InvalidInput(Problem(file, must, f"{count:,}", hint, row=row))


def _header_problems(
    header: Sequence[str], row: int, file: str, places: Sequence[int]
) -> list[Problem]:
    """Name every column without a name or with another's; `places` are theirs in the file.

    Example:
        >>> [problem] = _header_problems(["case", ""], 1, "a.csv", [0, 1])
        >>> print(problem)
        a.csv, row 1: must name every column; got no name for column 2 (B). Write a name into it, \
or delete the column.
    """
    problems = []
    first = _first_places(header)
    for place, name in enumerate(header):
        if not name:
            got = f"no name for column {places[place] + 1} ({column_name(places[place])})"
            hint = "Write a name into it, or delete the column."
            problems.append(Problem(file, "name every column", got, hint, row=row))
        elif first[name] != place:
            both = f"{column_name(places[first[name]])} and {column_name(places[place])}"
            got = f'"{name}" twice, in columns {both}'
            hint = f'Rename one, such as "{name} 2", or delete it.'
            problems.append(Problem(file, "name each column once", got, hint, row, name))
    return problems


def _first_places(names: Sequence[str]) -> dict[str, int]:
    return {name: place for place, name in reversed([*enumerate(names)])}


def _filled(header: Sequence[str]) -> list[str]:
    """Give a column without a name that of the column to its left, as a merged cell means it."""
    names: list[str] = []
    for name in header:
        names.append(name or (names[-1] if names else ""))
    return names


def _is_two_rows(
    header: Sequence[str], above: Sequence[str], odd: Sequence[int], below: Sequence[str]
) -> bool:
    """Say whether the row below holds names too: short, and the same under several, or alone."""
    if not odd or len(below) != len(header):
        return False
    names = {above[place] for place in odd}
    grouped = [place for place, name in enumerate(above) if name in names]
    under = [below[place].strip() for place in grouped]
    pairs = [(above[place], name) for place, name in zip(grouped, under, strict=True)]
    if "" in names or not all(map(_is_name, under)) or len(set(pairs)) < len(pairs):
        return False
    others = [below[place].strip() for place in range(len(header)) if place not in grouped]
    repeated = len(names) > 1 and len(set(under)) < len(under)
    return repeated or (bool(others) and not any(others))


def _is_name(text: str) -> bool:
    return 0 < len(text) <= _LONGEST_NAME and not text.replace(".", "").replace(",", "").isdigit()


def read_delimited(
    content: bytes, file: str, usual: str = ",", *, told_apart: bool = False
) -> Sheet:
    """Read a table whose cells are separated by commas, semicolons or tabs.

    The sign that parts the header into most cells is taken, and said where it is not the usual one.

    Args:
        content: The file's bytes.
        file: What messages call it.
        usual: The separator that the file's ending promises.
        told_apart: Whether columns of one name are numbered, as X, X (2); else they are refused.

    Raises:
        InvalidInput: The bytes are no text, a quote is never closed, or rows do not fit the header.
    """
    grid, separator, notes = delimited_cells(content, file, usual)
    if separator != usual:
        must = f"have a {_SEPARATORS[usual]} between its cells"
        hint = "It was read as that."
        notes += (Problem(file, must, f"a {_SEPARATORS[separator]}", hint),)
    hint = f"Put quotes around text that contains a {_SEPARATORS[separator]}."
    if told_apart:
        grid = _told_apart(grid)
    sheet = sheet_of_grid(grid, file, notes, ragged_hint=hint)
    return replace(sheet, commas_free=separator != ",")


def delimited_cells(content: bytes, file: str, usual: str = ",") -> _Cells:
    """Part a file into rows of cells.

    Returns:
        The cells, the sign between them, and what was odd about the bytes.

    Raises:
        InvalidInput: The bytes are no text, or no well-formed CSV.
    """
    kept = _kept.get((sha256(content).digest(), file, usual)) if _kept else None
    if kept is not None:
        return kept
    text, notes = decode(content, file)
    lone = "\r" in text and text.count("\r") != text.count("\r\n")
    separator = _separator_of(text, usual, lone=lone)
    return _grid(text, file, separator, lone=lone), separator, notes


def keep_cells(content: bytes, file: str) -> _Grid:
    """Keep a file's cells for who reads it again: an import asks what it is, then what it holds.

    They go with `forget_cells`, or where those of another file are kept.
    """
    cells = delimited_cells(content, file)
    _kept.clear()
    _kept[sha256(content).digest(), file, ","] = cells
    return cells[0]


def forget_cells() -> None:
    """Let go of the cells that were kept."""
    _kept.clear()


def _told_apart(grid: _Grid) -> _Grid:
    """Number the names of the first row that others have before them."""
    place = next((i for i, cells in enumerate(grid) if any(cells)), None)
    if place is None:
        return grid
    names: list[str] = []
    seen: Counter[str] = Counter()
    for cell in grid[place]:
        name = cell.strip()
        seen[name] += 1
        names.append(f"{name} ({seen[name]})" if name and seen[name] > 1 else cell)
    return [*grid[:place], names, *grid[place + 1 :]]


def _separator_of(text: str, usual: str, *, lone: bool) -> str:
    """Give the sign that parts the first row into most cells: comma, semicolon or tab.

    One that parts the first rows into as many cells each wins over one that does not: a title above
    a table may have a comma.
    """
    csv.field_size_limit(_NO_LIMIT)

    def cells(sign: str) -> tuple[bool, int]:
        lines = filter(any, csv.reader(_lines(text, lone=lone), delimiter=sign))
        sizes = [len(line) for line in islice(lines, _FIRST_ROWS)]
        alike = len(set(sizes)) == 1 and sizes[0] > 1
        return alike, sizes[0] if sizes else 0

    return max([usual, *_SEPARATORS], key=cells)


def _lines(text: str, *, lone: bool) -> Iterator[str]:
    """Cut a text into its lines, one at a time: a buffer of it would take four times the room.

    Args:
        text: The text.
        lone: Whether some lines end in a carriage return alone, as on the oldest Macs.
    """
    if lone:
        yield from io.StringIO(text, newline="")
        return
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield text[start:end]
        start = end


def _grid(text: str, file: str, separator: str, *, lone: bool) -> list[list[str]]:
    """Part a text into rows of cells.

    Raises:
        InvalidInput: It is no well-formed CSV, or has more columns or empty rows than any table.
    """
    reader = csv.reader(_lines(text, lone=lone), delimiter=separator, strict=True)
    grid: list[list[str]] = []
    begun, empty = 1, 0
    once: dict[str, str] = {}  # cells repeat: of those that say the same, one is kept
    try:
        for cells in reader:
            grid.append(list(map(once.setdefault, cells, cells)))
            refuse_many_columns(len(cells), file, len(grid))
            empty = 0 if any(map(str.strip, cells)) else empty + 1
            if empty > _MOST_EMPTY_ROWS:
                must, got = "have rows with cells", f"{empty:,} empty rows one after the other"
                row = len(grid) - empty + 1
                raise InvalidInput(Problem(file, must, got, "Delete them.", row=row))
            begun = reader.line_num + 1
    except csv.Error as error:
        must, got, hint = "be well-formed CSV", str(error), "Write a quote inside quotes twice."
        if "end of data" in got:
            must, got = (
                "close every quote",
                f"one that opens in line {begun} or below and never closes",
            )
            hint = "Put a second quote where that cell ends."
        problem = Problem(file, must, got, hint, row=len(grid) + 1)
        raise InvalidInput(problem) from error
    return grid

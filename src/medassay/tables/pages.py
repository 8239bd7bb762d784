"""Every page of a file as it stands: cells with their addresses, nothing taken as a header."""

import io
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Final

from medassay.errors import Problem
from medassay.tables.decode import decode
from medassay.tables.delimited import delimited_grid, separator_of
from medassay.tables.workbook import is_workbook, open_workbook

__all__ = ["Page", "cell_name", "read_pages"]

_CELL: Final = re.compile(rb'<c r="([A-Z]+[0-9]+)"([^>]*?)(?:/>|>(.*?)</c>)', re.DOTALL)
_VALUE: Final = re.compile(rb"<v>([^<]*)")
_LETTERS: Final = 26


@dataclass(frozen=True)
class Page:
    """One sheet of a workbook, or a CSV file.

    Attributes:
        title: The sheet's name; empty for CSV.
        cells: Rows of cells from A1 on, as text; what is empty is "".
        merged: Each cell that a merge hides, to the cell whose value it shows.
        errors: Cells that hold an error, such as #NAME?, to that error.
        formulas: Cells that hold a formula; `cells` has what it showed when the file was saved.
        from_text: Whether the cells were written as text, as in CSV.
    """

    title: str
    cells: list[list[str]]
    merged: Mapping[str, str] = field(default_factory=dict)
    errors: Mapping[str, str] = field(default_factory=dict)
    formulas: frozenset[str] = frozenset()
    from_text: bool = False


def cell_name(row: int, column: int) -> str:
    """Name a cell as spreadsheets do; row and column count from 0.

    Example:
        >>> cell_name(16, 3), cell_name(0, 26)
        ('D17', 'AA1')
    """
    letters, rest = "", column + 1
    while rest:
        rest, letter = divmod(rest - 1, _LETTERS)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{row + 1}"


def read_pages(content: bytes, file: str) -> tuple[list[Page], tuple[Problem, ...]]:
    """Read a workbook's every sheet, or a CSV file, whatever its ending, encoding and separator.

    No formula is ever computed: of a cell with one, the value is read that it showed when saved.

    Returns:
        The pages, and what was odd and read all the same.

    Raises:
        InvalidInput: The file is no workbook, and no well-formed CSV.
    """
    if not is_workbook(content):
        text, notes = decode(content, file)
        cells = delimited_grid(text, file, separator_of(text, ","))
        return [Page("", cells, from_text=True)], notes
    grids = open_workbook(content, file)
    inside = _inside(content)
    pages = []
    for title, (cells, merges) in grids.items():
        errors, formulas = inside.get(title, ({}, frozenset()))
        pages.append(Page(title, cells, _hidden(merges), errors, formulas))
    return pages, ()


def _hidden(merges: list[tuple[tuple[int, int], tuple[int, int]]]) -> dict[str, str]:
    hidden = {}
    for (top, left), (bottom, right) in merges:
        first = cell_name(top, left)
        for row in range(top, bottom + 1):
            for column in range(left, right + 1):
                if (row, column) != (top, left):
                    hidden[cell_name(row, column)] = first
    return hidden


def _inside(content: bytes) -> dict[str, tuple[dict[str, str], frozenset[str]]]:
    """Find the errors and formulas of each sheet of an Excel workbook: the reader drops them."""
    from defusedxml import ElementTree

    found: dict[str, tuple[dict[str, str], frozenset[str]]] = {}
    if not zipfile.is_zipfile(io.BytesIO(content)):
        return found
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if "xl/workbook.xml" not in archive.namelist():
            return found
        book = ElementTree.fromstring(archive.read("xl/workbook.xml"))
        links = ElementTree.fromstring(archive.read("xl/_rels/workbook.xml.rels"))
        targets = {link.get("Id"): link.get("Target") for link in links}
        for sheet in book.iter():
            if not sheet.tag.endswith("}sheet"):
                continue
            link = next((v for k, v in sheet.attrib.items() if k.endswith("}id")), None)
            path = str(PurePosixPath("/xl", targets.get(link) or "")).lstrip("/")
            if path not in archive.namelist():
                continue
            errors, formulas = {}, set()
            for name, kind, inner in _CELL.findall(archive.read(path)):
                if b't="e"' in kind:
                    value = _VALUE.search(inner)
                    errors[name.decode()] = value[1].decode("utf-8", "replace") if value else ""
                if b"<f" in inner:
                    formulas.add(name.decode())
            found[sheet.attrib["name"]] = (errors, frozenset(formulas))
    return found

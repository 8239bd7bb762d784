"""Excel workbooks (.xlsx): which sheets there are, and how their numbers are shown."""

import posixpath
from dataclasses import dataclass, field
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.tables.workbooks.archive import Archive
from medassay.tables.workbooks.excel_cells import Cells
from medassay.tables.workbooks.excel_texts import SharedTexts
from medassay.tables.workbooks.moments import Shown, shown_by_code, shown_by_id
from medassay.tables.workbooks.page import Budget, Damaged, Page, PageInMaking

__all__ = ["read_excel"]

_TRUE: Final = {"1", "true"}
_BINARY: Final = ".bin"


def read_excel(archive: Archive, file: str) -> list[Page]:
    """Read every sheet.

    Raises:
        InvalidInput: There are too many cells, or it is a binary workbook.
        Damaged: A part is missing, or contradicts another.
    """
    main = _Links.of(archive, "").first("officeDocument") or "xl/workbook.xml"
    if main.endswith(_BINARY):
        must, got = "be a table", "a binary workbook (.xlsb), in which errors cannot be seen"
        raise InvalidInput(Problem(file, must, got, "Save it as .xlsx."))
    book = _Book()
    archive.read(main, book)
    links = _Links.of(archive, main)
    texts, styles = SharedTexts(), _Styles()
    for kind, handler in (("sharedStrings", texts), ("styles", styles)):
        part = links.first(kind)
        if part:
            archive.read(part, handler)
    budget = Budget(file)
    pages = []
    for title, identity in book.sheets:
        link = links.by_identity.get(identity)
        if link is None:
            raise Damaged(f'a sheet "{title}" that stands nowhere')
        kind, part = link
        if kind == "worksheet":
            page = PageInMaking(title, budget)
            archive.read(part, Cells(page, texts.found, styles.shown, from_1904=book.from_1904))
            pages.append(page.page())
    return pages


@dataclass
class _Links:
    """What a part refers to: the kind and the name of each other part, by identity."""

    folder: str
    by_identity: dict[str, tuple[str, str]] = field(default_factory=dict)

    @classmethod
    def of(cls, archive: Archive, part: str) -> "_Links":
        folder, name = posixpath.split(part)
        links = cls(folder)
        archive.read(posixpath.join(folder, "_rels", f"{name}.rels"), links)
        return links

    def first(self, kind: str) -> str:
        """Give the first part of a kind, or nothing."""
        return next((part for identity, part in self.by_identity.values() if identity == kind), "")

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "Relationship" and attributes.get("TargetMode") != "External":
            kind = attributes.get("Type", "").rpartition("/")[2]
            target = attributes.get("Target", "").replace("\\", "/")
            part = posixpath.normpath(posixpath.join("/", self.folder, target)).lstrip("/")
            self.by_identity[attributes.get("Id", "")] = (kind, part)

    def end(self, name: str) -> None:
        """Take a tag that closes."""

    def text(self, data: str) -> None:
        """Take a piece of text."""


class _Book:
    """The names of the sheets, in their order, and from which year days are counted."""

    def __init__(self) -> None:
        self.sheets: list[tuple[str, str]] = []
        self.from_1904 = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "sheet":
            # The identity is that of a link, whatever prefix its maker gave to links.
            linked = (value for key, value in attributes.items() if key.endswith(":id"))
            self.sheets.append((attributes.get("name", ""), next(linked, "")))
        elif name == "workbookPr":
            self.from_1904 = attributes.get("date1904", "0").lower() in _TRUE

    def end(self, name: str) -> None:
        """Take a tag that closes."""

    def text(self, data: str) -> None:
        """Take a piece of text."""


class _Styles:
    """How a cell shows its number, by the number of the cell's style."""

    def __init__(self) -> None:
        self.shown: list[Shown] = []
        self._own: dict[int, Shown] = {}
        self._inside = ""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name in {"numFmts", "cellXfs"}:
            self._inside = name
        elif name == "numFmt" and self._inside == "numFmts":
            own = int(attributes.get("numFmtId", "0"))
            self._own[own] = shown_by_code(attributes.get("formatCode", ""))
        elif name == "xf" and self._inside == "cellXfs":
            identity = int(attributes.get("numFmtId", "0"))
            self.shown.append(self._own.get(identity) or shown_by_id(identity))

    def end(self, name: str) -> None:
        if name == self._inside:
            self._inside = ""

    def text(self, data: str) -> None:
        """Take a piece of text."""

"""Texts that are too long for a cell, whole, on a page of their own."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from medassay.campaign.rating_sheet.fit import CellText, height_of, in_chunks, lines_of
from medassay.campaign.rating_sheet.styles import SheetStyles
from medassay.tables import is_formula_like

__all__ = ["LongTexts"]

TITLE: Final = "Texts"
_WIDTH: Final = 110


class LongTexts:
    """Collects long texts and knows the row that each begins at; the same text stands once."""

    def __init__(self) -> None:
        self._row_of: dict[tuple[CellText, ...], int] = {}
        self._next = 1

    def place(self, pieces: Sequence[CellText]) -> int:
        """Give the row, from 0, where a text begins."""
        key = tuple(pieces)
        if key not in self._row_of:
            self._row_of[key] = self._next
            self._next += 1 + len(list(_rows(key)))
        return self._row_of[key]

    def __bool__(self) -> bool:
        """Say whether there are any."""
        return bool(self._row_of)

    def write(self, page: Any, styles: SheetStyles) -> None:  # noqa: ANN401 - xlsxwriter publishes no types
        """Write the page."""
        page.hide_gridlines(2)
        page.set_column(0, 0, 12)
        page.set_column(1, 1, _WIDTH)
        page.write_string(0, 0, "", styles.header)
        page.write_string(0, 1, "Texts that are too long for the page Ratings", styles.header)
        page.freeze_panes(1, 0)
        for number, (pieces, start) in enumerate(self._row_of.items(), start=1):
            page.write_string(start, 0, f"Text {number}", styles.band)
            page.write_url(start, 1, "internal:'Ratings'!A1", styles.band, "back to Ratings")
            for offset, piece in enumerate(_rows(pieces), start=1):
                style = styles.label if piece.bold else styles.text
                if is_formula_like(piece.text) and not piece.bold:
                    style = styles.plain_text
                page.write_string(start + offset, 1, piece.text, style)
                page.set_row(start + offset, height_of(lines_of([piece], _WIDTH)))
        page.set_portrait()
        page.set_paper(9)
        page.fit_to_pages(1, 0)


def _rows(pieces: Iterable[CellText]) -> Iterable[CellText]:
    return (
        CellText(part, piece.bold) for piece in pieces for part in in_chunks(piece.text) if part
    )

"""The page that is filled in: a row an answer, its labels to the right of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from medassay.campaign.rating_sheet.fit import CellText, fitting, height_of, lines_of
from medassay.campaign.rating_sheet.offers import offer
from medassay.campaign.rating_sheet.sheet import (
    ABOUT,
    CODE,
    HEADINGS,
    JOINED,
    NOTES,
    PASSAGE,
    RATIONALE,
    REASON_WORDS,
    SYNTHETIC,
    WHOLE_TEXT,
    RatingSheet,
    SaidColumn,
    SheetRow,
    said_columns,
)
from medassay.campaign.rating_sheet.styles import SheetStyles
from medassay.campaign.rating_sheet.texts_page import TITLE, LongTexts
from medassay.tables import is_formula_like

__all__ = ["PAGE", "WHOLE", "columns_of", "write_ratings_page"]

PAGE: Final = "Ratings"
WHOLE: Final = "… whole: page"
SOURCES: Final = ("evidence", "retrieved", "documents", "references")
_ALONE: Final = {"answer_a": 46, "answer_b": 46, "subject": 44, "confidence": 16}
"""Texts that have a column of their own, and its width."""
_LONGEST_NAME: Final = 100
"""Letters of a rater in the footer, which holds 255 signs; a letter may be two of them."""
_LEAST_LINES: Final = 3


@dataclass(frozen=True)
class _Column:
    heading: str
    width: float
    kinds: tuple[str, ...] = ()
    said: SaidColumn | None = None

    def is_for(self, row: SheetRow) -> bool:
        """Say whether a rater fills in this column in a row."""
        return self.said is not None and row.is_asked(self.said.dimension.id)

    def pieces(self, row: SheetRow) -> list[CellText]:
        by_kind = [(kind, row.texts.get(kind, ())) for kind in self.kinds]
        filled = [(kind, texts) for kind, texts in by_kind if texts]
        titled = len(self.kinds) > 1 and self.heading != HEADINGS["question"]
        pieces: list[CellText] = []
        for kind, texts in filled:
            if titled:
                pieces.append(CellText(HEADINGS[kind], bold=True))
            elif pieces:
                pieces.append(CellText(""))
            pieces += [CellText(text) for text in texts]
        return pieces


def write_ratings_page(
    page: Any,  # noqa: ANN401 - xlsxwriter publishes no types
    sheet: RatingSheet,
    styles: SheetStyles,
    long_texts: LongTexts,
) -> None:
    """Write the rows, with a line at each break."""
    columns = list(columns_of(sheet))
    first = 1 if sheet.synthetic else 0
    if sheet.synthetic:
        page.set_row(0, 18)
        for place in range(len(columns)):
            page.write_string(0, place, "" if place else SYNTHETIC, styles.warning_line)
    for place, column in enumerate(columns):
        page.set_column(place, place, column.width)
        style = styles.header_asked if column.said or column.heading == PASSAGE else styles.header
        page.write_string(first, place, column.heading, style)
    page.set_row(first, 44)
    page.freeze_panes(first + 1, 1)
    page.repeat_rows(0, first)
    place = first
    for batch in range(1, sheet.batches + 1):
        rows = [row for row in sheet.rows if row.batch == batch]
        place += 1
        _write_break(page, place, sheet, batch, len(columns), styles)
        begin = place + 1
        for row in rows:
            place += 1
            _write_row(page, place, row, columns, styles, long_texts)
        for position, column in enumerate(columns):
            _ask(page, position, column, rows, begin, styles)
    if long_texts:
        page.set_column(len(columns), len(columns), 16)
        page.write_string(first, len(columns), WHOLE_TEXT, styles.header)
    _print_settings(page, sheet)


def _ask(
    page: Any,  # noqa: ANN401 - xlsxwriter publishes no types
    position: int,
    column: _Column,
    rows: Sequence[SheetRow],
    begin: int,
    styles: SheetStyles,
) -> None:
    """Offer what may be filled in, and tint what waits for it; passages need not be found."""
    if column.said is None:
        return
    for first, last in _runs([column.is_for(row) for row in rows], begin):
        offer(page, (first, position, last, position), column.said)
    for first, last in _runs([column.is_for(row) and not row.passage for row in rows], begin):
        empty = {"type": "blanks", "format": styles.waiting}
        page.conditional_format(first, position, last, position, empty)


def _runs(asked: Sequence[bool], begin: int) -> Iterator[tuple[int, int]]:
    """Give the rows that follow one another where something is asked, first and last of each."""
    first = None
    for place, is_asked in enumerate([*asked, False], start=begin):
        if is_asked and first is None:
            first = place
        elif not is_asked and first is not None:
            yield first, place - 1
            first = None


def columns_of(sheet: RatingSheet) -> Iterator[_Column]:
    """Give the columns of the page, left to right."""
    yield _Column(CODE, 12)
    if sheet.is_parted:
        yield _Column(ABOUT, 13)
    if sheet.has("case"):
        yield _Column(HEADINGS["case"], 18, ("case",))
    if sheet.has("question", "narrative"):
        yield _Column(HEADINGS["question"], 34, ("question", "narrative"))
    sources = tuple(kind for kind in SOURCES if sheet.has(kind))
    if sources:
        heading = HEADINGS[sources[0]] if len(sources) == 1 else JOINED
        yield _Column(heading, 58, sources)
    if sheet.has("answer"):
        kinds = ("answer", "reasoning") if sheet.has("reasoning") else ("answer",)
        yield _Column(HEADINGS["answer"], 54, kinds)
    for kind, width in _ALONE.items():
        if sheet.has(kind):
            yield _Column(HEADINGS[kind], width, (kind,))
    if sheet.has_passages:
        yield _Column(PASSAGE, 36)
    for column in said_columns(sheet.rubric):
        reasons = REASON_WORDS if column.what == "said" else {}
        widest = max((len(name) for name in (*column.words, *reasons)), default=0)
        yield _Column(column.heading, min(24, max(14, widest + 3)), said=column)
    yield _Column(RATIONALE, 36)
    yield _Column(NOTES, 22)


def _write_row(
    page: Any,  # noqa: ANN401 - xlsxwriter publishes no types
    place: int,
    row: SheetRow,
    columns: Sequence[_Column],
    styles: SheetStyles,
    long_texts: LongTexts,
) -> None:
    tallest = _LEAST_LINES
    for position, column in enumerate(columns):
        if column.heading == CODE:
            page.write_string(place, position, row.code, styles.code)
        elif column.heading == ABOUT and not column.kinds:
            page.write_string(place, position, row.about, styles.label)
        elif column.said or (column.heading == PASSAGE and not column.kinds):
            asked = row.passage if column.said is None else column.is_for(row)
            style = styles.choice if column.said else styles.words
            page.write_blank(place, position, None, style if asked else styles.closed)
        elif column.kinds:
            pieces = column.pieces(row)
            shown, more = fitting(pieces, column.width)
            if more:
                begin = long_texts.place(pieces) + 1
                shown.append(CellText(f"{WHOLE} {TITLE}, row {begin}", bold=True))
                # A link in the text itself would make LibreOffice run its lines together.
                target = f"internal:'{TITLE}'!B{begin}"
                page.write_url(place, len(columns), target, styles.link, f"{TITLE}, row {begin}")
            _write_pieces(page, place, position, shown, styles)
            tallest = max(tallest, lines_of(shown, column.width))
        else:
            page.write_blank(place, position, None, styles.words)
    page.set_row(place, height_of(tallest))


def _write_pieces(
    page: Any,  # noqa: ANN401 - xlsxwriter publishes no types
    row: int,
    column: int,
    pieces: Sequence[CellText],
    styles: SheetStyles,
) -> None:
    """Write strings and nothing but strings: no text of a study is ever a formula."""
    text = "\n".join(piece.text for piece in pieces)
    if len(pieces) == 1 or not any(piece.bold for piece in pieces):
        style = styles.plain_text if is_formula_like(text) else styles.text
        page.write_string(row, column, text, style)
        return
    runs: list[object] = []
    for place, piece in enumerate(pieces):
        last = place == len(pieces) - 1
        style = styles.in_bold if piece.bold else styles.in_body
        runs += [style, piece.text + ("" if last else "\n")]
    page.write_rich_string(row, column, *runs, styles.text)


def _write_break(
    page: Any,  # noqa: ANN401 - xlsxwriter publishes no types
    place: int,
    sheet: RatingSheet,
    batch: int,
    width: int,
    styles: SheetStyles,
) -> None:
    numbers = [sheet.numbers[row.code] for row in sheet.rows if row.batch == batch]
    rest = "" if batch == 1 else " · Time for a break: save, stand up, come back fresh."
    text = f"Batch {batch} of {sheet.batches}: {numbers[0]} to {numbers[-1]}{rest}"
    for column in range(width):
        page.write_string(place, column, "" if column else text, styles.band)
    page.set_row(place, 22)


def _print_settings(page: Any, sheet: RatingSheet) -> None:  # noqa: ANN401 - xlsxwriter publishes no types
    page.set_landscape()
    page.set_paper(9)
    page.set_margins(left=0.4, right=0.4, top=0.6, bottom=0.6)
    page.fit_to_pages(1, 0)
    rater = sheet.rater
    if len(rater) > _LONGEST_NAME:
        rater = f"{rater[:_LONGEST_NAME]}…"
    page.set_footer("&L&8" + rater.replace("&", "&&") + "&R&8&P of &N")
    page.set_zoom(90)
    page.protect(
        "",
        {
            "format_cells": True,
            "format_columns": True,
            "format_rows": True,
            "sort": True,
            "autofilter": True,
        },
    )

"""The page that is filled in: a row an answer, its labels to the right of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from medassay.campaign.rating_sheet.fit import Piece, fitting, height_of, lines_of
from medassay.campaign.rating_sheet.sheet import (
    CODE,
    HEADINGS,
    NOTES,
    RATIONALE,
    REASON_WORDS,
    SYNTHETIC,
    RatingSheet,
    SheetRow,
    dimension_headings,
)
from medassay.campaign.rating_sheet.styles import SheetStyles
from medassay.campaign.rating_sheet.texts_page import TITLE, LongTexts
from medassay.judgements import Dimension
from medassay.tables import is_formula_like

__all__ = ["PAGE", "WHOLE", "columns_of", "write_ratings_page"]

PAGE: Final = "Ratings"
WHOLE: Final = "… whole: page"
SOURCES: Final = ("evidence", "retrieved", "documents", "references")
_LONGEST_NAME: Final = 100
"""Letters of a rater in the footer, which holds 255 signs; a letter may be two of them."""
_LONGEST_LIST: Final = 255
_LONGEST_TITLE: Final = 32
_LEAST_LINES: Final = 3


@dataclass(frozen=True)
class _Column:
    heading: str
    width: float
    kinds: tuple[str, ...] = ()
    dimension: Dimension | None = None

    def pieces(self, row: SheetRow) -> list[Piece]:
        given = [(kind, row.texts.get(kind, ())) for kind in self.kinds]
        filled = [(kind, texts) for kind, texts in given if texts]
        titled = len(self.kinds) > 1 and self.heading != HEADINGS["question"]
        pieces: list[Piece] = []
        for kind, texts in filled:
            if titled:
                pieces.append(Piece(HEADINGS[kind], bold=True))
            elif pieces:
                pieces.append(Piece(""))
            pieces += [Piece(text) for text in texts]
        return pieces


def write_ratings_page(
    page: Any,  # noqa: ANN401 - xlsxwriter publishes no types
    sheet: RatingSheet,
    looks: SheetStyles,
    long_texts: LongTexts,
) -> None:
    """Write the rows, with a line at each break."""
    columns = list(columns_of(sheet))
    first = 1 if sheet.synthetic else 0
    if sheet.synthetic:
        page.set_row(0, 18)
        for place in range(len(columns)):
            page.write_string(0, place, "" if place else SYNTHETIC, looks.warning_line)
    for place, column in enumerate(columns):
        page.set_column(place, place, column.width)
        look = looks.header_asked if column.dimension else looks.header
        page.write_string(first, place, column.heading, look)
    page.set_row(first, 44)
    page.freeze_panes(first + 1, 1)
    page.repeat_rows(0, first)
    place = first
    for batch in range(1, sheet.batches + 1):
        rows = [row for row in sheet.rows if row.batch == batch]
        place += 1
        _write_break(page, place, sheet, batch, len(columns), looks)
        begin = place + 1
        for row in rows:
            place += 1
            _write_row(page, place, row, columns, looks, long_texts)
        for position, column in enumerate(columns):
            if column.dimension:
                _offer(page, (begin, position, place, position), column.dimension)
                empty = {"type": "blanks", "format": looks.waiting}
                page.conditional_format(begin, position, place, position, empty)
    if long_texts:
        page.set_column(len(columns), len(columns), 16)
        page.write_string(first, len(columns), "Whole text", looks.header)
    _print_settings(page, sheet)


def columns_of(sheet: RatingSheet) -> Iterator[_Column]:
    """Give the columns of the page, left to right."""
    yield _Column(CODE, 12)
    if sheet.has("case"):
        yield _Column(HEADINGS["case"], 18, ("case",))
    if sheet.has("question", "narrative"):
        yield _Column(HEADINGS["question"], 34, ("question", "narrative"))
    sources = tuple(kind for kind in SOURCES if sheet.has(kind))
    if sources:
        heading = HEADINGS[sources[0]] if len(sources) == 1 else "To judge it by"
        yield _Column(heading, 58, sources)
    if sheet.has("answer"):
        kinds = ("answer", "reasoning") if sheet.has("reasoning") else ("answer",)
        yield _Column(HEADINGS["answer"], 54, kinds)
    for kind in ("answer_a", "answer_b"):
        if sheet.has(kind):
            yield _Column(HEADINGS[kind], 46, (kind,))
    if sheet.has("confidence"):
        yield _Column(HEADINGS["confidence"], 16, ("confidence",))
    headings = dimension_headings(sheet.rubric)
    for dimension in sheet.rubric.dimensions:
        widest = max(len(name) for name in (*dimension.names, *REASON_WORDS))
        yield _Column(headings[dimension.id], min(24, max(14, widest + 3)), dimension=dimension)
    yield _Column(RATIONALE, 36)
    yield _Column(NOTES, 22)


def _write_row(
    page: Any,  # noqa: ANN401 - xlsxwriter publishes no types
    place: int,
    row: SheetRow,
    columns: Sequence[_Column],
    looks: SheetStyles,
    long_texts: LongTexts,
) -> None:
    tallest = _LEAST_LINES
    for position, column in enumerate(columns):
        if column.heading == CODE:
            page.write_string(place, position, row.code, looks.code)
        elif column.dimension:
            page.write_blank(place, position, None, looks.choice)
        elif column.kinds:
            pieces = column.pieces(row)
            shown, more = fitting(pieces, column.width)
            if more:
                begin = long_texts.place(pieces) + 1
                shown.append(Piece(f"{WHOLE} {TITLE}, row {begin}", bold=True))
                # A link in the text itself would make LibreOffice run its lines together.
                target = f"internal:'{TITLE}'!B{begin}"
                page.write_url(place, len(columns), target, looks.link, f"{TITLE}, row {begin}")
            _write_pieces(page, place, position, shown, looks)
            tallest = max(tallest, lines_of(shown, column.width))
        else:
            page.write_blank(place, position, None, looks.words)
    page.set_row(place, height_of(tallest))


def _write_pieces(
    page: Any,  # noqa: ANN401 - xlsxwriter publishes no types
    row: int,
    column: int,
    pieces: Sequence[Piece],
    looks: SheetStyles,
) -> None:
    """Write strings and nothing but strings: no text of a study is ever a formula."""
    text = "\n".join(piece.text for piece in pieces)
    if len(pieces) == 1 or not any(piece.bold for piece in pieces):
        look = looks.plain_text if is_formula_like(text) else looks.text
        page.write_string(row, column, text, look)
        return
    runs: list[object] = []
    for place, piece in enumerate(pieces):
        last = place == len(pieces) - 1
        look = looks.in_bold if piece.bold else looks.in_body
        runs += [look, piece.text + ("" if last else "\n")]
    page.write_rich_string(row, column, *runs, looks.text)


def _write_break(
    page: Any,  # noqa: ANN401 - xlsxwriter publishes no types
    place: int,
    sheet: RatingSheet,
    batch: int,
    width: int,
    looks: SheetStyles,
) -> None:
    numbers = [n for n, row in enumerate(sheet.rows, start=1) if row.batch == batch]
    rest = "" if batch == 1 else " · Time for a break: save, stand up, come back fresh."
    text = f"Batch {batch} of {sheet.batches}: {numbers[0]} to {numbers[-1]}{rest}"
    for column in range(width):
        page.write_string(place, column, "" if column else text, looks.band)
    page.set_row(place, 22)


def _offer(
    page: Any,  # noqa: ANN401 - xlsxwriter publishes no types
    cells: tuple[int, int, int, int],
    dimension: Dimension,
) -> None:
    """Offer the labels as a list; labels hold no commas, so a list in the cell itself can."""
    words = [*dimension.names, *(word for word in REASON_WORDS if word not in dimension.names)]
    if len(",".join(words)) > _LONGEST_LIST:
        words = list(dimension.names)
    rule: dict[str, object] = {
        "input_title": (dimension.title or dimension.id)[:_LONGEST_TITLE],
        "input_message": dimension.question[:_LONGEST_LIST],
    }
    if len(",".join(words)) > _LONGEST_LIST:
        page.data_validation(*cells, {"validate": "any", **rule})
        return
    page.data_validation(
        *cells,
        {
            "validate": "list",
            "source": words,
            "error_title": "Not a label",
            "error_message": f"Choose one of: {', '.join(words)}."[:_LONGEST_LIST],
            **rule,
        },
    )


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

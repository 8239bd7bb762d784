"""A rater's workbook: instructions, the ratings, the rubric, and long texts."""

import io
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Final

from medassay.campaign.catalogues import Texts
from medassay.campaign.rating_sheet.sheet import (
    REASON_WORDS,
    RatingSheet,
    SaidColumn,
    SheetRow,
    dimension_headings,
    said_columns,
)
from medassay.judgements import NO_SPAN, Dimension, Label, Rubric
from medassay.tables import cell_name, is_formula_like, new_workbook

_INK: Final = "#1F2933"
_QUIET: Final = "#5F6B76"
_RULE: Final = "#CBD2D9"
_ACCENT: Final = "#0B5C8A"
_BAND: Final = "#E8F0F5"
_NOT_ASKED: Final = "#EEF0F2"
_WAITING: Final = "#FFF4D6"
_WARNING: Final = "#FBE3D6"
_FONT: Final = {"font_name": "Calibri", "font_size": 10, "font_color": _INK}
_TOP: Final = {"valign": "top", "text_wrap": True}
_IN: Final = {"align": "left", "indent": 1}
_BOX: Final = {"border": 1, "border_color": _RULE}


class SheetStyles:
    """The formats of one workbook.

    Args:
        book: The workbook that they belong to.
    """

    def __init__(self, book: Any) -> None:  # noqa: ANN401 - xlsxwriter publishes no types
        def add(*parts: dict[str, Any], **more: object) -> Any:  # noqa: ANN401 - as above
            return book.add_format({**_FONT, **{k: v for p in parts for k, v in p.items()}, **more})

        self.title = add(_TOP, _IN, font_size=18, bold=True, text_wrap=False)
        self.lead = add(_TOP, _IN, font_size=11)
        self.step = add(_TOP, font_size=11, bold=True, font_color=_ACCENT, align="right")
        self.heading = add(_IN, font_size=12, bold=True, font_color=_ACCENT, valign="bottom")
        self.quiet = add(_TOP, _IN, font_color=_QUIET)
        self.warning = add(_TOP, _IN, bold=True, bg_color=_WARNING)
        self.warning_line = add(_IN, bold=True, bg_color=_WARNING, valign="vcenter")
        self.header = add(
            _TOP, _IN, bold=True, valign="vcenter", bg_color=_BAND, bottom=2, bottom_color=_ACCENT
        )
        self.header_asked = add(
            _TOP, bold=True, valign="vcenter", align="center", bg_color=_BAND, font_color=_ACCENT,
            bottom=2, bottom_color=_ACCENT,
        )  # fmt: skip
        self.band = add(_IN, bold=True, font_color=_ACCENT, bg_color=_BAND, valign="vcenter")
        self.code = add(
            _BOX, _IN, valign="top", font_name="Consolas", font_color=_QUIET, num_format="@"
        )
        self.text = add(_BOX, _TOP, _IN, num_format="@")
        self.plain_text = add(_BOX, _TOP, _IN, num_format="@", quote_prefix=True)
        self.choice = add(
            _BOX, align="center", valign="top", text_wrap=True, bold=True, locked=False
        )
        self.closed = add(_BOX, _TOP, bg_color=_NOT_ASKED)
        self.words = add(_BOX, _TOP, _IN, num_format="@", locked=False)
        self.link = add(_BOX, _TOP, _IN, font_color=_ACCENT, underline=1)
        self.waiting = book.add_format({"bg_color": _WAITING})
        self.label = add(_BOX, _TOP, _IN, bold=True)
        self.score = add(_BOX, _TOP, align="center", font_color=_QUIET)
        self.in_bold = add(bold=True, font_color=_ACCENT)
        self.in_body = add()


MOST_LINES: Final = 30
_POINTER: Final = 2
_LINE: Final = 13.2
_PADDING: Final = 8
_TALLEST: Final = 409.0
# Calibri at ten points sets some 1.35 letters in a unit of width, its wider stand-ins some less.
_LETTERS_A_UNIT: Final = 1.3
_CHUNK: Final = 2_500


@dataclass(frozen=True, slots=True)
class CellText:
    """A paragraph, or a heading above some."""

    text: str
    bold: bool = False


def lines_of(pieces: Iterable[CellText], width: float) -> int:
    """Count the lines that paragraphs take in a column of this width."""
    room = max(1, int(width * _LETTERS_A_UNIT) - 3)
    return sum(
        max(1, ceil(len(line) / room)) for piece in pieces for line in piece.text.split("\n")
    )


def _height_of(lines: int, least: int = 1) -> float:
    """Give the height of a row of so many lines, in points."""
    return min(_TALLEST, max(lines, least) * _LINE + _PADDING)


def fitting(pieces: Sequence[CellText], width: float) -> tuple[list[CellText], bool]:
    """Keep the paragraphs that a cell can show.

    Returns:
        The pieces that fit, with room left for a line that says where the rest is; and whether
        there is a rest.
    """
    if lines_of(pieces, width) <= MOST_LINES:
        return list(pieces), False
    shown: list[CellText] = []
    for piece in pieces:
        if lines_of([*shown, piece], width) > MOST_LINES - _POINTER:
            break
        shown.append(piece)
    if not any(not piece.bold for piece in shown):
        first = next(piece for piece in pieces if not piece.bold)
        room = int(width * _LETTERS_A_UNIT * (MOST_LINES - _POINTER - len(shown) - 1) * 0.9)
        shown.append(CellText(f"{first.text[:room].rsplit(None, 1)[0]} …"))
    while shown and shown[-1].bold:
        shown.pop()
    return shown, True


def _in_chunks(text: str) -> list[str]:
    """Part a text into pieces that a wide cell can show."""
    if len(text) <= _CHUNK:
        return [text]
    return textwrap.wrap(text, _CHUNK, replace_whitespace=False, drop_whitespace=True)


_LONGEST: Final = 255
_LONGEST_TITLE: Final = 32


def _offer(
    page: Any,  # noqa: ANN401 - xlsxwriter publishes no types
    cells: tuple[int, int, int, int],
    column: SaidColumn,
    texts: Texts,
) -> None:
    """Offer words as a list, or hold a number to its range.

    Labels hold no commas, so a list in the cell itself can. A reason may stand in place of what is
    asked, but not in place of how sure a rater is.
    """
    dimension = column.dimension
    asks = {
        "said": dimension.question,
        "severity": texts("sheet.how_bad"),
        "confidence": texts("ask.sure"),
    }
    rule: dict[str, object] = {
        "input_title": (dimension.title or dimension.id)[:_LONGEST_TITLE],
        "input_message": asks[column.what][:_LONGEST],
    }
    reasons = reasons_in(texts) if column.what == "said" else ()
    if column.bounds is not None:
        must = texts("sheet.must", range=range_in(column, texts))
        rule |= {"input_message": f"{asks[column.what]} {must}"[:_LONGEST]}
        rule |= _in_range(cells, column, reasons, texts)
        page.data_validation(*cells, rule)
        return
    offered = [texts("sheet.none") if word == NO_SPAN else word for word in column.words]
    words = [*offered, *(word for word in reasons if word not in offered)]
    if len(",".join(words)) > _LONGEST:
        words = offered
    if len(",".join(words)) > _LONGEST:
        page.data_validation(*cells, {"validate": "any", **rule})
        return
    page.data_validation(
        *cells,
        {
            "validate": "list",
            "source": words,
            "error_title": texts("sheet.not_label")[:_LONGEST_TITLE],
            "error_message": texts("sheet.choose_one", words=", ".join(words))[:_LONGEST],
            **rule,
        },
    )


def reasons_in(texts: Texts) -> tuple[str, ...]:
    """List the words for why there is no label, as a rater reads them."""
    return tuple(texts(f"sheet.{reason}") for reason in REASON_WORDS.values())


def range_in(column: SaidColumn, texts: Texts) -> str:
    """Say which numbers a column takes, as a rater reads it."""
    low, high = (None if end is None else f"{end:g}" for end in column.bounds or (None, None))
    ends = {(True, True): "any", (False, True): "from", (True, False): "to"}
    key = ends.get((low is None, high is None), "between")
    range_ = texts(f"ask.range_{key}", low=low, high=high)
    number = column.dimension.number
    unit = number.unit if number is not None and column.what == "said" else ""
    return texts("ask.in_unit", range=range_, unit=unit) if unit else range_


def _in_range(
    cells: tuple[int, int, int, int], column: SaidColumn, reasons: tuple[str, ...], texts: Texts
) -> dict[str, object]:
    cell = cell_name(cells[0], cells[1])
    low, high = column.bounds or (None, None)
    tests = [f"ISNUMBER({cell})"]
    tests += [f"{cell}>={low:.15g}"] if low is not None else []
    tests += [f"{cell}<={high:.15g}"] if high is not None else []
    either = [f"AND({','.join(tests)})", *(f'{cell}="{word}"' for word in reasons)]
    range_, words = range_in(column, texts), ", ".join(reasons)
    must = texts("sheet.must", range=range_)
    if reasons:
        must = texts("sheet.must_or", range=range_, words=words)
    return {
        "validate": "custom",
        "value": f"=OR({','.join(either)})",
        "error_title": texts("sheet.not_number")[:_LONGEST_TITLE],
        "error_message": must[:_LONGEST],
    }


_TEXT_WIDTH: Final = 110


class LongTexts:
    """Collects long texts and knows the row that each begins at; the same text stands once.

    Args:
        sheet: The sheet that they are of.
    """

    def __init__(self, sheet: RatingSheet) -> None:
        self.title = sheet.say("texts")
        self._sheet = sheet
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
        page.set_column(1, 1, _TEXT_WIDTH)
        page.write_string(0, 0, "", styles.header)
        say, ratings = self._sheet.say, self._sheet.say("ratings")
        page.write_string(0, 1, say("too_long", ratings=ratings), styles.header)
        page.freeze_panes(1, 0)
        for number, (pieces, start) in enumerate(self._row_of.items(), start=1):
            page.write_string(start, 0, say("text", number=number), styles.band)
            back = say("back", ratings=ratings)
            page.write_url(start, 1, f"internal:'{ratings}'!A1", styles.band, back)
            for offset, piece in enumerate(_rows(pieces), start=1):
                style = styles.label if piece.bold else styles.text
                if is_formula_like(piece.text) and not piece.bold:
                    style = styles.plain_text
                page.write_string(start + offset, 1, piece.text, style)
                page.set_row(start + offset, _height_of(lines_of([piece], _TEXT_WIDTH)))
        page.set_portrait()
        page.set_paper(9)
        page.fit_to_pages(1, 0)


def _rows(pieces: Iterable[CellText]) -> Iterable[CellText]:
    return (
        CellText(part, piece.bold) for piece in pieces for part in _in_chunks(piece.text) if part
    )


_WIDTHS = (26, 52, 62)


def _example_words(label: Label) -> str:
    """Write a label's examples, an empty line between two; disputed ones train nobody."""
    return "\n\n".join(
        (f"{example.question}\n" if example.question else "") + f"“{example.answer}”\n{example.why}"
        for example in label.examples
        if not example.disputed
    )


def rubric_rows(rubric: Rubric, texts: Texts) -> list[list[str]]:
    """Lay the rubric out as a table: question, label, when to choose it, example."""
    headings = dimension_headings(rubric, texts)
    return [
        [headings[dimension.id], dimension.question, *cells]
        for dimension in rubric.dimensions
        for cells in choices(dimension, texts)
    ]


def choices(dimension: Dimension, texts: Texts) -> list[tuple[str, str, str]]:
    """List what may be said: the word, when to choose it, and an example."""

    def say(key: str, **values: object) -> str:
        return texts(f"sheet.{key}", **values)

    rows = [
        (choice.label, choice.description, _example_words(choice))
        for choice in (*dimension.labels, *dimension.kinds)
    ]
    if dimension.number is not None:
        rows.append((range_in(SaidColumn("", dimension), texts), say("type_number"), ""))
    if dimension.kinds:
        rows.append((say("none"), say("nothing_wrong"), ""))
    rows += [
        (say("severity", word=choice.label), choice.description, _example_words(choice))
        for choice in dimension.severities
    ]
    if dimension.confidence_is_number:
        rows.append((say("sure_number"), say("sure_number_told"), ""))
    elif dimension.confidence:
        words = ", ".join(dimension.confidence)
        rows.append((say("sure_words", words=words), say("sure_words_told"), ""))
    return rows


def _write_rubric_page(page: Any, sheet: RatingSheet, styles: SheetStyles) -> None:  # noqa: ANN401 - xlsxwriter publishes no types
    """Write what each question means and each label stands for."""
    page.hide_gridlines(2)
    for column, width in enumerate(_WIDTHS):
        page.set_column(column, column, width)
    row = 0
    if sheet.synthetic:
        page.merge_range(row, 0, row, 2, sheet.say("invented"), styles.warning)
        row += 1
    headings = dimension_headings(sheet.rubric, sheet.texts)
    for dimension in sheet.rubric.dimensions:
        page.set_row(row, 26)
        page.write_string(row, 0, headings[dimension.id], styles.heading)
        page.merge_range(row + 1, 0, row + 1, 2, dimension.question, styles.lead)
        page.set_row(
            row + 1, _height_of(lines_of([CellText(dimension.question)], sum(_WIDTHS) * 0.85)) + 4
        )
        row += 2
        for column, key in enumerate(("label", "choose_when", "example")):
            text = sheet.say(key)
            page.write_string(row, column, text, styles.header)
        row += 1
        for cells in choices(dimension, sheet.texts):
            for column, text in enumerate(cells):
                page.write_string(row, column, text, styles.text if column else styles.label)
            tallest = max(
                lines_of([CellText(text)], width)
                for text, width in zip(cells, _WIDTHS, strict=True)
            )
            page.set_row(row, _height_of(tallest))
            row += 1
        if dimension.precedence:
            text = sheet.say("first_of", labels=", ".join(dimension.precedence))
            page.merge_range(row, 0, row, 2, text, styles.lead)
            page.set_row(row, 20)
            row += 1
        row += 1
    cannot, not_asked = reasons_in(sheet.texts)
    text = sheet.say("reasons_told", cannot_judge=cannot, not_applicable=not_asked)
    page.merge_range(row, 0, row, 2, text, styles.quiet)
    page.set_row(row, 20)
    page.set_landscape()
    page.set_paper(9)
    page.fit_to_pages(1, 0)


_PAGE_WIDTH = 92


def instructions(sheet: RatingSheet, *, plain: bool = False) -> list[str]:
    """Say, step by step, what the rater does.

    Args:
        sheet: What is rated.
        plain: Whether the sheet is a CSV file, which has no pages and no colours.
    """
    say, form = sheet.say, "file" if plain else "page"
    pair = sheet.kind == "preferences"
    row = "row_parted" if sheet.is_parted else "row_pair" if pair else "row_answer"
    beside = "beside" if sheet.has("answer", "answer_a") else "elsewhere"
    work = [say(f"go_{form}", ratings=say("ratings")), say(row)]
    cannot, not_asked = reasons_in(sheet.texts)
    read = say(f"read_{form}", **({} if plain else {"rubric": say("rubric")}))
    keep_open = sheet.rubric.keep_open
    return [
        *((), (say("first_part"),), (say("second_part"),))[sheet.part],
        f"{read} {sheet.rubric.wording}".strip(),
        *([sheet.texts("ask.keep_open", what=keep_open)] if keep_open else []),
        " ".join(work if sheet.is_parted else [*work, say(beside)]),
        say(f"fill_{form}"),
        *_about_parts(sheet, say("stay_empty" if plain else "grey")),
        say("no_label", cannot_judge=cannot, not_applicable=not_asked),
        say("words", rationale=say("rationale"), notes=say("notes"),
            why=sheet.rubric.rationale or say("why")),
        say(f"rest_{form}", batch=say("batch")),
        say("send"),
    ]  # fmt: skip


def _about_parts(sheet: RatingSheet, empty: str) -> list[str]:
    """Say how rows about criteria, documents and passages are filled in, where there are some."""
    if not sheet.is_parted:
        return []
    say, about = sheet.say, sheet.say("about")
    steps = [f"{say('what_about', about=about, subject=say('subject'))} {empty}"]
    if any(row.about.startswith(say("document")) for row in sheet.rows):
        steps.append(say("documents_first"))
    if sheet.has_passages:
        steps.append(say("passages", passage=say("passage"), none=say("none"), about=about))
    return steps


def _write_start_page(page: Any, sheet: RatingSheet, styles: SheetStyles) -> None:  # noqa: ANN401 - xlsxwriter publishes no types
    """Write the instructions."""
    page.hide_gridlines(2)
    page.set_column(0, 0, 5)
    page.set_column(1, 1, 26)
    page.set_column(2, 2, _PAGE_WIDTH - 26)
    row = 0
    if sheet.synthetic:
        page.merge_range(row, 0, row, 2, sheet.say("invented"), styles.warning)
        page.set_row(row, 20)
        row += 1
    page.set_row(row, 34)
    page.write_string(row, 1, sheet.title, styles.title)
    told = "for_pairs" if sheet.kind == "preferences" else "for_answers"
    lead = sheet.say(told, rater=sheet.rater, count=len(sheet.numbers), batches=sheet.batches)
    if sheet.part:
        lead = f"{sheet.say('part', part=sheet.part)} {lead}"
    page.merge_range(row + 1, 1, row + 1, 2, lead, styles.lead)
    row = _heading(page, row + 3, sheet.say("what_to_do"), styles)
    for number, text in enumerate(instructions(sheet), start=1):
        page.write_string(row, 0, str(number), styles.step)
        page.merge_range(row, 1, row, 2, text, styles.lead)
        page.set_row(row, _height_of(lines_of([CellText(text)], _PAGE_WIDTH * 0.88)) + 4)
        row += 1
    row = _heading(page, row + 1, sheet.say("what_asked"), styles)
    headings = dimension_headings(sheet.rubric, sheet.texts)
    for dimension in sheet.rubric.dimensions:
        page.write_string(row, 1, headings[dimension.id], styles.label)
        page.write_string(row, 2, dimension.question, styles.text)
        page.set_row(row, _height_of(lines_of([CellText(dimension.question)], _PAGE_WIDTH - 28)))
        row += 1
    row = _heading(page, row + 1, sheet.say("please"), styles)
    for key in ("alone", "hidden", "familiar", "codes"):
        text = sheet.say(key, **({"notes": sheet.say("notes")} if key == "hidden" else {}))
        page.write_string(row, 0, "–", styles.step)
        page.merge_range(row, 1, row, 2, text, styles.lead)
        page.set_row(row, _height_of(lines_of([CellText(text)], _PAGE_WIDTH * 0.88)) + 4)
        row += 1
    page.set_portrait()
    page.set_paper(9)
    page.fit_to_pages(1, 1)


def _heading(page: Any, row: int, text: str, styles: SheetStyles) -> int:  # noqa: ANN401 - xlsxwriter publishes no types
    page.set_row(row, 24)
    page.write_string(row, 1, text, styles.heading)
    return row + 1


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
    is_passage: bool = False
    is_code: bool = False
    is_about: bool = False

    def is_for(self, row: SheetRow) -> bool:
        """Say whether a rater fills in this column in a row."""
        return self.said is not None and row.is_asked(self.said.dimension.id)

    def pieces(self, row: SheetRow, sheet: RatingSheet) -> list[CellText]:
        by_kind = [(kind, row.texts.get(kind, ())) for kind in self.kinds]
        filled = [(kind, texts) for kind, texts in by_kind if texts]
        titled = len(self.kinds) > 1 and "question" not in self.kinds
        pieces: list[CellText] = []
        for kind, texts in filled:
            if titled:
                pieces.append(CellText(sheet.say(kind), bold=True))
            elif pieces:
                pieces.append(CellText(""))
            pieces += [CellText(text) for text in texts]
        return pieces


def _write_ratings_page(
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
            page.write_string(0, place, "" if place else sheet.say("invented"), styles.warning_line)
    for place, column in enumerate(columns):
        page.set_column(place, place, column.width)
        style = styles.header_asked if column.said or column.is_passage else styles.header
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
            _write_row(page, place, row, columns, sheet, styles, long_texts)
        for position, column in enumerate(columns):
            _ask(page, position, column, rows, begin, sheet, styles)
    if long_texts:
        page.set_column(len(columns), len(columns), 16)
        page.write_string(first, len(columns), sheet.say("whole_text"), styles.header)
    _print_settings(page, sheet)


def _ask(
    page: Any,  # noqa: ANN401 - xlsxwriter publishes no types
    position: int,
    column: _Column,
    rows: Sequence[SheetRow],
    begin: int,
    sheet: RatingSheet,
    styles: SheetStyles,
) -> None:
    """Offer what may be filled in, and tint what waits for it; passages need not be found."""
    if column.said is None:
        return
    for first, last in _runs([column.is_for(row) for row in rows], begin):
        _offer(page, (first, position, last, position), column.said, sheet.texts)
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
    say = sheet.say
    yield _Column(say("code"), 12, is_code=True)
    if sheet.is_parted:
        yield _Column(say("about"), 13, is_about=True)
    if sheet.has("case"):
        yield _Column(say("case"), 18, ("case",))
    if sheet.has("question", "narrative"):
        yield _Column(say("question"), 34, ("question", "narrative"))
    sources = tuple(kind for kind in SOURCES if sheet.has(kind))
    if sources:
        yield _Column(say(sources[0] if len(sources) == 1 else "joined"), 58, sources)
    if sheet.has("answer"):
        kinds = ("answer", "reasoning") if sheet.has("reasoning") else ("answer",)
        yield _Column(say("answer"), 54, kinds)
    for kind, width in _ALONE.items():
        if sheet.has(kind):
            yield _Column(say(kind), width, (kind,))
    if sheet.has_passages:
        yield _Column(say("passage"), 36, is_passage=True)
    for column in said_columns(sheet.rubric, sheet.texts):
        reasons = reasons_in(sheet.texts) if column.what == "said" else ()
        widest = max((len(name) for name in (*column.words, *reasons)), default=0)
        yield _Column(column.heading, min(24, max(14, widest + 3)), said=column)
    yield _Column(say("rationale"), 36)
    yield _Column(say("notes"), 22)


def _write_row(
    page: Any,  # noqa: ANN401 - xlsxwriter publishes no types
    place: int,
    row: SheetRow,
    columns: Sequence[_Column],
    sheet: RatingSheet,
    styles: SheetStyles,
    long_texts: LongTexts,
) -> None:
    tallest = _LEAST_LINES
    for position, column in enumerate(columns):
        if column.is_code:
            page.write_string(place, position, row.code, styles.code)
        elif column.is_about:
            page.write_string(place, position, row.about, styles.label)
        elif column.said or column.is_passage:
            asked = row.passage if column.said is None else column.is_for(row)
            style = styles.choice if column.said else styles.words
            page.write_blank(place, position, None, style if asked else styles.closed)
        elif column.kinds:
            pieces = column.pieces(row, sheet)
            shown, more = fitting(pieces, column.width)
            if more:
                begin = long_texts.place(pieces) + 1
                at_row = sheet.say("at_row", texts=long_texts.title, row=begin)
                shown.append(CellText(f"{sheet.say('whole')} {at_row}", bold=True))
                # A link in the text itself would make LibreOffice run its lines together.
                target = f"internal:'{long_texts.title}'!B{begin}"
                page.write_url(place, len(columns), target, styles.link, at_row)
            _write_pieces(page, place, position, shown, styles)
            tallest = max(tallest, lines_of(shown, column.width))
        else:
            page.write_blank(place, position, None, styles.words)
    page.set_row(place, _height_of(tallest))


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
    ends = {"first": numbers[0], "last": numbers[-1]}
    text = sheet.say("batch_line", batch=batch, batches=sheet.batches, **ends)
    if batch > 1:
        text += f" · {sheet.say('break')}"
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
    page.set_footer("&L&8" + rater.replace("&", "&&") + "&R&8&P / &N")
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


def workbook_bytes(sheet: RatingSheet) -> bytes:
    """Write an Excel workbook; the same sheet gives the same bytes, and no cell is a formula."""
    out = io.BytesIO()
    book = new_workbook(out)
    styles = SheetStyles(book)
    start, ratings, rubric = (
        book.add_worksheet(sheet.say(key)) for key in ("start", "ratings", "rubric")
    )
    long_texts = LongTexts(sheet)
    _write_start_page(start, sheet, styles)
    _write_ratings_page(ratings, sheet, styles, long_texts)
    _write_rubric_page(rubric, sheet, styles)
    if long_texts:
        long_texts.write(book.add_worksheet(long_texts.title), styles)
    if sheet.texts.direction == "rtl":
        for page in book.worksheets():
            page.right_to_left()
    book.close()
    return out.getvalue()

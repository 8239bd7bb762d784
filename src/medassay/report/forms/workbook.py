"""A run as a workbook: one sheet a table, with numbers that can be computed with."""

import io
import re
from collections.abc import Iterator, Sequence
from math import ceil, isfinite
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from medassay.report.forms.document import Document
from medassay.report.prose import Statement
from medassay.report.tables import SYNTHETIC, Cell, Column, Table
from medassay.tables import new_workbook

if TYPE_CHECKING:
    from xlsxwriter import Workbook
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

_LINE: Final = 110
_LONGEST_NAME: Final = 31
_MOST_LETTERS: Final = 32_000
"""A cell of Excel holds 32,767."""
_WIDEST: Final = 60
_A4: Final = 9
_LINE_HEIGHT: Final = 15
_LETTERS_A_LINE: Final = 100
"""In a column as wide as 110 digits."""
_FORBIDDEN: Final = re.compile(r"[\[\]:*?/\\']")
_DECIMALS: Final = re.compile(r"\d*\.(\d+)")


def workbook(document: Document) -> bytes:
    """Write an Excel workbook; the same results give the same bytes, and no cell is a formula.

    The first sheet says what was evaluated and by which run, the second holds the paragraphs; then
    follows every table, whole, with unrounded numbers shown with the decimals of the report.
    """
    out = io.BytesIO()
    book = new_workbook(out, document.results.study.title)
    styles = _Styles(book)
    tables = (*document.tables, *document.files)
    names = _sheet_names(document, tables)
    _about(book.add_worksheet("About"), document, names, styles)
    _paragraphs(book.add_worksheet("Paragraphs"), document, styles)
    units = {
        source.name: _unit(source.unit, source.low, source.high)
        for source in document.results.sources
    }
    for table in tables:
        _table(book.add_worksheet(names[table.id]), table, units, styles)
    for sheet in book.worksheets():
        sheet.set_landscape()
        sheet.set_paper(_A4)
        sheet.fit_to_pages(1, 0)
    book.close()
    return out.getvalue()


class _Styles:
    """Formats of cells, one for each number of decimals."""

    def __init__(self, book: "Workbook") -> None:
        self._book = book
        self._decimals: dict[int, Format] = {}
        self.title = book.add_format({"bold": True, "font_size": 13})
        self.bold = book.add_format({"bold": True})
        self.banner = book.add_format({"bold": True, "font_color": "#9c2f00"})
        self.head = book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"})
        self.number_head = book.add_format(
            {"bold": True, "bottom": 1, "text_wrap": True, "valign": "top", "align": "right"}
        )
        self.unit = book.add_format({"italic": True, "font_color": "#59626b"})
        self.wrapped = book.add_format({"text_wrap": True, "valign": "top"})
        self.missing = book.add_format({"align": "right", "font_color": "#59626b"})

    def decimals(self, many: int) -> "Format":
        if many not in self._decimals:
            form = "0" if many == 0 else f"0.{'0' * many}"
            self._decimals[many] = self._book.add_format({"num_format": form})
        return self._decimals[many]


def _sheet_names(document: Document, tables: Sequence[Table]) -> dict[str, str]:
    """Give each table a name that Excel takes, with its number before it."""
    names: dict[str, str] = {}
    for table in tables:
        number = document.numbers.get(table.id, "")
        named = _FORBIDDEN.sub("-", f"{number} {table.id}".strip())
        short, again = named[:_LONGEST_NAME], 1
        while short.casefold() in {name.casefold() for name in names.values()}:
            again += 1
            short = f"{named[: _LONGEST_NAME - 1 - len(str(again))]}~{again}"
        names[table.id] = short
    return names


def _about(sheet: "Worksheet", document: Document, names: dict[str, str], styles: _Styles) -> None:
    study, run = document.results.study, document.results.run
    counts = study.counts
    facts: list[tuple[str, str | int]] = [
        ("Protocol", study.protocol_title),
        ("Source of the data", study.source),
        ("Licence", study.licence),
        ("Date of the study", study.date or "not given"),
        ("Systems", counts.systems),
        ("Cases", counts.cases),
        ("Answers", counts.answers),
        ("Raters", counts.raters),
        ("Judgements", counts.judgements),
        ("Texts", study.texts),
        ("Software", run.software),
        ("Run", run.name),
        ("Seed", run.seed),
        ("Replicates", run.replicates),
    ]
    if study.descriptive:
        facts = [fact for fact in facts if fact[0] not in {"Seed", "Replicates"}]
    sheet.set_column(0, 0, 34)
    sheet.set_column(1, 1, 100)
    sheet.write_string(0, 0, study.title, styles.title)
    at = 1
    if study.synthetic:
        sheet.write_string(at, 0, SYNTHETIC, styles.banner)
        at += 1
    for name, value in facts:
        sheet.write_string(at, 0, name, styles.bold)
        if isinstance(value, int):
            sheet.write_number(at, 1, value, styles.decimals(0))
        else:
            sheet.write_string(at, 1, value)
        at += 1
    at += 1
    sheet.write_string(at, 0, "Sheet", styles.head)
    sheet.write_string(at, 1, "What it holds", styles.head)
    titles = {t.id: f"Table {t.number}. {t.title}" for t in (*document.tables, *document.files)}
    for name, short in names.items():
        at += 1
        sheet.write_url(at, 0, f"internal:'{short}'!A1", string=short)
        sheet.write_string(at, 1, titles[name])
    for table in document.empty:
        at += 1
        sheet.write_string(at, 0, "–")
        sheet.write_string(at, 1, f"Table {table.number}. {table.title}: {table.empty}")
    at += 2
    sheet.write_string(at, 0, "Source of scores", styles.head)
    sheet.write_string(at, 1, "Signature", styles.head)
    for name, signature in document.signatures:
        at += 1
        sheet.write_string(at, 0, name)
        sheet.write_string(at, 1, signature[:_MOST_LETTERS])


def _paragraphs(sheet: "Worksheet", document: Document, styles: _Styles) -> None:
    sheet.set_column(0, 0, 16)
    sheet.set_column(1, 1, 110)
    at = 0
    if document.results.study.synthetic:
        sheet.write_string(at, 0, SYNTHETIC, styles.banner)
        at += 1
    parts: tuple[tuple[str, Sequence[Statement]], ...] = (
        ("Methods", document.methods),
        ("Results", document.found),
        (
            "References",
            [Statement(f"[{reference.key}] {reference.text}") for reference in document.references],
        ),
    )
    for heading, statements in parts:
        for statement in statements:
            numbers = [document.numbers[name] for name in document.cited(statement)]
            beside = f" (Table {', '.join(numbers)})" if numbers else ""
            text = (statement.text + beside)[:_MOST_LETTERS]
            sheet.write_string(at, 0, heading, styles.bold)
            sheet.write_string(at, 1, text, styles.wrapped)
            # No program measures the text of a file that another one wrote.
            sheet.set_row(at, _LINE_HEIGHT * ceil(len(text) / _LETTERS_A_LINE))
            at += 1


def _unit(unit: str, low: float | None, high: float | None) -> str:
    if unit:
        return unit
    return "" if low is None or high is None else f"{low:g} to {high:g}"


def _table(sheet: "Worksheet", table: Table, units: dict[str, str], styles: _Styles) -> None:
    sheet.write_string(0, 0, f"Table {table.number}. {table.title}", styles.title)
    at = 1
    if table.synthetic:
        sheet.write_string(at, 0, SYNTHETIC, styles.banner)
        at += 1
    for line in wrap(table.caption, _LINE):
        sheet.write_string(at, 0, line)
        at += 1
    at += 1
    heads = list(_heads(table))
    known = [units.get(field, "") for _, field, _ in heads]
    if any(known):
        for place, unit in enumerate(known):
            sheet.write_string(at, place, unit, styles.unit)
        at += 1
    for place, (title, _, numeric) in enumerate(heads):
        sheet.write_string(at, place, title, styles.number_head if numeric else styles.head)
    widths = [max(map(len, title.split() or [""])) for title, _, _ in heads]
    first = at
    sheet.freeze_panes(first + 1, 1)
    for row in table.rows:
        at += 1
        values = ([(row.group, 0, "")] if table.group_field else []) + [
            value
            for column, cell in zip(table.columns, row.cells, strict=True)
            for value in _values(column, cell)
        ]
        for place, (value, decimals, detail) in enumerate(values):
            width = _write(sheet, (at, place), value, decimals, detail, styles)
            widths[place] = max(widths[place], width)
    for place, width in enumerate(widths):
        sheet.set_column(place, place, min(_WIDEST, width + 2))
    sheet.autofilter(first, 0, at, len(heads) - 1)


def _heads(table: Table) -> Iterator[tuple[str, str, bool]]:
    """Give title, field and kind of every column of the sheet; one of the page may be several."""
    if table.group_field:
        yield table.group_field.replace("_", " ").capitalize(), table.group_field, False
    for column in table.columns:
        above = f"{column.group}: {column.title}" if column.group else column.title
        for place, field in enumerate(column.fields):
            text = field.removeprefix(f"{column.fields[0]}_").replace("_", " ")
            yield (above if place == 0 else f"{above}: {text}"), field, column.numeric


def _values(column: Column, cell: Cell) -> Iterator[tuple[object, int | None, str]]:
    """Give each unrounded value with the decimals it is shown with, and why it is missing."""
    match = _DECIMALS.search(cell.text)
    # A median of 4 is shown as 4, like the report; what shows no number at all has three decimals.
    decimals = len(match[1]) if match else 0 if cell.text.isdecimal() else None
    has_reason = any(field.endswith("_reason") for field in column.fields)
    for place, value in enumerate(cell.raw):
        detail = cell.detail if cell.missing and place == 0 and not has_reason else ""
        yield value, decimals, detail


def _write(
    sheet: "Worksheet",
    place: tuple[int, int],
    value: object,
    decimals: int | None,
    detail: str,
    styles: _Styles,
) -> int:
    """Write a cell as what it is, and say how wide it is shown."""
    if isinstance(value, bool):
        sheet.write_boolean(*place, value)
        return 5
    if isinstance(value, int):
        sheet.write_number(*place, value, styles.decimals(0))
        return len(str(value))
    if isinstance(value, float) and isfinite(value):
        sheet.write_number(*place, value, styles.decimals(3 if decimals is None else decimals))
        return 8
    if value is None or value == "":
        if detail:
            sheet.write_string(*place, f"none: {detail}", styles.missing)
        return 4
    text = str(value)[:_MOST_LETTERS]
    sheet.write_string(*place, text)
    return len(text)

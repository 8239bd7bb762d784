"""Write tables as files: CSV of three kinds, JSON Lines, Excel and OpenDocument workbooks."""

import contextlib
import csv
import io
import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from openpyxl import Workbook
from tests.front_door.plans import Plan
from tools.plain_workbook import open_document

__all__ = ["Cell", "Table", "write"]

Cell = str | int | float | list[str] | list[dict[str, str]] | None


@dataclass(frozen=True)
class Table:
    """One table.

    Attributes:
        name: The file's stem, or the sheet's name.
        rows: All rows, notes and headers among them.
        heads: How many of the rows are the header; those above it are notes.
        above: How many rows are notes above the header.
        merged: Cells of the header that are merged: row, first and last column.
    """

    name: str
    rows: Sequence[Sequence[Cell]]
    heads: int = 1
    above: int = 0
    merged: tuple[tuple[int, int, int], ...] = ()


def write(tables: Sequence[Table], plan: Plan, stem: str) -> dict[str, bytes]:
    """Write tables: a workbook of all of them, or a file for each where files hold one table."""
    if plan.file == "xlsx" and plan.one_workbook:
        return {f"{stem}.xlsx": _excel(tables)}
    if plan.file == "ods" and plan.one_workbook:
        return {f"{stem}.ods": _open_document(tables)}
    return {f"{table.name}.{_ENDING[plan.file]}": _file(table, plan) for table in tables}


_ENDING = {
    "csv": "csv",
    "semicolon": "csv",
    "tab": "tsv",
    "jsonl": "jsonl",
    "xlsx": "xlsx",
    "ods": "ods",
}


def _file(table: Table, plan: Plan) -> bytes:
    match plan.file:
        case "jsonl":
            return _lines(table)
        case "xlsx":
            return _excel([table])
        case "ods":
            return _open_document([table])
    buffer = io.StringIO()
    mark = {"csv": ",", "semicolon": ";", "tab": "\t"}[plan.file]
    writer = csv.writer(buffer, delimiter=mark, lineterminator="\r\n")
    width = max(map(len, table.rows))
    for row in table.rows:
        cells = [_as_text(cell, comma=plan.decimal_comma) for cell in row]
        writer.writerow(cells + [""] * (width - len(cells)))
    # Excel writes the mark of UTF-8 in front of what it saves; other programs do not.
    text = buffer.getvalue()
    if plan.encoding == "cp1252":
        with contextlib.suppress(UnicodeEncodeError):
            return text.encode("cp1252")
    return text.encode("utf-8-sig" if plan.file == "semicolon" else "utf-8")


def _as_text(cell: Cell, *, comma: bool) -> str:
    if cell is None:
        return ""
    if isinstance(cell, list):
        return json.dumps(cell, ensure_ascii=False)
    text = str(cell)
    return text.replace(".", ",") if comma and isinstance(cell, float) else text


def _lines(table: Table) -> bytes:
    head, *rows = table.rows
    kept = [
        {str(name): cell for name, cell in zip(head, row, strict=True) if cell not in (None, "")}
        for row in rows
    ]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in kept).encode()


def _excel(tables: Sequence[Table]) -> bytes:
    book = Workbook()
    book.remove(book.active)
    for table in tables:
        sheet = book.create_sheet(table.name[:31])
        for number, row in enumerate(table.rows, 1):
            for column, cell in enumerate(row, 1):
                if cell is not None and cell != "":
                    value = json.dumps(cell, ensure_ascii=False) if isinstance(cell, list) else cell
                    sheet.cell(number, column, value)
        for row_number, first, last in table.merged:
            sheet.merge_cells(
                start_row=row_number, end_row=row_number, start_column=first, end_column=last
            )
    buffer = io.BytesIO()
    book.save(buffer)
    return _without_time(buffer.getvalue())


def _without_time(book: bytes) -> bytes:
    """Take out when the workbook was made: the same seed gives the same bytes."""
    buffer = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(book)) as old,
        zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            if name != "docProps/core.xml":
                content = old.read(name)
            else:
                content = (
                    b'<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/'
                    b'metadata/core-properties"/>'
                )
            new.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _open_document(tables: Sequence[Table]) -> bytes:
    first, *others = tables
    after = "".join(
        f"<table:table table:name={quoteattr(table.name)}>{_ods_rows(table)}</table:table>"
        for table in others
    )
    made = open_document(_ods_rows(first), name=escape(first.name), after=after)
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(made)) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            new.writestr(zipfile.ZipInfo(name), old.read(name), zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _ods_rows(table: Table) -> str:
    spans = {(row, first): last - first + 1 for row, first, last in table.merged}
    covered = {
        (row, column) for row, first, last in table.merged for column in range(first + 1, last + 1)
    }
    rows = []
    for number, row in enumerate(table.rows, 1):
        cells = []
        for column, cell in enumerate(row, 1):
            if (number, column) in covered:
                cells.append("<table:covered-table-cell/>")
                continue
            span = spans.get((number, column), 1)
            cells.append(_ods_cell(cell, span))
        rows.append(f"<table:table-row>{''.join(cells)}</table:table-row>")
    return "".join(rows)


def _ods_cell(cell: Cell, span: int) -> str:
    wide = f' table:number-columns-spanned="{span}"' if span > 1 else ""
    if cell is None or cell == "":
        return f"<table:table-cell{wide}/>"
    if isinstance(cell, int | float):
        kind = f'office:value-type="float" office:value="{cell}"'
        return f"<table:table-cell{wide} {kind}><text:p>{cell:g}</text:p></table:table-cell>"
    text = json.dumps(cell, ensure_ascii=False) if isinstance(cell, list) else cell
    kind = 'office:value-type="string"'
    return f"<table:table-cell{wide} {kind}><text:p>{escape(text)}</text:p></table:table-cell>"

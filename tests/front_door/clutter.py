"""What people's tables have beside the study: rows and columns in any order, and more of both."""

from dataclasses import replace
from typing import Final

from tests.front_door.cells import Pen
from tests.front_door.rows import Rows
from tests.front_door.written import Cell, Table

__all__ = ["legend_sheet", "lived_in", "with_notes"]

_SHUFFLED: Final = {"long", "answers_long", "long_by_rating"}
_MEAN: Final = {
    "en": "Mean", "de": "Mittelwert", "fr": "Moyenne", "es": "Media", "pt": "Média", "it": "Media",
    "nl": "Gemiddelde", "zh": "平均值", "ja": "平均", "ar": "المتوسط",
}  # fmt: skip


def lived_in(rows: Rows, pen: Pen) -> Rows:
    """Bring disorder into the tables of a layout, as far as its plan has it."""
    return replace(rows, tables=[_lived_in(table, rows, pen) for table in rows.tables])


def _lived_in(table: Table, rows: Rows, pen: Pen) -> Table:
    plan = pen.plan
    if plan.fill == "first":
        table = _filled_once(table, rows, pen)
    elif plan.order == "shuffled" and plan.layout in _SHUFFLED:
        body = list(table.rows[table.heads :])
        order = pen.rng.permutation(len(body))
        table = replace(table, rows=[*table.rows[: table.heads], *(body[i] for i in order)])
    if plan.column_order == "shuffled" and plan.fill == "each":
        order = pen.rng.permutation(len(table.rows[0]))
        table = replace(table, rows=[[row[i] for i in order] for row in table.rows])
    if plan.notes == "means":
        table = _with_means(table, pen)
    return _with_columns(table, pen)


def _filled_once(table: Table, rows: Rows, pen: Pen) -> Table:
    """Sort by case, and leave the cells of a case empty but in its first row."""
    order = {case.question: number for number, case in enumerate(rows.shown.cases)}
    asked = int(pen.shows_ids)
    body = sorted(table.rows[table.heads :], key=lambda row: order[str(row[asked])])
    width = asked + 1 + sum(pen.plan.has(role) for role in ("topic", "age", "reference"))
    before: Cell = None
    filled: list[list[Cell]] = []
    for row in body:
        same = row[asked] == before
        before = row[asked]
        filled.append([*[""] * width, *row[width:]] if same else list(row))
    return replace(table, rows=[*table.rows[: table.heads], *filled])


def _with_columns(table: Table, pen: Pen) -> Table:
    """Add a column that says nothing: a count of rows, when it was, nothing, the same word."""
    body = len(table.rows) - table.heads
    number = pen.rng.integers(0, 60, size=(body, 2))
    columns: dict[str, tuple[str, list[Cell]]] = {
        "index": ("", list(range(body))),
        "timestamp": ("Timestamp", [f"2025-03-11 09:{a:02}:{b:02}" for a, b in number]),
        "empty": ("", [""] * body),
        "constant": ("Batch", ["pilot"] * body),
    }
    if pen.plan.clutter not in columns:
        return table
    name, cells = columns[pen.plan.clutter]
    if pen.plan.file == "jsonl" and not name:
        name = "index"
    column: list[Cell] = [name, *[""] * (table.heads - 1), *cells]
    first = pen.plan.clutter in {"index", "timestamp"}
    rows = [
        [cell, *row] if first else [*row, cell]
        for cell, row in zip(column, table.rows, strict=True)
    ]
    return replace(table, rows=rows)


def _with_means(table: Table, pen: Pen) -> Table:
    """Add a row of means below columns of numbers, as a spreadsheet computes them."""
    last: list[Cell] = [_MEAN[pen.plan.header]]
    for place in range(1, len(table.rows[0])):
        if table.rows[0][place] in {pen.head("case"), pen.head("age")}:
            last.append("")
            continue
        cells = [row[place] for row in table.rows[table.heads :]]
        numbers = [cell for cell in cells if isinstance(cell, int | float)]
        whole = numbers and all(isinstance(cell, int | float) or cell == "" for cell in cells)
        last.append(round(sum(numbers) / len(numbers), 2) if whole else "")
    return replace(table, rows=[*table.rows, last]) if any(last[1:]) else table


def with_notes(table: Table, rows: Rows, pen: Pen) -> Table:
    """Put lines above and below a table: titles, legends of scales, sources."""
    above: list[list[Cell]] = []
    if pen.plan.notes in {"above", "both"}:
        above = [[pen.note("above")], []]
    if pen.plan.scale_place == "above":
        above = above[:1]
        above += [[pen.legend(dimension)] for dimension in rows.shown.dimensions]
        above.append([])
    below: list[list[Cell]] = []
    if pen.plan.notes in {"below", "both"}:
        below = [[], [pen.note("below")]]
    moved = tuple((row + len(above), first, last) for row, first, last in table.merged)
    return replace(table, rows=[*above, *table.rows, *below], above=len(above), merged=moved)


def legend_sheet(rows: Rows, pen: Pen) -> Table:
    """Make a sheet that explains the columns, as codebooks do."""
    lines = [[pen.legend(dimension)] for dimension in rows.shown.dimensions]
    return Table("Legend", [[pen.note("above")], [], *lines, [pen.note("below")]])

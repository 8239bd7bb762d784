"""Numbers of sentences, read from the cells that print them."""

from collections.abc import Iterable

from medassay.report.tables import Cell, Row, Table

__all__ = ["by_id", "cell_of", "raw", "rows_where", "shown"]


def by_id(tables: Iterable[Table]) -> dict[str, Table]:
    """Find tables by their id; those without rows have nothing to tell."""
    return {table.id: table for table in tables if table.rows}


def rows_where(table: Table, field: str, value: object, group: str | None = None) -> list[Row]:
    """Give the rows of one group whose raw value in a field is the one asked for."""
    return [
        row
        for row in table.rows
        if (group is None or row.group == group) and raw(table, row, field) == value
    ]


def raw(table: Table, row: Row, field: str) -> object:
    """Give the unrounded value of a field."""
    for column, cell in zip(table.columns, row.cells, strict=True):
        if field in column.fields:
            return cell.raw[column.fields.index(field)]
    return None


def cell_of(table: Table, row: Row, field: str) -> Cell | None:
    """Give the cell that prints a field; None where the value is missing."""
    for column, cell in zip(table.columns, row.cells, strict=True):
        if field in column.fields:
            return None if cell.missing else cell
    return None


def shown(table: Table, row: Row, field: str) -> str:
    """Print a field as its cell does, with the interval; empty where the value is missing."""
    cell = cell_of(table, row, field)
    return "" if cell is None else f"{cell.text} {cell.aside}".strip()

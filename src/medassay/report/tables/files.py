"""A table as bytes of a file."""

from medassay.exhibits.table import SYNTHETIC, Cell, Table
from medassay.tables import csv_bytes, guarded_cell, text_bytes, visible

__all__ = ["as_markdown", "table_csv", "table_markdown"]


def table_csv(table: Table) -> bytes:
    """Write unrounded values under plain headings; an interval becomes two columns.

    Where numbers rest on labels that are not settled, the column `not_settled` says whose.

    Nothing that came from a study can run as a formula where the file is opened, or as an order to
    the terminal where it is printed.
    """
    group = [table.group_field] if table.group_field else []
    header = [str(_cell(name)) for name in (*group, *(n for c in table.columns for n in c.fields))]
    waits = any(row.unsettled for row in table.rows)
    header += ["not_settled"] if waits else []
    rows = (
        [
            _cell(value)
            for value in ([row.group] if table.group_field else [])
            + [value for c in row.cells for value in c.raw]
            + ([row.unsettled] if waits else [])
        ]
        for row in table.rows
    )
    if table.synthetic:
        return csv_bytes([*header, "synthetic"], ([*row, True] for row in rows))
    return csv_bytes(header, rows)


def table_markdown(table: Table) -> bytes:
    """Write what the page prints, with title and caption above."""
    lines = [f"**{as_markdown(table.title)}.** {as_markdown(table.caption)}", ""]
    if table.synthetic:
        lines = [f"> {SYNTHETIC}", "", *lines]
    if not table.rows:
        return text_bytes(visible("\n".join([*lines, table.empty, ""])))
    titles = [f"{c.group}: {c.title}" if c.group else c.title for c in table.columns]
    aligned = ["---:" if column.numeric else "---" for column in table.columns]
    if table.group_field:
        titles.insert(0, table.group_field.replace("_", " ").capitalize())
        aligned.insert(0, "---")
    body = (
        ([row.group] if table.group_field else []) + [_shown(cell) for cell in row.cells]
        for row in table.rows
    )
    rows = [titles, aligned, *body]
    lines += [f"| {' | '.join(as_markdown(cell) for cell in row)} |" for row in rows]
    return text_bytes(visible("\n".join(lines) + "\n"))


def _cell(value: object) -> object:
    return guarded_cell(visible(value) if isinstance(value, str) else value)


def _shown(cell: Cell) -> str:
    text = " ".join(part for part in (cell.text, cell.aside) if part)
    return f"{text} ({cell.detail})" if cell.missing and cell.detail else text


def as_markdown(text: str) -> str:
    """Write text so that Markdown prints it as it is."""
    for character in "\\|<`*_":
        text = text.replace(character, f"\\{character}")
    # Brackets of an interval stay readable; those of a link are broken.
    return " ".join(text.replace("](", "]\\(").split())

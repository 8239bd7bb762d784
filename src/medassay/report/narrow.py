"""How a table stands on a phone: as it is, with intervals below, or each row as a card."""

from typing import Final

from medassay.exhibits.table import Cell, Stack, Table

__all__ = ["on_a_phone"]

_ROOM: Final = 358.0
"""Pixels that a phone of 390 leaves between the margins."""
_LETTER: Final = 8.0
"""A letter or digit of a cell, taken wide: fonts differ, and a card too many does no harm."""
_SMALL: Final = 7.1
_HEAD_LETTER: Final = 7.8
_PADDING: Final = 16.0
_PADDING_BELOW: Final = 8.0
_FIRST_MOST: Final = 148.0
"""The first column breaks its words there."""
_WORDS_LEAST: Final = 176.0
"""What a cell of sentences needs to be read."""
_PART: Final = 28.0
"""A part of a bar, with room for its count."""


def on_a_phone(table: Table, most: int) -> str:
    """Say how a table stands on a screen of 390 px, as the class that the style sheet knows.

    Args:
        table: The table.
        most: Cells that may become lines of cards. Beyond it a table stays one, and is scrolled.

    Returns:
        Empty where its columns fit side by side, `under` where they do with intervals below their
        values, `cards` where each row becomes a card: the column's heading left, the cell right.

    Example:
        >>> from medassay.exhibits.table import Column, Row
        >>> def with_means(many):
        ...     heads = [Column(f"Mean {n}", (str(n),), numeric=True) for n in range(many)]
        ...     cells = [Cell("4.33", (4.33,), aside="[4.12, 4.49]")] * many
        ...     row = Row((Cell("AlphaChat", ("A",)), *cells))
        ...     return Table("t", "T", "Means.", (Column("System", ("system",)), *heads), (row,))
        >>> [on_a_phone(with_means(many), 60) for many in (1, 2, 5)]
        ['', 'under', 'cards']
    """
    for form, below in (("", False), ("under", True)):
        places = range(len(table.columns))
        if sum(_width(table, place, below=below) for place in places) <= _ROOM:
            return form
    return "cards" if len(table.rows) * (len(table.columns) - 1) <= most else ""


def _width(table: Table, place: int, *, below: bool) -> float:
    column = table.columns[place]
    breaks = not column.numeric
    head = max(map(len, column.title.split()), default=0) * _HEAD_LETTER
    cells = [_of_cell(row.cells[place], breaks=breaks, below=below) for row in table.rows]
    width = max([head, *cells])
    if column.wide:
        width = max(width, _WORDS_LEAST)
    if place == 0:
        width = min(width, _FIRST_MOST)
    return width + (_PADDING_BELOW if below else _PADDING)


def _of_cell(cell: Cell, *, breaks: bool, below: bool) -> float:
    if isinstance(cell.draw, Stack):
        return _PART * len(cell.draw.parts)
    if breaks:
        words = f"{cell.text} {cell.aside}".split()
        return max(map(len, words), default=0) * _LETTER
    text, aside = len(cell.text) * _LETTER, len(cell.aside) * _SMALL
    if below:
        return max(text, aside)
    return text + aside + (_SMALL if cell.aside else 0)

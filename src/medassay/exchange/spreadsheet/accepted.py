"""Several short answers that all count as right, written into one cell."""

from collections.abc import Iterable
from typing import Final

from medassay.exchange.spreadsheet.columns import Layout

_APART: Final = "|"
_LONGEST: Final = 40
"""Letters of a short answer; in longer texts the sign may be part of a table or a formula."""


def several_in(layout: Layout) -> list[str]:
    """Name a table's columns of references that hold several answers in a cell."""
    names = (column.name for column in layout.of_role("reference"))
    return [name for name in names if holds_several(layout.table.cells(name))]


def holds_several(cells: Iterable[str]) -> bool:
    """Say whether cells of a column hold several short answers apart by `|`.

    One long text, or one piece without a word, and the sign is taken for part of the texts.

    Example:
        >>> holds_several(["aspirin|acetylsalicylic acid", "yes"]), holds_several(["yes", "no"])
        (True, False)
        >>> holds_several(["yes|no", "P(A|B), that is what a positive test leaves of the risk."])
        False
    """
    pieces = [cell.split(_APART) for cell in cells if cell]
    return any(len(own) > 1 for own in pieces) and all(
        len(piece) <= _LONGEST and piece.strip() and "\n" not in piece
        for own in pieces
        for piece in own
    )


def accepted(cell: str) -> list[str]:
    """Give the answers that a cell of such a column holds, each once.

    Example:
        >>> accepted("aspirin | ASA|aspirin")
        ['aspirin', 'ASA']
    """
    return list(dict.fromkeys(piece.strip() for piece in cell.split(_APART) if piece.strip()))

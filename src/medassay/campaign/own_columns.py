"""Columns that a rater put into a sheet: nothing is read of them, and the lead is told."""

from collections.abc import Iterator, Sequence

from medassay.campaign.rating_sheet import (
    NOTES,
    SENT_HEADINGS,
    ReturnedFile,
    ReturnedTable,
    said_columns,
)
from medassay.judgements import Rubric
from medassay.tables import folded
from medassay.text import count_of

__all__ = ["said_of_own_columns", "which_own"]


def _own_columns(table: ReturnedTable, parts: Sequence[Rubric]) -> dict[str, int]:
    """Give the headings that no sheet is sent with, each to its place.

    Args:
        table: The table.
        parts: What was asked.
    """
    ours = {_plain(heading) for heading in SENT_HEADINGS}
    for part in parts:
        for column in said_columns(part):
            dimension = column.dimension
            ours |= {_plain(column.heading), _plain(dimension.id), _plain(dimension.question)}
    return {
        heading: place
        for heading, place in table.columns.items()
        if heading.strip() and _plain(heading) not in ours
    }


def said_of_own_columns(returned: ReturnedFile, parts: Sequence[Rubric]) -> Iterator[str]:
    """Name columns of a rater's own that hold words."""
    for table in returned.tables:
        for heading, place in _own_columns(table, parts).items():
            filled = sum(bool(table.text(row, place)) for row in table.rows())
            if filled:
                rows = count_of(filled, "row")
                yield (
                    f'{returned.file}, cell {table.address(table.header, place)}: "{heading}" was '
                    f"not in the sheet that was sent. Nothing was read of it ({rows}); copy what "
                    f"is to be kept under {NOTES}."
                )


def which_own(table: ReturnedTable, parts: Sequence[Rubric]) -> str:
    """Ask whether the one column that nobody sent is the one that is missed; or nothing."""
    names = list(_own_columns(table, parts))
    return f'Is it "{names[0]}"?' if len(names) == 1 else ""


def _plain(heading: str) -> str:
    return folded(heading).casefold()

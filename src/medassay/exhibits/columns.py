"""A column of a table, declared once: its heading, its value, how it prints, what files add."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Generic, TypeVar

from medassay.exhibits.cells import missing, no_such
from medassay.exhibits.table import Cell, Column, Row, Table

__all__ = ["Shown", "shown", "table_of"]

_Row = TypeVar("_Row")
_Of = str | Callable[[Any], object]


@dataclass(frozen=True, slots=True)
class Shown(Generic[_Row]):
    """One column of a table whose rows are records of one type; made by `shown`."""

    column: Column
    cell: Callable[[_Row], Cell]


def shown(  # noqa: PLR0913 - each is one thing that a column may have
    heading: str,
    value: _Of,
    prints: Callable[[Any], str] | None = None,
    *,
    file: str = "",
    adds: Sequence[str] | Mapping[str, _Of] = (),
    aside: Callable[[Any], str] | None = None,
    detail: Callable[[Any], str] | None = None,
    why_not: _Of | None = None,
    numeric: bool | None = None,
    group: str = "",
    wide: bool = False,
) -> Shown[Any]:
    """Declare a column.

    Args:
        heading: On the page.
        value: An attribute of the record, or a function of it. None is a value that is missing.
        prints: Turns the value into what is printed; a text prints as it is.
        file: The heading in files; the attribute's name where not given.
        adds: What files have beside the value: attributes, or headings with attributes or
            functions.
        aside: Printed smaller beside the value.
        detail: Said on demand.
        why_not: The reason of a missing value: an attribute, or a function. A dash stands where
            none is given.
        numeric: Right-aligned, the largest first when sorted; so where `prints` is given.
        group: A heading over several columns.
        wide: Text that may break over lines.

    Raises:
        ValueError: The value is a function, and nothing says how files call it.

    Example:
        >>> from medassay.exhibits.numbers import Style
        >>> from types import SimpleNamespace
        >>> mean = shown("Mean", "mean", Style(2), adds=("n",))
        >>> mean.column.fields, mean.cell(SimpleNamespace(mean=1.25, n=4)).text
        (('mean', 'n'), '1.25')
    """
    if not file:
        if not isinstance(value, str):
            message = f"{heading}: say what files call a value that a function gives"
            raise ValueError(message)
        file = value
    added = adds if isinstance(adds, Mapping) else {name: name for name in adds}
    get, others = _getter(value), [_getter(one) for one in added.values()]
    fields = (file, *added)
    reason = None if why_not is None else _getter(why_not)

    def cell(row: Any) -> Cell:  # noqa: ANN401 - a record of any type
        found, more = get(row), tuple(other(row) for other in others)
        if found is None:
            blank = no_such() if reason is None else missing(str(reason(row)))
            raw = (None, *more)
            return Cell(blank.text, raw, detail=blank.detail, missing=blank.missing)
        text = str(found) if prints is None else prints(found)
        return Cell(
            text,
            (found, *more),
            aside=aside(row) if aside else "",
            detail=detail(row) if detail else "",
        )

    right = prints is not None if numeric is None else numeric
    return Shown(Column(heading, fields, numeric=right, group=group, wide=wide), cell)


def table_of(
    rows: Iterable[tuple[str, _Row]] | Iterable[_Row],
    columns: Sequence[Shown[_Row]],
    *,
    id: str,  # noqa: A002 - the word that a table has for it
    title: str,
    caption: str,
    empty: str,
    grouped_by: str = "",
) -> Table:
    """Lay records out in a table.

    Args:
        rows: Records; where they are grouped, each with the heading of its group before it.
        columns: Left to right.
        id: Names the file and the place on the page.
        title: A few words.
        caption: Sentences that can stand alone: what, on what, how to read it.
        empty: Said in place of a table without rows.
        grouped_by: What files call the group; empty where there are no groups.
    """
    pairs: Iterable[Any] = rows if grouped_by else (("", row) for row in rows)
    return Table(
        id,
        title,
        caption,
        tuple(one.column for one in columns),
        tuple(Row(tuple(one.cell(row) for one in columns), name) for name, row in pairs),
        group_field=grouped_by,
        empty=empty,
    )


def _getter(value: _Of) -> Callable[[Any], object]:
    return attrgetter(value) if isinstance(value, str) else value

"""A column of a table, declared once: its heading, its value, how it prints, what files add."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any, Generic, TypeVar

from medassay.errors import InvalidInput, Problem, nearest
from medassay.exhibits.names import Names
from medassay.exhibits.numbers import (
    PROPORTION,
    Style,
    bounds,
    level,
    percent_up,
    percent_words,
    shown_p,
)
from medassay.exhibits.sentences import as_sentence
from medassay.exhibits.table import Bar, Cell, Column, Dot, Heat, Row, Stands, Table
from medassay.stats import Interval

NONE = "none"
"""Stands where there is no value; its reason comes on demand."""


def text(value: str, *, aside: str = "", detail: str = "", code: bool = False) -> Cell:
    """Make a cell of words."""
    return Cell(value, (value,), aside=aside, detail=detail, code=code)


def written(value: str) -> Cell:
    """Make a cell of what a case or an answer says, without the marks of Markdown's bold."""
    return Cell(re.sub(r"\*\*(?=\S)([^*\n]*\S)\*\*", r"\1", value), (value,))


def count(value: int, detail: str = "") -> Cell:
    """Make a cell of a count."""
    return Cell(f"{value:,}", (value,), detail=detail)


def named(title: str, name: str) -> Cell:
    """Make a cell that prints a title and writes the id to files."""
    return Cell(title, (name,))


def no_such(fields: int = 1) -> Cell:
    """Make a cell for what cannot be, such as a system against itself."""
    return Cell("–", (None,) * fields)


def missing(reason: str, fields: int = 1) -> Cell:
    """Make a cell for a value that is not there: a word, and its reason on demand."""
    return Cell(NONE, (None,) * fields, detail=as_sentence(reason), missing=True)


def estimate_fields(name: str) -> tuple[str, str, str, str]:
    """Name the CSV columns that `estimate` fills."""
    return (name, f"{name}_low", f"{name}_high", f"{name}_reason")


def estimate(
    value: float | None,
    interval: Interval | None,
    reason: str,
    style: Style = PROPORTION,
    axis: tuple[float, float] | None = None,
) -> Cell:
    """Make a cell of a value with its interval, or of the reason why there is none."""
    if value is None:
        return Cell(NONE, (None, None, None, reason), detail=as_sentence(reason), missing=True)
    low, high = (interval.low, interval.high) if interval else (None, None)
    return Cell(
        style(value),
        (value, low, high, ""),
        aside=bounds(interval, style),
        draw=Dot(value, low, high, *axis) if axis else None,
        bounded=style.bounded,
    )


def how(intervals: Iterable[Interval | None]) -> str:
    """Say once, for a caption, what the intervals of a table are intervals for."""
    methods: dict[tuple[str, str], list[str]] = {}
    for around in filter(None, intervals):
        methods.setdefault((level(around), around.estimand), []).append(around.method)
    return " ".join(
        f"{percent} CI: {' or '.join(dict.fromkeys(own))}, for {estimand}."
        for (percent, estimand), own in methods.items()
    )


def p_cell(p: float | None, reason: str = "") -> Cell:
    """Make a cell of a p-value."""
    return missing(reason) if p is None else Cell(shown_p(p), (p,), bounded=True)


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
    says: Callable[[Any], str] | None = None,
    file: str = "",
    adds: Sequence[str] | Mapping[str, _Of] = (),
    aside: Callable[[Any], str] | None = None,
    detail: Callable[[Any], str] | None = None,
    draw: Callable[[Any], Bar | Heat | None] | None = None,
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
        says: Turns the record into what is printed, where the value alone does not say it.
        file: The heading in files; the attribute's name where not given.
        adds: What files have beside the value: attributes, or headings with attributes or
            functions.
        aside: Printed smaller beside the value.
        detail: Said on demand.
        draw: Drawn beside or behind the text.
        why_not: The reason of a missing value: an attribute, or a function. A dash stands where
            none is given.
        numeric: Right-aligned, the largest first when sorted; so where `prints` is given.
        group: A heading over several columns.
        wide: Text that may break over lines.

    Raises:
        ValueError: The value is a function, and nothing says how files call it.
        InvalidInput: On a record that lacks the attribute, when the table is laid out.

    Example:
        >>> from medassay.exhibits.numbers import Style
        >>> from types import SimpleNamespace
        >>> mean = shown("Mean", "mean", Style(2), adds=("n",))
        >>> mean.column.fields, mean.cell(SimpleNamespace(mean=1.25, n=4)).text
        (('mean', 'n'), '1.25')
    """
    file = _file_name(heading, value, file)
    added = adds if isinstance(adds, Mapping) else {name: name for name in adds}
    get = _getter(value, heading)
    others = [_getter(other_value, heading) for other_value in added.values()]
    fields = (file, *added)
    reason = None if why_not is None else _getter(why_not, heading)

    def cell(row: Any) -> Cell:  # noqa: ANN401 - a record of any type
        held, more = get(row), tuple(other(row) for other in others)
        if held is None:
            blank = no_such() if reason is None else missing(str(reason(row)))
            raw = (None, *more)
            return Cell(blank.text, raw, detail=blank.detail, missing=blank.missing)
        printed = str(held) if prints is None else prints(held)
        return Cell(
            says(row) if says else printed,
            (held, *more),
            aside=aside(row) if aside else "",
            detail=detail(row) if detail else "",
            draw=draw(row) if draw else None,
            bounded=isinstance(prints, Style) and prints.bounded,
        )

    right = prints is not None if numeric is None else numeric
    return Shown(Column(heading, fields, numeric=right, group=group, wide=wide), cell)


def celled(
    heading: str,
    fields: str | Sequence[str],
    cell: Callable[[Any], Cell],
    *,
    numeric: bool = False,
    group: str = "",
    axis: tuple[str, str] | None = None,
    wide: bool = False,
) -> Shown[Any]:
    """Declare a column whose cells a function makes, for what the other columns cannot print.

    Args:
        heading: On the page.
        fields: The headings in files, one for each raw value of a cell.
        cell: Makes the cell of a record.
        numeric: Right-aligned, the largest first when sorted.
        group: A heading over several columns.
        axis: The ends of the axis over a column of dots.
        wide: Text that may break over lines.

    Example:
        >>> ends = celled("Range", ("least", "most"), lambda row: Cell(f"{row[0]}–{row[1]}", row))
        >>> ends.column.fields, ends.cell((2, 5)).text
        (('least', 'most'), '2–5')
    """
    names = (fields,) if isinstance(fields, str) else tuple(fields)
    return Shown(Column(heading, names, numeric=numeric, group=group, axis=axis, wide=wide), cell)


def p_column(
    heading: str, value: _Of = "p", *, file: str = "", why_not: _Of | None = None
) -> Shown[Any]:
    """Declare a column of p-values, or of the reasons why there are none.

    Example:
        >>> from types import SimpleNamespace
        >>> p_column("p").cell(SimpleNamespace(p=0.0002)).text
        '< 0.001'
    """
    get = _getter(value, heading)
    reason = (lambda _: "") if why_not is None else _getter(why_not, heading)

    def cell(row: Any) -> Cell:  # noqa: ANN401 - a record of any type
        p: Any = get(row)
        return p_cell(p, str(reason(row)))

    return Shown(Column(heading, (_file_name(heading, value, file),), numeric=True), cell)


def named_column(
    heading: str, value: _Of, called: Callable[[str], str], *, file: str = ""
) -> Shown[Any]:
    """Declare a column of ids: what they are called on the page, themselves in files."""
    get = _getter(value, heading)
    return shown(heading, value, says=lambda row: called(str(get(row))), file=file)


def system_column(names: Names, heading: str = "System", field: str = "system") -> Shown[Any]:
    """Declare a column of systems: their titles on the page, their ids in files."""
    return named_column(heading, field, names.of_system, file=field.rpartition(".")[2])


def percents(
    heading: str,
    share: _Of,
    answers: _Of = "n",
    *,
    up: bool = False,
    file: str = "",
    adds: Sequence[str] | Mapping[str, _Of] = (),
    aside: Callable[[Any], str] | None = None,
    why_not: _Of | None = None,
) -> Shown[Any]:
    """Declare a column of shares in percent, with decimals where there are answers enough.

    Args:
        heading: On the page.
        share: From 0 to 1: an attribute, or a function; None where it is missing.
        answers: How many it is a share of.
        up: It is an upper bound, and rounds up.
        file: The heading in files; the attribute's name where not given.
        adds: As in `shown`.
        aside: As in `shown`.
        why_not: As in `shown`.

    Example:
        >>> from types import SimpleNamespace
        >>> most = percents("At most", "upper", up=True)
        >>> most.cell(SimpleNamespace(upper=0.1129, n=25)).text
        '12%'
    """
    get, of = _getter(share, heading), _getter(answers, heading)
    printed: Callable[[Any, Any], str] = percent_up if up else percent_words
    return shown(
        heading, share, says=lambda row: printed(get(row), of(row)), file=file, adds=adds,
        aside=aside, why_not=why_not, numeric=True,
    )  # fmt: skip


def counted(heading: str, value: _Of, *, file: str = "", group: str = "") -> Shown[Any]:
    """Declare a column of counts, such as `1,024`."""
    return shown(heading, value, "{:,}".format, file=file, group=group)


def estimated(  # noqa: PLR0913 - each is one thing that a column may have
    heading: str,
    value: _Of,
    style: Style = PROPORTION,
    *,
    interval: _Of = "interval",
    why_not: _Of | None = "reason",
    reasoned: bool = True,
    file: str = "",
    group: str = "",
    axis: tuple[float, float] | None = None,
) -> Shown[Any]:
    """Declare a column of values with their intervals, or of the reasons why there are none.

    Args:
        heading: On the page.
        value: An attribute of the record, or a function of it; None where it is missing.
        style: How it prints.
        interval: The attribute that holds its interval, or None.
        why_not: The attribute that says why there is no value, or a function; None where there
            always is one.
        reasoned: Files have the reason in a column of its own.
        file: The heading in files; the attribute's name where not given.
        group: A heading over several columns.
        axis: The ends of the axis over a column of dots; numbers alone where not given.

    Raises:
        ValueError: The value is a function, and nothing says how files call it.

    Example:
        >>> from types import SimpleNamespace
        >>> share = estimated("Share", "share")
        >>> share.column.fields
        ('share', 'share_low', 'share_high', 'share_reason')
        >>> share.cell(SimpleNamespace(share=None, interval=None, reason="nobody rated")).detail
        'Nobody rated.'
    """
    get, around = _getter(value, heading), _getter(interval, heading)
    reason = (lambda _: "") if why_not is None else _getter(why_not, heading)
    fields = estimate_fields(_file_name(heading, value, file))[: 4 if reasoned else 3]
    ends = None if axis is None else (_end(axis[0]), _end(axis[1]))

    def cell(row: Any) -> Cell:  # noqa: ANN401 - a record of any type
        known: Any = get(row)
        bounds: Any = around(row)
        made = estimate(known, bounds, str(reason(row)), style, axis)
        return made if reasoned else replace(made, raw=made.raw[:3])

    return Shown(Column(heading, fields, numeric=True, group=group, axis=ends), cell)


def table_of(  # noqa: PLR0913 - each is one thing that a table may have
    rows: Iterable[tuple[str, _Row]] | Iterable[_Row],
    columns: Sequence[Shown[_Row]],
    *,
    id: str,  # noqa: A002 - the word that a table has for it
    title: str,
    caption: str,
    empty: str = "",
    grouped_by: str = "",
    figure: str = "",
    stands: Stands = "page",
    about: Callable[[_Row], str] | None = None,
    whole: str = "",
    synthetic: bool = False,
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
        figure: The figure that shows the same, by its id.
        stands: Where a report has it.
        about: Says more of a record's group, below its heading.
        whole: The table that has all rows, by its id.
        synthetic: Whether the data are invented.
    """
    pairs: Iterable[Any] = rows if grouped_by else (("", row) for row in rows)
    return Table(
        id,
        title,
        caption,
        tuple(column.column for column in columns),
        tuple(
            Row(tuple(column.cell(row) for column in columns), name, about(row) if about else "")
            for name, row in pairs
        ),
        group_field=grouped_by,
        empty=empty,
        figure=figure,
        stands=stands,
        whole=whole,
        synthetic=synthetic,
    )


def _getter(value: _Of, heading: str) -> Callable[[Any], object]:
    """Read an attribute, or name those that there are where the column asks for another."""
    if not isinstance(value, str):
        return value
    read = attrgetter(value)

    def get(row: Any) -> object:  # noqa: ANN401 - a record of any type
        try:
            return read(row)
        except AttributeError as error:
            fields = getattr(error.obj, "__dataclass_fields__", None) or dir(error.obj)
            held = sorted(name for name in fields if not name.startswith("_"))
            must = f"read what {type(error.obj).__name__} has: {', '.join(held) or 'nothing'}"
            hint = nearest(error.name or "", held)
            column = f'the column "{heading}"'
            raise InvalidInput(Problem(column, must, f'"{error.name}"', hint)) from error

    return get


def _end(value: float) -> str:
    return f"{value:g}".replace("-", "−")


def _file_name(heading: str, value: _Of, file: str) -> str:
    if not file and not isinstance(value, str):
        message = f"{heading}: say what files call a value that a function gives"
        raise ValueError(message)
    return file or str(value)

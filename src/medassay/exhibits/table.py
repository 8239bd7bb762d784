"""One definition of a table, from which the page, the CSV and the Markdown are made."""

from dataclasses import dataclass, field
from typing import Final, Literal

from medassay.exhibits.sentences import Captioned

SYNTHETIC: Final = "Synthetic data: made by a program to show a method. Nothing here is evidence."
"""Said wherever made-up data are shown."""

Stands = Literal["first", "page", "file"]
"""On the first screen of the page, behind it, or in a file of its own only."""


@dataclass(frozen=True, slots=True)
class Dot:
    """A dot with its interval on an axis that the whole column shares."""

    value: float
    low: float | None
    high: float | None
    axis_low: float
    axis_high: float


@dataclass(frozen=True, slots=True)
class Bar:
    """A share of the cell's width, 0 to 1."""

    share: float


@dataclass(frozen=True, slots=True)
class Heat:
    """A coloured ground, -1 to 1."""

    value: float


@dataclass(frozen=True, slots=True)
class Bands:
    """The letters of a system in the order of all letters, so that equal letters line up."""

    letters: tuple[str, ...]
    every: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StackPart:
    """A part of a bar.

    Attributes:
        title: What it counts.
        count: How many; printed inside where there is room.
        share: Of the bar's length.
        depth: How dark, 0 to 1.
    """

    title: str
    count: int
    share: float
    depth: float


@dataclass(frozen=True, slots=True)
class Stack:
    """A bar of parts that fill it; stands for the cell's text where it can be drawn."""

    parts: tuple[StackPart, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of the page; in a file it may become several, such as mean, low, high.

    Attributes:
        title: The heading on the page.
        fields: The headings in the CSV.
        numeric: Right-aligned, and the largest first when sorted.
        group: A heading over several columns; empty for none.
        axis: The ends of the axis printed over a column of dots.
        wide: Text that may break over lines.
    """

    title: str
    fields: tuple[str, ...]
    numeric: bool = False
    group: str = ""
    axis: tuple[str, str] | None = None
    wide: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell.

    Attributes:
        text: What is printed.
        raw: The unrounded values, one for each field of the column.
        aside: Printed smaller beside the text, such as an interval.
        detail: Said on demand: the reason of a missing value, or more about a number.
        missing: The text is a word that stands where a value would be.
        draw: Something drawn beside or behind the text.
        code: The text is a name or a signature, printed in one width.
        bounded: The values cannot pass 1: LaTeX drops their zero before the point.
    """

    text: str
    raw: tuple[object, ...]
    aside: str = ""
    detail: str = ""
    missing: bool = False
    draw: Dot | Bar | Heat | Bands | Stack | None = None
    code: bool = False
    bounded: bool = False

    @property
    def order(self) -> str | float | None:
        """What the column is sorted by: the unrounded value, or the text; None goes last."""
        first = self.raw[0]
        if self.missing or first is None:
            return None
        return first if isinstance(first, int | float) else self.text.casefold()


@dataclass(frozen=True, slots=True)
class Row:
    """One row; the first cell is its heading."""

    cells: tuple[Cell, ...]
    group: str = ""
    about: str = ""
    """A sentence beside the group's heading."""
    unsettled: str = ""
    """Whose labels have to be asked before its numbers are believed; empty for nobody's."""


@dataclass(frozen=True, slots=True)
class Table(Captioned):
    """A table with a caption that can stand alone.

    Attributes:
        id: Names the file and the place on the page.
        title: A few words.
        caption: Sentences: what, on what, how to read it.
        columns: Left to right.
        rows: Top to bottom; rows of one group stand together.
        group_field: The CSV heading of the rows' group; empty where there are no groups.
        empty: Said instead of a table without rows.
        synthetic: The data are made up; every export says so.
        figure: The figure that shows the same, by its id; empty for none.
        number: Its number in the report; 0 where it stands alone. A Word document counts its own
            tables, since Word counts them anew, and names this one below each.
        stands: Where a report has it.
        whole: The table that has all of this one's rows and more, by its id: what is written as a
            file in its place; empty where it is a file itself.
    """

    id: str
    title: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    group_field: str = ""
    empty: str = ""
    synthetic: bool = False
    figure: str = ""
    number: int = 0
    stands: Stands = "page"
    whole: str = ""
    groups: tuple[tuple[str, str, tuple[Row, ...]], ...] = field(init=False)
    """Heading, sentence and rows of each group, in order."""

    def __post_init__(self) -> None:
        """Put rows of one group together."""
        names = dict.fromkeys(row.group for row in self.rows)
        rows_of = {name: tuple(row for row in self.rows if row.group == name) for name in names}
        groups = tuple((name, rows[0].about, rows) for name, rows in rows_of.items())
        object.__setattr__(self, "groups", groups)

    @property
    def is_map(self) -> bool:
        """Say whether the cells are coloured by their value."""
        return any(isinstance(cell.draw, Heat) for row in self.rows for cell in row.cells)

    @property
    def column_groups(self) -> tuple[tuple[str, int], ...]:
        """Headings over several columns with how many each spans; empty where there are none."""
        spans: list[tuple[str, int]] = []
        for column in self.columns:
            if spans and column.group and spans[-1][0] == column.group:
                spans[-1] = (column.group, spans[-1][1] + 1)
            else:
                spans.append((column.group, 1))
        return tuple(spans) if any(name for name, _ in spans) else ()

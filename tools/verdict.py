"""One row of design/verdicts.md: a verdict, what makes it wrong, and where it was measured."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

Row = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Verdict:
    """One verdict that the product can utter, and where its errors were measured.

    Attributes:
        row: The row that it is a line of; claims of a report name one (`VerdictRow`).
        says: The verdict.
        wrong: What makes it wrong.
        goal: At most so many percent of studies; None where it says nothing that can be wrong.
        page: The page in simulations/ with the table.
        column: The column that has the rate.
        named: Columns that name a design.
        studies: Simulated studies a row, where rates have no error beside them.
        mark: The comment that comes before the table.
        held: Whether the column counts what holds, so that what is left of 100 is wrong.
        only: Which rows of the table are of this verdict.
        missed: What a reader is told where the goal is missed.
        had_rule: Whether a column named before is of this verdict.
    """

    row: str
    says: str
    wrong: str
    goal: float | None
    page: str
    column: str
    named: tuple[str, ...]
    studies: int = 1000
    mark: str = "table"
    held: bool = False
    only: Callable[[Row], bool] = bool
    missed: str = ""
    had_rule: bool = True
